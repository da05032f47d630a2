import { describe, expect, it } from 'vitest';

import type { WantedNetwork } from '../network.ts';
import { insist, isPresent, useStage, type ProviderHarness, type Stage } from './harness.ts';
import { networkOf } from './specimens.ts';

export function describeNetworks(harness: ProviderHarness): void {
  describe('the layout of a network', () => {
    const current = useStage(harness);

    async function realised(stage: Stage, wanted: WantedNetwork) {
      return (await insist(stage, () => stage.provider.networks.ensure(stage.identity, wanted), isPresent)).observed;
    }

    it('has the gateway first, and sets aside what file storage may use', async () => {
      const stage = current();
      expect(await realised(stage, networkOf(stage.freshId()))).toMatchObject({
        gatewayIP: '10.0.0.1',
        storageRange: { startIP: '10.0.0.16', endIP: '10.0.0.127' },
      });
    });

    it('sets nothing aside for file storage where the provider takes all that is reserved', async () => {
      const stage = current();
      const reservations = { prefixLength: 25, providerReservedPrefixLength: 25 };
      expect(await realised(stage, { ...networkOf(stage.freshId()), reservations })).not.toHaveProperty('storageRange');
    });

    it('stays, whatever else of the network is changed', async () => {
      const stage = current();
      const wanted = networkOf(stage.freshId());
      const made = await realised(stage, wanted);
      const routes = [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.130' }];
      expect(await realised(stage, { ...wanted, dnsNameservers: ['9.9.9.9'], routes })).toEqual(made);
      expect(await realised(stage, { ...wanted, dnsNameservers: [], routes: [] })).toEqual(made);
    });

    it('is refused where it leaves no address for servers', async () => {
      const stage = current();
      const wanted = { ...networkOf(stage.freshId()), reservations: { prefixLength: 24 } };
      await expect(realised(stage, wanted)).rejects.toMatchObject({ kind: 'invalid' });
    });
  });
}
