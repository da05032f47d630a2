import { isProblem } from '@unikorn/core/errors';
import {
  addReference,
  ReferenceRecord,
  referenceNameOf,
  referencesOfUser,
  removeReference,
  type HoldDeps,
} from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { FileStorage, Network } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import type { Unattachable } from './state.ts';

/**
 * Adds references to all networks that it will be attached to, before the cloud is called. Networks that do not exist
 * or are being deleted cannot be held. Existing references are kept.
 */
export async function holdNetworks({ store, world }: HoldDeps, storage: FileStorage): Promise<Unattachable> {
  const unattachable = new Map<string, string>();
  const reference = referenceOf(FileStorage, storage.metadata.name);
  for (const { networkID } of storage.spec.attachments ?? []) {
    if (await store.get(ReferenceRecord, referenceNameOf(Network, networkID, reference))) continue;
    try {
      await addReference(
        { store, world },
        Network,
        { name: networkID, labels: placeOf(storage) },
        { reference, name: storageWords(storage) },
      );
    } catch (error) {
      if (!isProblem(error, 'not_found') && !isProblem(error, 'invalid_request')) throw error;
      unattachable.set(networkID, isProblem(error, 'not_found') ? 'does not exist' : 'is being deleted');
    }
  }
  return unattachable;
}

/**
 * Removes the references to networks that the cloud has detached. They are found by the stored references and not by
 * the status: a process that died after adding a reference may not have written a status.
 */
export async function releaseNetworks(
  store: Store,
  { metadata }: FileStorage,
  kept: ReadonlySet<string>,
): Promise<void> {
  const held = await referencesOfUser(store, referenceOf(FileStorage, metadata.name), limits.storageNetworks);
  const released = held.filter(({ spec: { used } }) => used.kind === Network.id && !kept.has(used.id));
  for (const { spec } of released) await removeReference(store, Network, spec.used.id, spec.reference);
}

type Placed = Pick<FileStorage, 'metadata'>;

/** The labels of its networks, which are in the same project. */
function placeOf({ metadata: { labels: carried = {} } }: Placed): Readonly<Record<string, string>> {
  const { [labels.organization]: organization = '', [labels.project]: project = '' } = carried;
  return { [labels.organization]: organization, [labels.project]: project };
}

/** Its display name, in words. */
export function storageWords({ metadata }: Placed): string {
  return `file storage ${metadata.labels?.[labels.name] ?? metadata.name}`;
}
