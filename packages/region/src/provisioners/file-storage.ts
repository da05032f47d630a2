import { done, type Provisioner } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { FileStorage } from '../kinds/index.ts';
import { labelOf, placementOf, principalOf } from '../placement.ts';
import { attempted, whileBusy } from '../regions/index.ts';
import { holdNetworks, releaseNetworks, storageWords } from './file-storage/networks.ts';
import { healthOf, statusOf, wantedFileStorage } from './file-storage/state.ts';
import { holdProject, releaseProject } from './project-hold.ts';

type Deps = Pick<RegionContext, 'store' | 'world' | 'providers' | 'identityClient'>;

/**
 * Provisions file storage. Its project and its networks are held before the cloud is called. Networks are released
 * after the cloud has detached it, and the charge is released after the cloud has deleted it.
 */
export function fileStorageProvisioner({
  store,
  world,
  providers,
  identityClient,
}: Deps): Provisioner<typeof FileStorage> {
  return {
    async provision(storage) {
      const { metadata, spec } = storage;
      const blocked = await holdProject(identityClient, FileStorage, metadata, storageWords(storage));
      if (blocked) return blocked;
      return attempted(async () => {
        const unattachable = await holdNetworks({ store, world }, storage);
        const { fileStorages } = await providers.cloudOf(labelOf(metadata, labels.region));
        const ensured = await fileStorages.ensure(placementOf(metadata), wantedFileStorage(storage, unattachable));
        const status = statusOf(storage, ensured, unattachable, world.now());
        await releaseNetworks(
          store,
          storage,
          new Set([
            ...(spec.attachments ?? []).map(({ networkID }) => networkID),
            ...ensured.observed.attachedNetworkIds,
          ]),
        );
        return ensured.state === 'pending'
          ? whileBusy(ensured, status)
          : done({ ...status, conditions: [healthOf(unattachable)] });
      });
    },
    async deprovision(storage) {
      const { metadata } = storage;
      return attempted(async () => {
        const { fileStorages } = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await fileStorages.remove(placementOf(metadata), { id: metadata.name });
        if (removed.state === 'pending') return whileBusy(removed);
        await identityClient.release(principalOf(metadata), placementOf(metadata), {
          kind: FileStorage.id,
          id: metadata.name,
        });
        await releaseNetworks(store, storage, new Set());
        await releaseProject(identityClient, FileStorage, metadata);
        return done();
      });
    },
  };
}
