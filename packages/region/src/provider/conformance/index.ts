import { describe, it } from 'vitest';

import { shows, type ProviderHarness } from './harness.ts';
import { describeFileStorages } from './file-storages.ts';
import { describeIdentities } from './identities.ts';
import { describeImages } from './images.ts';
import { describeLifecycle } from './lifecycle.ts';
import { describeNetworks } from './networks.ts';
import { describeSecurityGroups } from './security-groups.ts';
import { describeServers } from './servers.ts';

export type { Capability, Materials, ProviderHarness, ProviderUnderTest } from './harness.ts';

/**
 * The promises of every provider. It calls a provider as a controller does: again and again, and it tolerates failures
 * that may pass. It waits for states and leaves to the harness how time passes, so it also runs against a real cloud.
 * Parts that a cloud cannot show appear as skipped tests, with the reason in their name.
 *
 * @example describeProvider('simulated', { open: () => … });
 */
export function describeProvider(name: string, harness: ProviderHarness): void {
  describe(`provider contract: ${name}`, () => {
    describe.runIf(harness.cannot)('cannot show', () => {
      for (const [capability, reason] of Object.entries(harness.cannot ?? {})) it.skip(`${capability}: ${reason}`);
    });
    describeIdentities(harness);
    describeLifecycle(harness);
    describeNetworks(harness);
    describeSecurityGroups(harness);
    if (shows(harness, 'servers')) describeServers(harness);
    if (shows(harness, 'images')) describeImages(harness);
    describeFileStorages(harness);
  });
}
