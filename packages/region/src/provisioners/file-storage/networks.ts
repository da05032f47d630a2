import { isProblem } from '@unikorn/core/errors';
import { labels, referenceOf } from '@unikorn/core/resource';
import { addReference, matching, removeReference, type Store } from '@unikorn/core/store';

import { FileStorage, Network } from '../../kinds/index.ts';
import { placementOf } from '../../placement.ts';
import type { Unattachable } from './state.ts';

/** Holds every network it is to be attached to, before the cloud hears of it; those that are gone or going cannot be held. */
export async function holdNetworks(store: Store, { metadata, spec }: FileStorage): Promise<Unattachable> {
  const unattachable = new Map<string, string>();
  for (const { networkID } of spec.attachments ?? []) {
    try {
      await addReference(store, Network, networkID, referenceOf(FileStorage, metadata.name));
    } catch (error) {
      if (!isProblem(error, 'not_found') && !isProblem(error, 'invalid_request')) throw error;
      unattachable.set(networkID, isProblem(error, 'not_found') ? 'does not exist' : 'is being deleted');
    }
  }
  return unattachable;
}

/**
 * Lets go of the networks that the cloud has detached it from. They are found by what they hold and not by what a status
 * remembers: whoever died between holding a network and saying so left no other trace.
 */
export async function releaseNetworks(store: Store, { metadata }: FileStorage, kept: ReadonlySet<string>): Promise<void> {
  const reference = referenceOf(FileStorage, metadata.name);
  const { items } = await store.list(Network, { selector: matching({ [labels.project]: placementOf(metadata).projectId }) });
  const released = items.filter((network) => network.metadata.finalizers?.includes(reference) && !kept.has(network.metadata.name));
  for (const network of released) await removeReference(store, Network, network.metadata.name, reference);
}
