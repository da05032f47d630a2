import { describe, expect, it } from 'vitest';

import { Caches, Controller, done } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { childOf, finalizers, labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { Identity, Network, projectKinds, Server } from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import { edges } from './edges.ts';
import { deletePrincipal, waitForOwned } from './index.ts';

async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: projectKinds });
  const principal = await store.create(Identity, {
    metadata: { name: 'p', finalizers: [finalizers.framework] },
    spec: specimens.Identity,
  });
  const network = await store.create(Network, {
    metadata: {
      name: 'n',
      labels: { [labels.identity]: 'p' },
      finalizers: [finalizers.framework],
      ownerReferences: [childOf(principal)],
    },
    spec: specimens.Network,
  });
  return { world, store, network };
}

describe('the owned resources of an object', () => {
  it('are found by indexed labels', () => {
    const unindexed = edges.filter(
      (edge) =>
        edge.type === 'owner' &&
        !projectKinds.some(({ id, indexedLabels }) => id === edge.owned && indexedLabels.includes(edge.label)),
    );
    expect(unindexed).toEqual([]);
  });

  it('do not delay an object that they only refer to', async () => {
    const { store, network } = await stage();
    await store.create(Server, {
      metadata: { name: 's', labels: { [labels.network]: 'n' } },
      spec: { ...specimens.Server, networks: [{ id: 'n' }] },
    });
    expect(await waitForOwned(store, Network, network.metadata)).toBeUndefined();
  });

  it('are deleted first, also after a plain deletion, and wake the object that waits for them', async () => {
    const { world, store } = await stage();
    const context = { store, world, telemetry: silentTelemetry() };
    const caches = new Caches(context);
    const stop = new AbortController();
    const gone: Kind[] = [];
    const controller = (kind: Kind) =>
      new Controller(
        {
          name: kind.id,
          kind,
          provisioner: {
            provision: () => Promise.resolve(done()),
            deprovision: async ({ metadata }) => {
              const waiting = await waitForOwned(store, kind, metadata);
              if (!waiting) gone.push(kind);
              return waiting ?? done();
            },
          },
        },
        { ...context, caches },
      );
    for (const running of [caches, controller(Identity), controller(Network)]) void running.run(stop.signal);
    await store.delete(Identity, 'p');
    await world.until(() => gone.length === 2, 1_000);
    expect(gone).toEqual([Network, Identity]);
    stop.abort();
  });
});

describe('the principal behind a network', () => {
  it('is deleted with it in the foreground, also repeatedly and if it is already gone', async () => {
    const { store, network } = await stage();
    await deletePrincipal(store, network.metadata);
    await deletePrincipal(store, network.metadata);
    expect((await store.get(Identity, 'p'))?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String) as string,
      finalizers: [finalizers.framework, finalizers.foreground],
    });
    await expect(
      deletePrincipal(store, { name: 'n', labels: { [labels.identity]: 'other' } }),
    ).resolves.toBeUndefined();
  });
});
