import { Controller, related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';

import type { RegionContext } from '../context.ts';
import { FileStorage, Network } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import { fileStorageProvisioner } from '../provisioners/file-storage.ts';

/** File storage is reconciled when one of its networks changes, and once a minute to read its usage. */
export function fileStorageControllers(context: RegionContext, history: DeletionRecorder): readonly Runnable[] {
  const byNetwork = context.caches
    .of(FileStorage)
    .index(({ spec }) => (spec.attachments ?? []).map(({ networkID }) => networkID));
  const networks = related(Network, ({ metadata }) => byNetwork.names(metadata.name));
  return [
    new Controller(
      {
        name: 'file-storages',
        kind: FileStorage,
        provisioner: fileStorageProvisioner(context),
        beforeRemoval: (object) => history.recordDeletion(object),
        related: [networks],
        resync_ms: waits.storageUsage_ms,
      },
      context,
    ),
  ];
}
