import type { Resource } from '@unikorn/core/kinds';
import { ReferenceRecord } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { bind, seenState } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import { describeSagas, type SagaScenario } from '@unikorn/core/testing/saga';
import type { VirtualWorld } from '@unikorn/core/world';
import { Founder, identityOn } from '@unikorn/identity/testing';

import '../service.ts';

import { FileStorage, LoadBalancer, Network } from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import { allocations, chargedKinds, keepReaping, ledgers, written } from './charges.fixture.ts';
import {
  chargedFileStorage,
  chargedLoadBalancer,
  createNetworkSaga,
  writeFileStorageSaga,
  writeLoadBalancerSaga,
} from './index.ts';

const id = 'a0000000-0000-4000-8000-000000000001';
const identityId = 'a0000000-0000-4000-8000-000000000002';
const principal = { actor: 'jane@acme.com' };

/** Everything that a saga may change, without the times and the ids of runs. */
async function snapshot(store: Store, world: VirtualWorld): Promise<unknown> {
  const all: Resource[] = [];
  const list = async () => {
    all.length = 0;
    for (const kind of [...written, ReferenceRecord, ...allocations]) all.push(...(await store.list(kind)).items);
    return all.every(({ metadata }) => metadata.deletionTimestamp === undefined);
  };
  await world.until(list);
  const objects = all.map(({ kind, metadata, spec }) => ({
    kind,
    id: metadata.name,
    labels: metadata.labels,
    description: metadata.annotations?.['description'],
    spec,
  }));
  // An empty ledger counts as no ledger.
  const counted = await Promise.all(
    ledgers.map(async (kind) =>
      (await store.list(kind)).items.flatMap(({ status }) =>
        Object.entries(status && 'totals' in status ? (status.totals as object) : {}),
      ),
    ),
  );
  return { objects, counted };
}

/** A project that already has resources, and the necessary controllers. */
async function stage({ store, world }: Parameters<SagaScenario['setup']>[0]) {
  const found = new Founder(store, world);
  const organizationId = await found.organization();
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const identityClient = identityOn({ store, world, commonName: 'unikorn-region' });
  void keepReaping(store, world, identityClient, 1_000);
  const label = { [labels.organization]: scope.organizationId, [labels.project]: scope.projectId };
  return { scope, identityClient, label, snapshot: () => snapshot(store, world) };
}

describeSagas('region', [
  {
    saga: createNetworkSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      const after = {
        labels: { ...label, [labels.identity]: identityId },
        annotations: { description: 'new' },
        spec: specimens.Network,
      };
      return {
        input: {
          id,
          principal,
          scope,
          after,
          identity: { id: identityId, after: { labels: label, annotations: {}, spec: specimens.Identity } },
        },
        bind: ({ store }) => bind(createNetworkSaga, { store, identityClient }),
        snapshot,
      };
    },
  },
  {
    saga: writeLoadBalancerSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      const listener = {
        name: 'web',
        protocol: 'tcp' as const,
        port: 80,
        pool: { proxyProtocolV2: false, members: [] },
      };
      const spec = { publicIP: false, listeners: [listener] };
      const before = await given.store.create(LoadBalancer, {
        metadata: { name: id, labels: label, annotations: { description: 'old' } },
        spec,
      });
      await identityClient.charge(principal, {
        scope,
        resource: { kind: LoadBalancer.id, id },
        amounts: chargedLoadBalancer.amounts(spec),
      });
      return {
        input: {
          id,
          principal,
          scope,
          before: seenState(before),
          after: { labels: label, annotations: { description: 'new' }, spec: { ...spec, publicIP: true } },
        },
        bind: ({ store }) => bind(writeLoadBalancerSaga, { store, identityClient }),
        snapshot,
      };
    },
  },
  {
    saga: writeFileStorageSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      for (const { networkID } of specimens.FileStorage.attachments)
        await given.store.create(Network, { metadata: { name: networkID, labels: label }, spec: specimens.Network });
      return {
        input: {
          id,
          principal,
          scope,
          after: { labels: label, annotations: { description: 'new' }, spec: specimens.FileStorage },
        },
        bind: ({ store }) => bind(writeFileStorageSaga, { store, world: given.world, identityClient }),
        snapshot,
      };
    },
  },
  {
    saga: writeFileStorageSaga,
    kinds: chargedKinds,
    setup: async (given) => {
      const { scope, identityClient, label, snapshot } = await stage(given);
      const spec = {
        storageClassID: id,
        size: 1024,
        defaultSnapshotProtectionEnabled: false,
        snapshotPolicies: [],
        nfs: { rootSquash: true },
      };
      const before = await given.store.create(FileStorage, {
        metadata: { name: id, labels: label, annotations: { description: 'old' } },
        spec,
      });
      await identityClient.charge(principal, {
        scope,
        resource: { kind: FileStorage.id, id },
        amounts: chargedFileStorage.amounts(spec),
      });
      return {
        input: {
          id,
          principal,
          scope,
          before: seenState(before),
          after: { labels: label, annotations: { description: 'new' }, spec: { ...spec, size: 2048 } },
        },
        bind: ({ store }) => bind(writeFileStorageSaga, { store, world: given.world, identityClient }),
        snapshot,
      };
    },
  },
]);
