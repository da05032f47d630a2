import { describe } from 'vitest';

import { describeDeletion } from './deletion.ts';
import type { StoreHarness } from './harness.ts';
import { describeLists } from './lists.ts';
import { describeModel } from './model.ts';
import { describeObjects } from './objects.ts';
import { describeOwnership } from './ownership.ts';
import { describeWatches } from './watches.ts';

export type { StoreHarness, StoreUnderTest } from './harness.ts';

/**
 * The contract of every engine. It asserts nothing that a Kubernetes API server does not do, waits for states rather
 * than for time, and leaves open what the contract leaves open, so that an engine is what passes it.
 *
 * @example describeStore('memory', { open: (kinds) => … });
 */
export function describeStore(name: string, harness: StoreHarness): void {
  describe(`store contract: ${name}`, () => {
    describeObjects(harness);
    describeLists(harness);
    describeDeletion(harness);
    describeOwnership(harness);
    describeWatches(harness);
    describeModel(harness);
  });
}
