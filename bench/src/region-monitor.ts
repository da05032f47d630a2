import { join } from 'node:path';

import { Caches } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { Providers, Region, regionKinds } from '@unikorn/region';
import { Server } from '@unikorn/region/kinds';
import { regionMonitors } from '@unikorn/region/monitor';
import {
  defaultCatalogue,
  nameOf,
  simulatedKinds,
  SimulatedObject,
  simulatedOperator,
  simulatedProvider,
} from '@unikorn/region/providers/simulated';

import type { Figure } from './report.ts';
import { many } from './scale.ts';
import { inLanes, inTemporaryFolder, seconds } from './workspace.ts';

/** The typical number for a network of a busy project. */
const serversPerIdentity = 50;
const [{ id: flavorId } = { id: '' }] = defaultCatalogue.flavors;
const [{ id: imageId } = { id: '' }] = defaultCatalogue.images;
const world = systemWorld;

function withRegion<T>(work: (store: Store, regionId: string) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const store = await openSqliteStore({
      path: join(folder, 'state.db'),
      world,
      telemetry: silentTelemetry(),
      kinds: [...regionKinds, ...simulatedKinds],
    });
    const regionId = world.uuid();
    await store.create(Region, {
      metadata: { name: regionId, labels: { [labels.name]: 'bench' } },
      spec: { provider: 'simulated' },
    });
    await simulatedOperator({ store, world, regionId }).turn({
      call_ms: 0,
      build_ms: 0,
      places: { [flavorId]: 10_000_000 },
    });
    try {
      return await work(store, regionId);
    } finally {
      await store.close();
    }
  });
}

/**
 * Servers in networks of their own, in the store and in the cloud. Only the first of each network is really created
 * there; the others are copies of it, which is enough for the monitor.
 */
async function populate(store: Store, regionId: string, servers: number): Promise<void> {
  const provider = simulatedProvider({ store, world, regionId });
  const [organizationId, projectId] = [world.uuid(), world.uuid()];
  await inLanes(64, servers / serversPerIdentity, async () => {
    const identity = { id: world.uuid(), organizationId, projectId };
    const [networkId, first] = [world.uuid(), world.uuid()];
    await provider.identities.ensure(identity);
    await provider.networks.ensure(identity, {
      id: networkId,
      prefix: '10.0.0.0/16',
      reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
      dnsNameservers: [],
      routes: [],
    });
    await provider.servers.ensure(identity, {
      id: first,
      name: 'server',
      flavorId,
      imageId,
      networkId,
      securityGroupIds: [],
      publicIP: 'unwanted',
      allowedAddressPairs: [],
      keyPair: 'none',
      metadata: {},
    });
    const carried = {
      [labels.organization]: organizationId,
      [labels.project]: projectId,
      [labels.region]: regionId,
      [labels.identity]: identity.id,
      [labels.network]: networkId,
    };
    const stored = (id: string) =>
      store.create(Server, {
        metadata: { name: id, labels: carried },
        spec: { flavorID: flavorId, image: { id: imageId }, networks: [{ id: networkId }] },
      });
    const model = await store.get(SimulatedObject, nameOf(regionId, identity.id, 'server', first));
    if (!model) throw new Error('the cloud does not have the server that it has just created');
    const copies = Array.from({ length: serversPerIdentity - 1 }, () => world.uuid());
    await Promise.all([
      ...[first, ...copies].map(stored),
      ...copies.map((id) =>
        store.create(SimulatedObject, {
          metadata: { name: world.uuid(), labels: model.metadata.labels ?? {} },
          spec: { ...model.spec, id },
        }),
      ),
    ]);
  });
}

interface Passes {
  /** All states are new and are written. */
  readonly first_us: number;
  /** Nothing has changed. */
  readonly idle_us: number;
  /**
   * The baseline of the two: the same number of status writes with the same concurrency, and the same number of reads.
   */
  readonly writes_us: number;
  readonly reads_us: number;
}

const concurrency = 8;

/** Microseconds per server. */
function measurePasses(servers: number, progress: (text: string) => void): Promise<Passes> {
  return withRegion(async (store, regionId) => {
    progress(`storing ${servers.toLocaleString('en')} servers`);
    await populate(store, regionId, servers);
    progress(`monitor passes over ${servers.toLocaleString('en')} servers`);
    const each_us = (elapsed: number) => (1e6 * elapsed) / servers;
    const { first, idle } = await passes(store, regionId);
    return {
      first_us: each_us(first),
      idle_us: each_us(idle),
      writes_us: each_us(await bareWrites(store)),
      reads_us: each_us(await bareReads(store)),
    };
  });
}

/** Seconds of the first pass, and of the fastest of some later ones. */
async function passes(store: Store, regionId: string): Promise<{ readonly first: number; readonly idle: number }> {
  const telemetry = silentTelemetry();
  const caches = new Caches({ store, world, telemetry });
  const provider = simulatedProvider({ store, world, regionId });
  const providers = new Providers({ store, world }, { simulated: () => ({ tier: 'cloud', provider }) });
  const stop = new AbortController();
  const durations: number[] = [];
  let begun = 0;
  // The monitor sleeps when a pass is over.
  const sleep = () => {
    durations.push((performance.now() - begun) / 1000);
    begun = performance.now();
    if (durations.length === 4) stop.abort();
    return Promise.resolve();
  };
  const [monitor] = regionMonitors(
    { store, telemetry, caches, providers, world: { ...world, sleep } },
    { monitorPeriod_ms: 60_000, monitorConcurrency: concurrency },
  );
  const caching = caches.run(stop.signal);
  await caches.whenSynced();
  begun = performance.now();
  await monitor?.run(stop.signal);
  await caching;
  const [first = Number.NaN, ...others] = durations;
  return { first, idle: Math.min(...others) };
}

/** Seconds to read every record of the cloud from the store. */
async function bareReads(store: Store): Promise<number> {
  return seconds(async () => {
    let next: string | undefined;
    do {
      const page = await store.list(SimulatedObject, { limit: 500, ...defined({ continue: next }) });
      next = page.continue;
    } while (next !== undefined);
  });
}

/** Seconds to write the same number of statuses of the same size, with the concurrency of a pass. */
async function bareWrites(store: Store): Promise<number> {
  const servers: Resource<typeof Server>[] = [];
  let next: string | undefined;
  do {
    const page = await store.list(Server, { limit: 500, ...defined({ continue: next }) });
    servers.push(...page.items);
    next = page.continue;
  } while (next !== undefined);
  return seconds(() =>
    inLanes(concurrency * serversPerIdentity, servers.length, async (number) => {
      const { metadata, status } = servers[number] ?? {};
      if (metadata && status) await store.updateStatus(Server, { metadata, status: { ...status, phase: 'Stopped' } });
    }),
  );
}

/** The cost of a pass per server, and that it does not depend on the number of servers. */
export async function monitorFigures(progress: (text: string) => void): Promise<readonly Figure[]> {
  const [less, more] = [many(10_000), many(100_000)];
  const few = await measurePasses(less, progress);
  const lots = await measurePasses(more, progress);
  const figure = (name: string, servers: number, value: number, baseline: NonNullable<Figure['baseline']>): Figure => ({
    name,
    settings: `${servers.toLocaleString('en')} servers, ${serversPerIdentity} to a network`,
    value,
    unit: 'µs',
    baseline,
  });
  const same = (name: string, value: number, before: number): Figure => ({
    ...figure(name, more, value, { name: `${less.toLocaleString('en')} servers`, value: before }),
    goal: { text: `the same cost as with ${less.toLocaleString('en')} (within 1.5 ×)`, met: value / before <= 1.5 },
  });
  const [pass, first] = ['monitor pass, for each server', 'first pass, which writes every status'];
  return [
    figure(pass, less, few.idle_us, { name: 'reading its record from the store', value: few.reads_us }),
    figure(pass, more, lots.idle_us, { name: 'reading its record from the store', value: lots.reads_us }),
    same(pass, lots.idle_us, few.idle_us),
    figure(first, less, few.first_us, { name: 'writing the statuses', value: few.writes_us }),
    figure(first, more, lots.first_us, { name: 'writing the statuses', value: lots.writes_us }),
    same(first, lots.first_us, few.first_us),
  ];
}
