import type { Resource } from '@unikorn/core/kinds';
import { ReferenceRecord } from '@unikorn/core/references';
import { finalizers, labels, withoutFinalizer } from '@unikorn/core/resource';
import { bind, seenState } from '@unikorn/core/saga';
import { modify, type Store } from '@unikorn/core/store';
import { describeSagas, type SagaScenario } from '@unikorn/core/testing/saga';
import type { VirtualWorld } from '@unikorn/core/world';
import { placementOf, type IdentityClient } from '@unikorn/identity/client';
import { Founder, identityOn } from '@unikorn/identity/testing';

import '../service.ts';

import { holdAll, holdsOf, release } from '../holds/index.ts';
import { ComputeInstance } from '../kinds/index.ts';
import {
  allocations,
  chargedKinds,
  groupIds,
  holdingRegion,
  ledgers,
  networkId,
  openNetwork,
} from './charges.fixture.ts';
import { amountsOf, priceAnnotation, writeInstanceSaga } from './index.ts';

const id = 'a0000000-0000-4000-8000-000000000001';
const principal = { actor: 'jane@acme.com' };
const spec = { flavorId: 'f', imageId: 'i', networking: { publicIp: false, securityGroupIDs: [groupIds[0]] } };
const changed = {
  flavorId: 'g',
  imageId: 'i',
  networking: { publicIp: true, securityGroupIDs: [groupIds[1]] },
  deletionProtection: true,
};
const cheap = { gpus: 0, publicIP: false };
const dear = { gpus: 2, publicIP: true };

/**
 * The work of the controller for an instance that is being deleted, until the store is closed: the charge is released,
 * and then the instance is removed.
 */
async function keepReaping(store: Store, world: VirtualWorld, client: IdentityClient): Promise<void> {
  try {
    for (;;) {
      await world.sleep(1_000);
      for (const { metadata } of (await store.list(ComputeInstance)).items) {
        if (metadata.deletionTimestamp === undefined) continue;
        await client.release({ actor: 'test' }, placementOf(metadata), { kind: ComputeInstance.id, id: metadata.name });
        await release(
          { store, identityClient: client, regionClient: holdingRegion(store, world) },
          { id: metadata.name, principal, scope: placementOf(metadata) },
          [],
        );
        await modify(store, ComputeInstance, metadata.name, (object) => ({
          ...object,
          metadata: { ...object.metadata, finalizers: withoutFinalizer(object.metadata, finalizers.framework) },
        }));
      }
    }
  } catch {
    return;
  }
}

/** Everything that the saga may change, without times and the id of the run. */
async function snapshot(store: Store, world: VirtualWorld): Promise<unknown> {
  const all: Resource[] = [];
  await world.until(async () => {
    all.length = 0;
    for (const kind of [ComputeInstance, ReferenceRecord, ...allocations]) all.push(...(await store.list(kind)).items);
    return all.every(({ metadata }) => metadata.deletionTimestamp === undefined);
  });
  const objects = all.map(({ kind, metadata, spec: stored }) => ({
    kind,
    id: metadata.name,
    labels: metadata.labels,
    price: metadata.annotations?.[priceAnnotation],
    description: metadata.annotations?.['description'],
    spec: stored,
  }));
  // An empty ledger is equal to no ledger.
  const counted = await Promise.all(
    ledgers.map(async (kind) =>
      (await store.list(kind)).items.flatMap(({ status }) =>
        Object.entries(status && 'totals' in status ? (status.totals as object) : {}),
      ),
    ),
  );
  return { objects, counted };
}

async function stage({ store, world }: Parameters<SagaScenario['setup']>[0]) {
  const found = new Founder(store, world);
  const organizationId = await found.organization();
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const identityClient = identityOn({ store, world, commonName: 'unikorn-compute' });
  await openNetwork(store, scope);
  void keepReaping(store, world, identityClient);
  const label = {
    [labels.name]: 'web',
    [labels.organization]: scope.organizationId,
    [labels.project]: scope.projectId,
    [labels.region]: 'r',
    [labels.network]: networkId,
  };
  return { scope, identityClient, label, snapshot: () => snapshot(store, world) };
}

describeSagas('compute', [
  {
    saga: writeInstanceSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      return {
        input: {
          id,
          principal,
          scope,
          after: { labels: label, annotations: { description: 'new' }, spec: changed },
          price: dear,
        },
        bind: ({ store }) =>
          bind(writeInstanceSaga, { store, identityClient, regionClient: holdingRegion(store, given.world) }),
        snapshot,
      };
    },
  },
  ...[
    { from: spec, paid: cheap, to: changed, price: dear },
    { from: changed, paid: dear, to: spec, price: cheap },
  ].map(({ from, paid, to, price }): SagaScenario => ({
    saga: writeInstanceSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      const before = await given.store.create(ComputeInstance, {
        metadata: {
          name: id,
          labels: label,
          annotations: { description: 'old', [priceAnnotation]: JSON.stringify(paid) },
        },
        spec: from,
      });
      await identityClient.charge(principal, {
        scope,
        resource: { kind: ComputeInstance.id, id },
        amounts: amountsOf(paid),
      });
      await holdAll(
        { store: given.store, identityClient, regionClient: holdingRegion(given.store, given.world) },
        { id, principal, scope },
        holdsOf({ labels: label, spec: from }),
        'instance web',
        'birth',
      );
      const after = { labels: label, annotations: { description: 'new' }, spec: to };
      return {
        input: { id, principal, scope, before: seenState(before), after, price },
        bind: ({ store }) =>
          bind(writeInstanceSaga, { store, identityClient, regionClient: holdingRegion(store, given.world) }),
        snapshot,
      };
    },
  })),
]);
