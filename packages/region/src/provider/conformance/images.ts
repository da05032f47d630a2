import { describe, expect, it } from 'vitest';

import type { ImageDescription, ImageQuery } from '../image.ts';
import {
  answer,
  expectFailure,
  insist,
  isAbsent,
  isOneReady,
  isPresent,
  useStage,
  type ProviderHarness,
  type Stage,
} from './harness.ts';
import { prepareHome, serverOf } from './specimens.ts';

export function describeImages(harness: ProviderHarness): void {
  describe('an image', () => {
    const current = useStage(harness);

    it('that is imported exists before its data, once however often it is requested, and becomes ready', async () => {
      const stage = current();
      const { images } = stage.provider;
      const description = imageOf(stage);
      const { id, state } = await insist(stage, () => images.import(description, stage.materials.imageUri));
      expect(['pending', 'creating']).toContain(state);
      expect((await insist(stage, () => images.import(description, stage.materials.imageUri))).id).toBe(id);
      const all = await insist(stage, () => images.list(ownedAlike(description)), isOneReady);
      expect(all).toMatchObject([{ ...description, id }]);
    });

    it('is visible to its organization and not to another, and a list without organizations has the public ones', async () => {
      const stage = current();
      const { images } = stage.provider;
      const description = imageOf(stage);
      const { organizationId } = description;
      const { id } = await insist(stage, () => images.import(description, stage.materials.imageUri));
      const ids = async (query: Parameters<typeof images.list>[0]) =>
        (await answer(stage, () => images.list(query))).map((image) => image.id);
      expect(await ids({ availableTo: [organizationId] })).toContain(id);
      expect(await ids({ availableTo: [stage.freshId()] })).not.toContain(id);
      expect(await ids({ availableTo: [] })).toContain(stage.materials.imageId);
      expect(await ids({ ownedBy: [] })).toEqual([]);
      expect(await ids({ ownedBy: [organizationId], states: ['failed'] })).toEqual([]);
    });

    it('cannot be removed while a server runs on it', async () => {
      const stage = current();
      const { images, servers } = stage.provider;
      await prepareHome(stage);
      const description = imageOf(stage);
      const { id: imageId } = await insist(stage, () => images.import(description, stage.materials.imageUri));
      await insist(stage, () => images.list(ownedAlike(description)), isOneReady);
      const server = { ...serverOf(stage, stage.freshId()), imageId };
      await insist(stage, () => servers.ensure(stage.identity, server), isPresent);
      await expectFailure(stage, () => images.remove(imageId), 'in_use');
      await insist(stage, () => servers.remove(stage.identity, server), isAbsent);
      for (let repetition = 0; repetition < 2; repetition++)
        await insist(stage, () => images.remove(imageId), isAbsent);
      expect(await answer(stage, () => images.list(ownedAlike(description)))).toEqual([]);
    });
  });
}

/** Everything of the organization that an image belongs to. */
function ownedAlike({ organizationId }: { readonly organizationId: string }): ImageQuery {
  return { ownedBy: [organizationId] };
}

/** Of an organization of its own, so that a test sees only what it made. */
function imageOf(stage: Stage): ImageDescription & { readonly organizationId: string } {
  return {
    id: stage.freshId(),
    name: 'noble',
    description: 'imported for the tests, 100%',
    organizationId: stage.freshId(),
    tags: [{ name: 'source', value: 'import' }],
    architecture: 'x86_64',
    virtualization: 'virtualized',
    os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04' },
    softwareVersions: {},
  };
}
