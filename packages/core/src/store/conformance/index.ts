import { describe } from 'vitest';

import { describeDeletion } from './deletion.ts';
import type { StoreHarness } from './harness.ts';
import { describeLists } from './lists.ts';
import { describeModel } from './model.ts';
import { describeObjects } from './objects.ts';
import { describeOwnership } from './ownership.ts';
import { describeWatches } from './watches.ts';

export { expectProblem, type StoreHarness, type StoreUnderTest } from './harness.ts';
export { Gadget, gadget, kinds as conformanceKinds, team, Widget, widget } from './kinds.ts';

/**
 * The contract of every storage engine. It only asserts what a Kubernetes API server also does, waits for states and
 * not for time, and does not test behaviour that the contract leaves open.
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
