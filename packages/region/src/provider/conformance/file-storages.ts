import { describe, expect, it } from 'vitest';

import type { WantedFileStorage } from '../file-storage.ts';
import { insist, isPresent, useStage, type ProviderHarness, type Stage } from './harness.ts';
import { fileStorageOf, projectOf } from './specimens.ts';

export function describeFileStorages(harness: ProviderHarness): void {
  describe('what a file storage is', () => {
    const current = useStage(harness);

    async function realised(stage: Stage, wanted: WantedFileStorage) {
      const { fileStorages } = stage.provider;
      return (await insist(stage, () => fileStorages.ensure(projectOf(stage.identity), wanted), isPresent)).observed;
    }

    it('has the size that was asked for, uses no more of it, and grows when it is told to', async () => {
      const stage = current();
      const wanted = fileStorageOf(stage.freshId());
      const small = await realised(stage, wanted);
      expect(small.size_gib).toBe(wanted.size_gib);
      expect(small.used_bytes).toBeLessThanOrEqual(wanted.size_gib * 2 ** 30);
      const large = await realised(stage, { ...wanted, size_gib: 20 });
      expect(large).toMatchObject({ size_gib: 20, providerId: small.providerId, mountPath: small.mountPath });
    });

    it('is attached to the networks it was told last, and to no others', async () => {
      const stage = current();
      const wanted = fileStorageOf(stage.freshId());
      const [one, other] = [stage.freshId(), stage.freshId()].map((networkId, index) => ({
        networkId,
        vlanId: 100 + index,
        startIP: `10.0.${index}.16`,
        endIP: `10.0.${index}.19`,
      }));
      if (!one || !other) throw new Error('there are two');
      const attached = async (attachments: WantedFileStorage['attachments']) =>
        (await realised(stage, { ...wanted, attachments })).attachedNetworkIds;
      expect(await attached([one])).toEqual([one.networkId]);
      expect(new Set(await attached([one, other]))).toEqual(new Set([one.networkId, other.networkId]));
      expect(await attached([other])).toEqual([other.networkId]);
      expect(await attached([])).toEqual([]);
    });

    it('follows the plans for snapshots that it was told last, and has none before their time', async () => {
      const stage = current();
      const wanted = fileStorageOf(stage.freshId());
      const followed = async (snapshotPlans: WantedFileStorage['snapshotPlans']) =>
        (await realised(stage, { ...wanted, snapshotPlans })).snapshots.map(({ name }) => name);
      const [nightly] = (await realised(stage, wanted)).snapshots;
      expect(nightly?.name).toBe('nightly');
      expect(nightly?.kept).toBeLessThanOrEqual(7);
      expect(await followed([{ name: 'often', interval: 'hourly', keep: 2 }])).toEqual(['often']);
      expect(await followed([])).toEqual([]);
    });
  });
}
