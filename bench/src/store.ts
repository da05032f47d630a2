import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';

import { matching, type Store } from '@unikorn/core/store';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { labels } from '@unikorn/core/resource';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { network, thing, Thing } from './objects.ts';
import { percentile, type Figure, type Suite } from './report.ts';
import { many, repeats } from './scale.ts';
import { fill, inLanes, inTemporaryFolder, seconds, withStore } from './workspace.ts';

const createsPerRun = many(8_000);
const creates = (writers: number) => (writers === 1 ? many(1_500) : createsPerRun);

/** The best of several rounds, to reduce the influence of other processes. */
async function best(measure: () => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < repeats; round++) results.push(await measure());
  return Math.max(...results);
}

function storeCreates(writers: number): Promise<number> {
  return withStore(
    async (store) =>
      creates(writers) /
      (await seconds(() => inLanes(writers, creates(writers), (number) => store.create(Thing, thing(number))))),
  );
}

/** The same rows in the same tables, written by the bare engine on this thread, with this many objects per commit. */
function bareCreates(batch: number): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const path = join(folder, 'state.db');
    const store = await openSqliteStore({ path, world: systemWorld, telemetry: silentTelemetry(), kinds: [Thing] });
    await store.close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const insert = database.prepare('INSERT INTO objects (kind, name, version, data) VALUES (1, ?, ?, ?)');
    const label = database.prepare('INSERT INTO labels (kind, position, value, name) VALUES (1, ?, ?, ?)');
    const log = database.prepare(
      "INSERT INTO changes (version, kind, type, data, previous) VALUES (?, 1, 'added', ?, NULL)",
    );
    const total = creates(batch);
    const elapsed = await seconds(async () => {
      for (let start = 0; start < total; start += batch) {
        database.exec('BEGIN IMMEDIATE');
        for (let number = start; number < Math.min(start + batch, total); number++) {
          const object = thing(number);
          const { name, labels: values = {} } = object.metadata;
          const data = JSON.stringify({ apiVersion: Thing.apiVersion, kind: Thing.kind, ...object });
          insert.run(name, number + 2, data);
          for (const [position, key] of Thing.indexedLabels.entries()) label.run(position, values[key] ?? '', name);
          log.run(number + 2, data);
        }
        database.exec('COMMIT');
        // Other work of the process can run between commits.
        await systemWorld.turn();
      }
    });
    database.close();
    return total / elapsed;
  });
}

async function measureCreates(writers: number): Promise<Figure> {
  const value = await best(() => storeCreates(writers));
  const baseline = await best(() => bareCreates(writers));
  const wanted = writers >= 64;
  return {
    name: 'durable creates',
    settings: `${writers} concurrent writer${writers === 1 ? '' : 's'}, 2 KB, 3 indexed labels`,
    value,
    unit: '/s',
    baseline: { name: `bare engine, ${writers} per commit`, value: baseline },
    ...(wanted ? { goal: { text: 'at least 0.6 of the bare engine', met: value / baseline >= 0.6 } } : {}),
  };
}

/** The 99th percentile of the event loop delay during the work. */
async function loopDelay_ms(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.percentile(99) / 1e6;
}

async function measureLoop(): Promise<Figure> {
  const writers = 64;
  return {
    name: 'event loop delay while writing, p99',
    settings: `${writers} concurrent writers`,
    value: await loopDelay_ms(() => storeCreates(writers)),
    unit: 'ms',
    baseline: { name: 'bare engine on this thread', value: await loopDelay_ms(() => bareCreates(writers)) },
  };
}

interface Reads {
  readonly get_us: number;
  readonly list_us: number;
}

async function measureReads(store: Store, stored: number): Promise<Reads> {
  const rounds = many(4_000);
  const lists = many(400);
  const pick = (round: number, of: number) => (round * 7919) % of;
  const run = async (): Promise<Reads> => ({
    get_us:
      (1e6 *
        (await seconds(() =>
          inLanes(1, rounds, (round) => store.get(Thing, thing(pick(round, stored)).metadata.name)),
        ))) /
      rounds,
    list_us:
      (1e6 *
        (await seconds(() =>
          inLanes(1, lists, (round) =>
            store.list(Thing, {
              selector: matching({ [labels.network]: network(pick(round, stored / 50)) }),
              limit: 50,
            }),
          ),
        ))) /
      lists,
  });
  const runs: Reads[] = [];
  for (let round = 0; round < repeats; round++) runs.push(await run());
  return { get_us: Math.min(...runs.map((one) => one.get_us)), list_us: Math.min(...runs.map((one) => one.list_us)) };
}

async function reads(progress: (text: string) => void): Promise<Figure[]> {
  const [less, more] = [many(1_000, 100), many(100_000, 500)];
  progress(`filling ${less} and ${more} objects`);
  const small = await withStore(async (store) => {
    await fill(store, less);
    return measureReads(store, less);
  });
  const large = await withStore(async (store) => {
    await fill(store, more);
    return measureReads(store, more);
  });
  const figure = (name: string, value: number, baseline: number): Figure => ({
    name,
    settings: `${more.toLocaleString('en')} objects stored`,
    value,
    unit: 'µs',
    baseline: { name: `${less.toLocaleString('en')} stored`, value: baseline },
    goal: { text: 'at most 1.5 × as long', met: value / baseline <= 1.5 },
  });
  return [figure('get by id', large.get_us, small.get_us), figure('list 50 by label', large.list_us, small.list_us)];
}

/** The time from the call of the write until each watcher has its event. */
async function watchDelays(watchers: number, writes: number): Promise<number[]> {
  return withStore(async (store) => {
    const { resourceVersion } = await store.list(Thing, { limit: 1 });
    const stop = new AbortController();
    const delays: number[] = [];
    let written = 0;
    let seen = Promise.withResolvers<undefined>();
    let missing = watchers;
    const follow = async () => {
      for await (const event of store.watch(Thing, { from: resourceVersion, signal: stop.signal })) {
        if (event.type === 'bookmark') continue;
        delays.push(performance.now() - written);
        if (--missing === 0) seen.resolve(undefined);
      }
    };
    const following = Array.from({ length: watchers }, follow);
    for (let number = 0; number < writes; number++) {
      seen = Promise.withResolvers();
      missing = watchers;
      written = performance.now();
      await store.create(Thing, thing(number));
      await seen.promise;
    }
    stop.abort();
    await Promise.all(following);
    return delays;
  });
}

async function watching(): Promise<Figure> {
  const watchers = many(1_000);
  const shared = await watchDelays(watchers, 50);
  const one = await watchDelays(1, many(200));
  return {
    name: `one write seen by ${watchers.toLocaleString('en')} watchers, p99`,
    settings: 'durable write to event delivered',
    value: percentile(shared, 0.99),
    unit: 'ms',
    baseline: { name: 'one watcher', value: percentile(one, 0.99) },
  };
}

export const storeSuite: Suite = {
  name: 'store',
  async run(progress) {
    const figures: Figure[] = [];
    for (const writers of [1, 16, 64, 256]) {
      progress(`durable creates with ${writers} writers, compared with the bare engine`);
      figures.push(await measureCreates(writers));
    }
    progress('event loop delay');
    figures.push(await measureLoop());
    figures.push(...(await reads(progress)));
    progress('one write, 1,000 watchers');
    figures.push(await watching());
    return figures;
  },
};
