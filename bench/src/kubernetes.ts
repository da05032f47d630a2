import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { Pool } from 'undici';

import { Caches } from '@unikorn/core/controller';
import { customResourceDefinition, type Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';
import { kubeconfigAccess, openKubernetesStore } from '@unikorn/core/store/kubernetes';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';

import { serverPath, setup } from '../../e2e/kubernetes/build.ts';
import { startCluster, type Cluster } from '../../e2e/kubernetes/cluster.fixture.ts';
import { measureCreates as measureInstanceCreates, startPlatform, type Platform } from './compute.ts';
import { network, thing, Thing } from './objects.ts';
import { percentile, type Figure, type Suite } from './report.ts';
import { many, repeats, wanted } from './scale.ts';
import { serviceKinds } from './services.ts';
import { inLanes, inTemporaryFolder, seconds } from './workspace.ts';

const writers = 64;
const creates = many(1_000);

/** The objects of a namespace, with a store and with plain requests. */
interface Stage {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly store: Store;
}

let namespaces = 0;

async function withStage<T>(cluster: Cluster, work: (stage: Stage) => Promise<T>): Promise<T> {
  const namespace = `bench-${namespaces++}`;
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const store = await openIn(cluster, namespace);
  try {
    return await work({ cluster, namespace, store });
  } finally {
    await store.close();
  }
}

async function openIn({ administrator }: Cluster, namespace: string): Promise<Store> {
  const access = await kubeconfigAccess(administrator);
  return openKubernetesStore({ world, telemetry: silentTelemetry(), access, namespace });
}

/** How plain requests reach the API server: on as many connections as there are writers, or on one with HTTP/2. */
type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** The same objects, written with plain requests. */
async function bareCreates({ cluster: { target }, namespace }: Stage, protocol: Protocol = 'HTTP/1.1'): Promise<void> {
  const { authority: ca, certificate: cert, key } = target;
  const connect = { secureContext: createSecureContext({ ca, cert, key }) };
  const pool = new Pool(
    target.url,
    protocol === 'HTTP/1.1'
      ? { connections: writers, connect, allowH2: false }
      : { connections: 1, pipelining: writers, connect, allowH2: true },
  );
  const path = `/apis/${Thing.apiVersion}/namespaces/${namespace}/${Thing.plural}`;
  await inLanes(writers, creates, async (number) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: Thing.apiVersion, kind: Thing.kind, ...thing(number) }),
    });
    await body.json();
    if (statusCode !== 201) throw new Error(`the API server answered ${statusCode}`);
  });
  await pool.close();
}

/** Both in turn, because the speed of a shared machine changes. */
async function measureCreates(cluster: Cluster): Promise<Figure> {
  const rates: { readonly engine: number; readonly bare: number }[] = [];
  for (let round = 0; round < repeats; round++) {
    const bare = creates / (await withStage(cluster, (stage) => seconds(() => bareCreates(stage))));
    const engine =
      creates /
      (await withStage(cluster, ({ store }) =>
        seconds(() => inLanes(writers, creates, (number) => store.create(Thing, thing(number)))),
      ));
    rates.push({ engine, bare });
  }
  const value = Math.max(...rates.map(({ engine }) => engine));
  const baseline = Math.max(...rates.map(({ bare }) => bare));
  return {
    name: 'creates in Kubernetes',
    settings: `${writers} concurrent writers, 2 KB`,
    value,
    unit: '/s',
    baseline: { name: 'plain requests', value: baseline },
    goal: { text: 'at least 0.7 of plain requests', met: value / baseline >= 0.7 },
  };
}

/** Both in turn. The engine uses HTTP/1.1, so this only shows what another protocol would change. */
async function measureProtocols(cluster: Cluster): Promise<Figure> {
  const rates: Record<Protocol, number[]> = { 'HTTP/1.1': [], 'HTTP/2': [] };
  for (let round = 0; round < repeats; round++) {
    for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
      const took_s = await withStage(cluster, (stage) => seconds(() => bareCreates(stage, protocol)));
      rates[protocol].push(creates / took_s);
    }
  }
  return {
    name: 'plain creates over one HTTP/2 connection',
    settings: `${writers} concurrent writers, 2 KB`,
    value: Math.max(...rates['HTTP/2']),
    unit: '/s',
    baseline: { name: `${writers} connections with HTTP/1.1`, value: Math.max(...rates['HTTP/1.1']) },
  };
}

/** Instances on this engine, and the same instances on SQLite right before. */
async function measureInstances(cluster: Cluster, progress: (text: string) => void): Promise<Figure[]> {
  const load = { callers: writers, warmUp: many(50, 10), creates: many(300, 20) };
  const measured = async (platform: Platform) => {
    try {
      return await measureInstanceCreates(platform, load);
    } finally {
      await platform.end();
    }
  };
  progress('instances on SQLite');
  const sqlite = await measured(await startPlatform());
  progress('instances on Kubernetes');
  await define(cluster, serviceKinds);
  const namespace = `bench-${namespaces++}`;
  await cluster.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const kubernetes = await inTemporaryFolder(async (folder) => {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, cluster.administrator, { mode: 0o600 });
    return measured(await startPlatform({ kubeconfig, namespace }));
  });
  const settings = `${writers} concurrent callers, controllers at work`;
  return [
    {
      name: 'instances created',
      settings,
      value: kubernetes.created,
      unit: '/s',
      baseline: { name: 'on SQLite', value: sqlite.created },
    },
    {
      name: 'instances requested and provisioned',
      settings: `${settings}, ${kubernetes.writes.toFixed(1)} writes each, ${sqlite.writes.toFixed(1)} on SQLite`,
      value: kubernetes.provisioned,
      unit: '/s',
      baseline: { name: 'on SQLite', value: sqlite.provisioned },
    },
  ];
}

/** Defines the kinds, and waits until they can be used. Leases are kinds of Kubernetes itself. */
async function define(cluster: Cluster, kinds: readonly Kind[]): Promise<void> {
  const own = kinds.filter(({ group }) => group !== 'coordination.k8s.io');
  for (const kind of own)
    await cluster.call(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      customResourceDefinition(kind),
    );
  for (const kind of own)
    while ((await cluster.call('GET', `/apis/${kind.apiVersion}/${kind.plural}`)).status !== 200)
      await world.sleep(100);
}

/** The time from the call of a write until a cache of another process has the object. */
async function measureWatch(cluster: Cluster): Promise<Figure> {
  return withStage(cluster, async ({ store, namespace }) => {
    const other = await openIn(cluster, namespace);
    const caches = new Caches({ store: other, world, telemetry: silentTelemetry() });
    const cache = caches.of(Thing);
    const stop = new AbortController();
    const running = caches.run(stop.signal);
    await caches.whenSynced();
    const begun = new Map<string, number>();
    const delays: number[] = [];
    const writes: number[] = [];
    cache.subscribe(({ object }) => {
      delays.push(performance.now() - (begun.get(object.metadata.name) ?? Number.NaN));
    });
    const perSecond = 200;
    const total = many(2_000);
    const first = performance.now();
    const pending: Promise<void>[] = [];
    for (let number = 0; number < total; number++) {
      await world.sleep(Math.max(0, first + (number * 1000) / perSecond - performance.now()));
      const draft = thing(number);
      const start = performance.now();
      begun.set(draft.metadata.name, start);
      pending.push(
        store.create(Thing, draft).then(() => {
          writes.push(performance.now() - start);
        }),
      );
    }
    await Promise.all(pending);
    while (delays.length < total) await world.sleep(10);
    stop.abort();
    await running;
    await other.close();
    const value = percentile(delays, 0.99);
    return {
      name: 'from a write to a cache of another process, p99',
      settings: `${perSecond} writes/s`,
      value,
      unit: 'ms',
      baseline: { name: 'the write alone', value: percentile(writes, 0.99) },
      goal: { text: 'under 100 ms', met: value < 100 },
    };
  });
}

/** Lists by label, from the API server and from the copy of the engine, and the memory of a cache. */
async function measureMany(cluster: Cluster, progress: (text: string) => void): Promise<Figure[]> {
  const [less, more] = [many(1_000, 100), many(20_000, 500)];
  const inspector = new Session();
  inspector.connect();
  const heap_MB = async () => {
    await inspector.post('HeapProfiler.collectGarbage');
    return process.memoryUsage().heapUsed / 1e6;
  };
  const list_ms = async (store: Store, stored: number, cached: boolean) => {
    const rounds = many(100);
    const pick = (round: number) => network((round * 7919) % (stored / 50));
    const took_s = await seconds(() =>
      inLanes(1, rounds, (round) =>
        store.list(Thing, { selector: matching({ [labels.network]: pick(round) }), limit: 50, cached }),
      ),
    );
    return (1000 * took_s) / rounds;
  };
  return withStage(cluster, async ({ store, namespace }) => {
    progress(`storing ${more.toLocaleString('en')} objects`);
    await inLanes(writers, less, (number) => store.create(Thing, thing(number)));
    const short = await list_ms(store, less, false);
    // The first list fills the copy.
    await store.list(Thing, { limit: 2, cached: true });
    const shortCached = await list_ms(store, less, true);
    await inLanes(writers, more - less, (number) => store.create(Thing, thing(less + number)));
    const long = await list_ms(store, more, false);
    const longCached = await list_ms(store, more, true);
    const other = await openIn(cluster, namespace);
    const before = await heap_MB();
    const caches = new Caches({ store: other, world, telemetry: silentTelemetry() });
    caches.of(Thing);
    const stop = new AbortController();
    const running = caches.run(stop.signal);
    await caches.whenSynced();
    const cached = (await heap_MB()) - before;
    stop.abort();
    await running;
    await other.close();
    inspector.disconnect();
    return [
      {
        name: 'list 50 by label from the API server',
        settings: `${more.toLocaleString('en')} objects stored`,
        value: long,
        unit: 'ms',
        baseline: { name: `${less.toLocaleString('en')} stored`, value: short },
      },
      {
        name: 'list 50 by label, cached',
        settings: `${more.toLocaleString('en')} objects stored`,
        value: longCached,
        unit: 'ms',
        baseline: { name: `${less.toLocaleString('en')} stored`, value: shortCached },
      },
      {
        name: 'memory of a cache of 100,000 objects',
        settings: `2 KB each, from ${more.toLocaleString('en')} objects`,
        value: (cached * 100_000) / more,
        unit: 'MB',
      },
    ];
  });
}

/** It needs the API server of `e2e/kubernetes`, which takes minutes to build once. */
export const kubernetesSuite: Suite = {
  name: 'kubernetes',
  onDemand: true,
  async run(progress) {
    if (!wanted.includes('kubernetes') && !existsSync(await serverPath())) {
      progress('skipped, because the API server is not built: npm run test:kubernetes builds it');
      return [];
    }
    await setup();
    const cluster = await startCluster();
    try {
      await define(cluster, [Thing]);
      const figures: Figure[] = [];
      // A measurement takes minutes, so its figures are shown at once: a later one may fail.
      const show = (...measured: readonly Figure[]) => {
        figures.push(...measured);
        for (const { name, value, unit, baseline } of measured)
          progress(
            `${name}: ${value.toPrecision(3)} ${unit}${baseline ? `, ${baseline.name}: ${baseline.value.toPrecision(3)} ${unit}` : ''}`,
          );
      };
      progress(`creates with ${writers} writers, compared with plain requests`);
      show(await measureCreates(cluster));
      progress('from a write to a cache');
      show(await measureWatch(cluster));
      progress('HTTP/2 and many connections');
      show(await measureProtocols(cluster));
      show(...(await measureMany(cluster, progress)));
      show(...(await measureInstances(cluster, progress)));
      return figures;
    } finally {
      await cluster.stop();
    }
  },
};
