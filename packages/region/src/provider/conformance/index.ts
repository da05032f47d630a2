import { describe } from 'vitest';

import type { ProviderHarness } from './harness.ts';
import { describeFileStorages } from './file-storages.ts';
import { describeIdentities } from './identities.ts';
import { describeImages } from './images.ts';
import { describeLifecycle } from './lifecycle.ts';
import { describeServers } from './servers.ts';

export type { ProviderHarness, ProviderUnderTest } from './harness.ts';

/**
 * What every provider promises, asked as a controller asks: again and again, bearing what may pass. It waits for states
 * and leaves how time passes to the harness, so that a provider is what passes it.
 *
 * @example describeProvider('simulated', { open: () => … });
 */
export function describeProvider(name: string, harness: ProviderHarness): void {
  describe(`provider contract: ${name}`, () => {
    describeIdentities(harness);
    describeLifecycle(harness);
    describeServers(harness);
    describeImages(harness);
    describeFileStorages(harness);
  });
}
