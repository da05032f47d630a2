import { join } from 'node:path';

import { Caches } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { Providers, Region, regionKinds } from '@unikorn/region';
import { Server } from '@unikorn/region/kinds';
import { regionMonitors } from '@unikorn/region/monitor';
import {
  OpenstackIdentity,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '@unikorn/region/providers/openstack';

import { recordedAddress, recordedServer, startRecordedCloud, type Project } from './openstack-recording.ts';
import { percentile, type Figure } from './report.ts';
import { many, smoke } from './scale.ts';
import { inLanes, inTemporaryFolder } from './workspace.ts';

const world = systemWorld;
const serversPerPrincipal = 50;
const concurrency = 8;
const rounds = smoke ? 2 : 12;

/** Servers of many principals, in a store and in a recorded cloud. */
async function populate(store: Store, regionId: string, servers: number): Promise<ReadonlyMap<string, Project>> {
  const projects = new Map<string, Project>();
  await inLanes(16, Math.ceil(servers / serversPerPrincipal), async () => {
    const identityId = world.uuid();
    const labelled = {
      [labels.organization]: world.uuid(),
      [labels.project]: world.uuid(),
      [labels.region]: regionId,
    };
    const ids = Array.from({ length: serversPerPrincipal }, () => world.uuid());
    projects.set(identityId, {
      servers: ids.map(recordedServer),
      floatingips: ids.map((_, number) => recordedAddress(number)),
    });
    await store.create(OpenstackIdentity, {
      metadata: { name: identityId, labels: labelled },
      // The recorded cloud gives each project the id of its principal.
      spec: { projectID: identityId, userID: identityId, password: 'recorded', sshKeyName: 'recorded' },
    });
    await Promise.all(
      ids.map((id) =>
        store.create(Server, {
          metadata: { name: id, labels: { ...labelled, [labels.identity]: identityId, [labels.network]: identityId } },
          spec: { flavorID: 'f', image: { id: 'i' }, networks: [{ id: identityId }] },
        }),
      ),
    );
  });
  return projects;
}

interface Pass {
  /** Of the processor, in seconds. The work of the recorded cloud is in it, as in that of bare requests. */
  readonly work: number;
  readonly calls: readonly string[];
}

function workSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

/** The passes of the monitor. The first one writes every status and logs in; the others find nothing new. */
async function passesOf(
  store: Store,
  regionId: string,
  { endpoint, between }: { readonly endpoint: string; readonly between: (pass: number) => Promise<void> },
): Promise<readonly Pass[]> {
  const telemetry = silentTelemetry();
  const caches = new Caches({ store, world, telemetry });
  const secret = { 'domain-id': 'd', 'project-id': 'region', 'user-id': 'u', password: 'recorded' };
  let calls: string[] = [];
  const region = new OpenstackRegion({
    regionId,
    store,
    world,
    telemetry,
    settings: { endpoint },
    secret: () => Promise.resolve(secret),
    onCall: ({ method, path }) => calls.push(`${method} ${path.split('?')[0] ?? ''}`),
  });
  const provider = openstackProvider(region);
  const providers = new Providers({ store, world }, { openstack: () => ({ tier: 'cloud', provider }) });
  const stop = new AbortController();
  const passes: Pass[] = [];
  let begun = process.cpuUsage();
  // The monitor sleeps when a pass is over.
  const sleep = async () => {
    passes.push({ work: workSince(begun), calls });
    calls = [];
    if (passes.length > 2 * rounds) stop.abort();
    await between(passes.length);
    begun = process.cpuUsage();
  };
  const [monitor] = regionMonitors(
    { store, telemetry, caches, providers, world: { ...world, sleep } },
    { monitorPeriod_ms: 60_000, monitorConcurrency: concurrency },
  );
  const caching = caches.run(stop.signal);
  await caches.whenSynced();
  begun = process.cpuUsage();
  await monitor?.run(stop.signal);
  await caching;
  await region.close();
  return passes;
}

/** The work to read and parse the same lists with bare requests, with the concurrency of a pass. */
async function bareLists(endpoint: string, projects: readonly string[]): Promise<number> {
  const root = endpoint.replace(/\/identity$/, '');
  const begun = process.cpuUsage();
  await inLanes(concurrency, projects.length, async (number) => {
    const headers = { 'x-auth-token': projects[number] ?? '' };
    for (const path of ['/compute/v2.1/servers/detail', '/network/v2.0/floatingips'])
      await (await fetch(`${root}${path}`, { headers })).json();
  });
  return workSince(begun);
}

/** What a pass costs, in calls of the cloud and in time. */
export function openstackMonitorFigures(progress: (text: string) => void): Promise<readonly Figure[]> {
  const servers = many(10_000, 100);
  return inTemporaryFolder(async (folder) => {
    const store = await openSqliteStore({
      path: join(folder, 'state.db'),
      world,
      telemetry: silentTelemetry(),
      kinds: [...new Set([...regionKinds, ...openstackKinds])],
    });
    const regionId = world.uuid();
    progress(`storing ${servers.toLocaleString('en')} servers`);
    const projects = await populate(store, regionId, servers);
    const cloud = await startRecordedCloud(projects);
    const endpoint = `${cloud.address}/identity`;
    try {
      await store.create(Region, {
        metadata: { name: regionId, labels: { [labels.name]: 'bench' } },
        spec: {
          provider: 'openstack',
          openstack: { endpoint, serviceAccountSecret: { namespace: 'bench', name: 'bench' } },
        },
      });
      progress(`monitor passes over ${servers.toLocaleString('en')} servers`);
      // In the first half of the later passes all lists are as before, in the second half each one has changed.
      const bare: number[] = [];
      const [first, ...later] = await passesOf(store, regionId, {
        endpoint,
        between: async (pass) => {
          bare.push(await bareLists(endpoint, [...projects.keys()]));
          if (pass > rounds) cloud.change();
        },
      });
      const baseline = { name: 'the same lists with bare requests', value: percentile(bare, 0.5) };
      const typical = (passes: readonly Pass[]) =>
        percentile(
          passes.map(({ work }) => work),
          0.5,
        );
      const [unchanged, changed] = [typical(later.slice(0, rounds)), typical(later.slice(rounds))];
      const calls = later[0]?.calls ?? [];
      const lists = calls.filter((call) => call.endsWith('/servers/detail')).length;
      if (first === undefined || lists === 0) throw new Error('the monitor did not list servers');
      const principals = projects.size;
      const settings = `${servers.toLocaleString('en')} servers of ${principals.toLocaleString('en')} principals`;
      const shown = { settings, unit: 'calls' };
      return [
        {
          ...shown,
          name: 'monitor pass, lists of servers',
          value: lists,
          baseline: { name: 'principals', value: principals },
          goal: { text: 'one detailed list for each principal', met: lists === principals, decides: true },
        },
        {
          ...shown,
          name: 'monitor pass, all calls',
          value: calls.length,
          baseline: { name: 'principals', value: principals },
          goal: {
            text: 'two for each principal, at most one for flavors',
            met: calls.length <= 2 * principals + 1,
            decides: true,
          },
        },
        {
          ...shown,
          name: 'first pass, all calls, with tokens and versions',
          value: first.calls.length,
          baseline: { name: 'principals', value: principals },
        },
        {
          settings,
          unit: 's of CPU',
          name: 'monitor pass, the lists are as before',
          value: unchanged,
          baseline,
          goal: { text: 'at most 1.10 times', met: unchanged <= baseline.value * 1.1 },
        },
        { settings, unit: 's of CPU', name: 'monitor pass, each list has changed', value: changed, baseline },
        {
          settings,
          unit: 's of CPU',
          name: 'first pass, which logs in and writes every status',
          value: first.work,
          baseline,
        },
      ];
    } finally {
      await cloud.stop();
      await store.close();
    }
  });
}
