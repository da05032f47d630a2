import type { Kind } from '@unikorn/core/kinds';
import { ReferenceRecord, referencesOfUser, removeReference } from '@unikorn/core/references';
import { finalizers, referenceOf, withoutFinalizer } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';
import type { VirtualWorld } from '@unikorn/core/world';
import { identityKinds } from '@unikorn/identity';
import type { IdentityClient } from '@unikorn/identity/client';

import { FileStorage, Identity, LoadBalancer, Network } from '../kinds/index.ts';
import { placementOf } from '../placement.ts';

/** The kinds that sagas write. */
export const written: readonly Kind[] = [Identity, Network, LoadBalancer, FileStorage];

export const allocations = identityKinds.filter(({ kind }) => kind === 'Allocation');
export const ledgers = identityKinds.filter(({ kind }) => kind === 'QuotaLedger');

/** The kinds that are needed to store these, and no others, because the store is opened many times. */
export const chargedKinds: readonly Kind[] = [
  ...written,
  ReferenceRecord,
  ...allocations,
  ...ledgers,
  ...identityKinds.filter(({ kind }) => ['Organization', 'Project'].includes(kind)),
];

/**
 * Does the work of the controllers for deleted objects, until the store is closed: releases charges and references,
 * then removes the objects.
 */
export async function keepReaping(
  store: Store,
  world: VirtualWorld,
  client: IdentityClient,
  every_ms: number,
): Promise<void> {
  for (;;) {
    await world.sleep(every_ms);
    try {
      for (const kind of written) await reap(store, kind, client);
    } catch {
      return;
    }
  }
}

async function reap(store: Store, kind: Kind, client: IdentityClient): Promise<void> {
  for (const { metadata } of (await store.list(kind)).items) {
    if (metadata.deletionTimestamp === undefined) continue;
    await client.release({ actor: 'test' }, placementOf(metadata), { kind: kind.id, id: metadata.name });
    for (const { spec } of await referencesOfUser(store, referenceOf(kind, metadata.name), 100))
      await removeReference(store, Network, spec.used.id, spec.reference);
    await modify(store, kind, metadata.name, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: withoutFinalizer(object.metadata, finalizers.framework) },
    }));
  }
}
