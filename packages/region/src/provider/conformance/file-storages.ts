import { describe, expect, it } from 'vitest';

import type { WantedFileStorage } from '../file-storage.ts';
import {
  answer,
  expectFailure,
  insist,
  isPresent,
  shows,
  useStage,
  type ProviderHarness,
  type Stage,
} from './harness.ts';
import { fileStorageOf, projectOf } from './specimens.ts';

export function describeFileStorages(harness: ProviderHarness): void {
  if (shows(harness, 'file storages')) describeExisting(harness);
  else describeMissing(harness);
}

/** Without a backend there is never one to remove, and asking for one is refused. */
function describeMissing(harness: ProviderHarness): void {
  describe('a file storage in a region without a backend for it', () => {
    const current = useStage(harness);

    it('is refused, is absent, and is removed without failure', async () => {
      const stage = current();
      const { fileStorages } = stage.provider;
      const [project, wanted] = [projectOf(stage.identity), fileStorageOf(stage.freshId())];
      await expectFailure(stage, () => fileStorages.ensure(project, wanted), 'invalid');
      expect(await answer(stage, () => fileStorages.observe(project, wanted))).toEqual({ state: 'absent' });
      expect(await answer(stage, () => fileStorages.remove(project, wanted))).toEqual({ state: 'absent' });
      expect(await answer(stage, () => fileStorages.list(project))).toEqual([]);
    });
  });
}

function describeExisting(harness: ProviderHarness): void {
  describe('the state of a file storage', () => {
    const current = useStage(harness);

    async function realised(stage: Stage, wanted: WantedFileStorage) {
      const { fileStorages } = stage.provider;
      return (await insist(stage, () => fileStorages.ensure(projectOf(stage.identity), wanted), isPresent)).observed;
    }

    it('has the requested size, uses no more of it, and grows on request', async () => {
      const stage = current();
      const wanted = fileStorageOf(stage.freshId());
      const small = await realised(stage, wanted);
      expect(small.size_gib).toBe(wanted.size_gib);
      expect(small.used_bytes).toBeLessThanOrEqual(wanted.size_gib * 2 ** 30);
      const large = await realised(stage, { ...wanted, size_gib: 20 });
      expect(large).toMatchObject({ size_gib: 20, providerId: small.providerId, mountPath: small.mountPath });
    });

    it('is attached to the last requested networks, and to no others', async () => {
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

    it('follows the last requested snapshot plans, and has no snapshots before their time', async () => {
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
