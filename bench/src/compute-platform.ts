import { readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';

import { ComputeInstance } from '@unikorn/compute';
import { findCondition, labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { kubeconfigAccess, openKubernetesStore } from '@unikorn/core/store/kubernetes';
import { createTelemetry } from '@unikorn/core/telemetry';
import { systemWorld as world } from '@unikorn/core/world';
import { Server } from '@unikorn/region/kinds';

import { instancesPerProject, otherId, type Answer, type Order, type Place, type Setting } from './compute-orders.ts';
import { flavorId, furnish, imageId } from './furnish.ts';
import { thing, Thing } from './objects.ts';
import { inFile, startServices } from './services.ts';
import { inLanes, inTemporaryFolder, seconds } from './workspace.ts';

/**
 * The measured process: all services with a simulated region without delays. The store is a file with durable commits,
 * or a namespace of the Kubernetes cluster that the arguments name.
 */
const [, , kubeconfig, namespace = ''] = process.argv;

/** The reason of a failed request is only in the log. */
const telemetry = createTelemetry({
  service: 'bench',
  version: '0',
  world,
  log: { level: 'error', destination: process.stderr },
  tracing: { samplingRatio: 0 },
});

await inTemporaryFolder(async (folder) => {
  const services = await startServices(
    kubeconfig === undefined ? await inFile(folder, [Thing]) : await inCluster(kubeconfig, namespace),
    telemetry,
  );
  const { store, server, token } = services;
  const places = await furnish(services, { organizations: 8, projectsEach: 8 });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  reply({ ready: { url, token, places, flavorId, imageId } satisfies Setting });
  await orders(store, places);
  await services.stop();
});

async function inCluster(path: string, namespace: string): Promise<Store> {
  const access = await kubeconfigAccess(await readFile(path, 'utf8'));
  return openKubernetesStore({ world, telemetry, access, namespace });
}

/** Carries out orders until the parent process ends. */
async function orders(store: Store, places: readonly Place[]): Promise<void> {
  const ended = Promise.withResolvers<undefined>();
  process.on('disconnect', () => {
    ended.resolve(undefined);
  });
  process.on('message', (order: Order) => {
    void obey(store, places, order).then(
      (value) => {
        reply({ done: value });
      },
      (error: unknown) => {
        reply({ failed: String(error) });
      },
    );
  });
  await ended.promise;
}

function reply(answer: Answer): void {
  process.send?.(answer);
}

async function obey(store: Store, places: readonly Place[], order: Order): Promise<number | readonly number[]> {
  switch (order.type) {
    case 'version':
      return Number((await store.list(ComputeInstance, { limit: 1 })).resourceVersion);
    case 'resident':
      return resident_MB();
    case 'await provisioned':
      return awaitProvisioned(store, order.count);
    case 'fill':
      return fill(store, places, order.from, order.to);
    case 'plain creates':
      return (
        order.count /
        (await seconds(() => inLanes(order.lanes, order.count, (number) => store.create(Thing, thing(number)))))
      );
    case 'server changes':
      return serverChanges(store, order.count);
  }
}

/** Memory after garbage collection. */
async function resident_MB(): Promise<number> {
  const engine = new Session();
  engine.connect();
  await engine.post('HeapProfiler.collectGarbage');
  engine.disconnect();
  return process.memoryUsage().rss / 1e6;
}

/** Resolves when this many instances are provisioned and have a server. */
async function awaitProvisioned(store: Store, count: number): Promise<number> {
  const ready = new Set<string>();
  const stop = new AbortController();
  const note = ({ metadata, status }: ComputeInstance) => {
    if (status?.serverId !== undefined && findCondition(status.conditions, 'Available')?.status === 'True')
      ready.add(metadata.name);
  };
  const { items, resourceVersion: from } = await store.list(ComputeInstance);
  items.forEach(note);
  if (ready.size >= count) return ready.size;
  for await (const event of store.watch(ComputeInstance, { from, signal: stop.signal })) {
    if (event.type !== 'bookmark') note(event.object);
    if (ready.size >= count) stop.abort();
  }
  return ready.size;
}

/**
 * Instances of other projects, paused so that controllers ignore them. Their networks exist, because otherwise they
 * would be deleted.
 */
async function fill(store: Store, places: readonly Place[], from: number, to: number): Promise<number> {
  await inLanes(256, to - from, async (offset) => {
    const number = from + offset;
    const project = Math.floor(number / instancesPerProject);
    const { organizationId = '', networkId = '' } = places[project % places.length] ?? {};
    const placed = {
      [labels.organization]: organizationId,
      [labels.project]: otherId('project', project),
      [labels.network]: networkId,
      [labels.region]: 'bench',
    };
    await store.create(ComputeInstance, {
      metadata: { name: otherId('instance', number), labels: { [labels.name]: `other-${number}`, ...placed } },
      spec: { flavorId, imageId, pause: true },
    });
  });
  return to - from;
}

/**
 * Milliseconds from storing a server as stopped, or as running again, until its instance has the same state; one after
 * the other.
 */
async function serverChanges(store: Store, count: number): Promise<readonly number[]> {
  const stop = new AbortController();
  const { items, resourceVersion: from } = await store.list(Server, { limit: Math.min(count, 500) });
  const awaited = new Map<string, { readonly phase: string; readonly resolve: (shown_ms: number) => void }>();
  const watching = (async () => {
    for await (const event of store.watch(ComputeInstance, { from, signal: stop.signal })) {
      if (event.type === 'bookmark') continue;
      const { metadata, status } = event.object;
      const wanted = awaited.get(metadata.name);
      if (wanted?.phase === status?.powerState) wanted?.resolve(performance.now());
    }
  })();
  const delays: number[] = [];
  for (let number = 0; number < count; number++) {
    const { metadata: { name } = { name: '' } } = items[number % items.length] ?? {};
    const server = await store.get(Server, name);
    if (!server) throw new Error('a server no longer exists');
    const phase = server.status?.phase === 'Stopped' ? 'Running' : 'Stopped';
    const shown = Promise.withResolvers<number>();
    awaited.set(name, { phase, resolve: shown.resolve });
    await store.updateStatus(Server, { metadata: server.metadata, status: { ...server.status, phase } });
    const changed_ms = performance.now();
    delays.push((await shown.promise) - changed_ms);
  }
  stop.abort();
  await watching;
  return delays;
}
