import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import { customResourceDefinition, type Kind } from '@unikorn/core/kinds';
import type { Store } from '@unikorn/core/store';
import type { StoreHarness } from '@unikorn/core/store/conformance';
import { kubeconfigAccess, openKubernetesStore, type KubernetesStoreOptions } from '@unikorn/core/store/kubernetes';
import { systemWorld } from '@unikorn/core/world';

import type { Cluster } from './cluster.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Defines the kinds in the cluster, and waits until they can be used. */
export async function defineKinds(cluster: Cluster, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) await cluster.call('POST', definitions, customResourceDefinition(kind));
  // The API server prepares them side by side.
  for (const kind of kinds)
    await vi.waitFor(
      async () => {
        expect(await cluster.call('GET', `/apis/${kind.apiVersion}/${kind.plural}`)).toMatchObject({ status: 200 });
      },
      { timeout: 10_000 },
    );
}

export async function createNamespace(cluster: Cluster): Promise<string> {
  const namespace = `test-${randomUUID().slice(0, 13)}`;
  expect(await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } })).toMatchObject({
    status: 201,
  });
  return namespace;
}

/** A store in a namespace of the cluster. */
export async function openStore(
  cluster: Pick<Cluster, 'administrator'>,
  namespace: string,
  options: Partial<KubernetesStoreOptions> = {},
) {
  return openKubernetesStore({
    world: systemWorld,
    access: await kubeconfigAccess(cluster.administrator),
    namespace,
    ...options,
  });
}

/** Passes each operation to the next of the stores. */
export function alternating(stores: readonly [Store, ...Store[]]): Store {
  let turn = 0;
  const next = () => stores[turn++ % stores.length] ?? stores[0];
  return {
    sole: false,
    create: (kind, draft) => next().create(kind, draft),
    get: (kind, name, options) => next().get(kind, name, options),
    list: (kind, query) => next().list(kind, query),
    countUpTo: (kind, selector, most, options) => next().countUpTo(kind, selector, most, options),
    update: (kind, change) => next().update(kind, change),
    updateStatus: (kind, change) => next().updateStatus(kind, change),
    delete: (kind, name, options) => next().delete(kind, name, options),
    watch: (kind, query) => next().watch(kind, query),
    probe: () => next().probe(),
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
}

let changes = 0;

/**
 * The API server creates the storage of a kind again when its definition changes. After that it only knows the changes
 * since then.
 */
async function forgetChanges(cluster: Cluster, kind: Kind, namespace: string): Promise<void> {
  const collection = `/apis/${kind.apiVersion}/namespaces/${namespace}/${kind.plural}`;
  const { body } = await cluster.call('GET', `${collection}?limit=1`);
  const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
  // The watch must need a change that is no longer known.
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: `later-${randomUUID()}` } });
  const patch = [
    {
      op: 'add',
      path: '/spec/versions/0/additionalPrinterColumns/-',
      value: { name: `Change ${changes++}`, type: 'string', jsonPath: '.metadata.uid' },
    },
  ];
  expect(await cluster.call('PATCH', `${definitions}/${kind.id}`, patch, 'application/json-patch+json')).toMatchObject({
    status: 200,
  });
  await vi.waitFor(
    async () => {
      const answer = await cluster.call(
        'GET',
        `${collection}?watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`,
      );
      expect(answer.body).toContain('"code":410');
    },
    { timeout: 20_000 },
  );
}

/** The harness of the conformance suite: every store has its own namespace. */
export function kubernetesHarness(
  cluster: () => Cluster,
  open: (namespace: string, options: Partial<KubernetesStoreOptions>) => Promise<Store>,
): StoreHarness {
  return {
    async open(kinds) {
      const namespace = await createNamespace(cluster());
      const store = await open(namespace, { bookmark_ms: 500 });
      return {
        store,
        expireHistory: async () => {
          for (const kind of kinds) await forgetChanges(cluster(), kind, namespace);
        },
        idle: () => Promise.resolve(),
        close: () => store.close(),
      };
    },
  };
}
