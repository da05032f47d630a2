import { Controller, related, type Runnable } from '@unikorn/core/controller';

import type { RegionContext } from '../context.ts';
import { FileStorage, Network } from '../kinds/index.ts';
import { fileStorageProvisioner } from '../provisioners/file-storage.ts';

/** How old what is shown of its use may be; nobody tells us when files are written. */
const usage_ms = 60_000;

/** File storage looks again when a network that it is attached to changes, and at its use once a minute. */
export function fileStorageControllers(context: RegionContext): readonly Runnable[] {
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
        related: [networks],
        resync_ms: usage_ms,
      },
      context,
    ),
  ];
}
