import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Store } from '@unikorn/core/store';
import { systemWorld } from '@unikorn/core/world';
import { platformToken } from '@unikorn/identity';

import { startCluster, type Cluster } from '../kubernetes/cluster.fixture.ts';
import { openStore } from '../kubernetes/store.fixture.ts';
import { examine, settled } from './examination.fixture.ts';
import { oneByOne, say, together } from './faults.fixture.ts';
import { install } from './installation.fixture.ts';
import { LeaseWatch, overlaps, refusedCalls } from './leaders.fixture.ts';
import { User, type Place } from './load.fixture.ts';
import { settle } from './place.fixture.ts';
import { startPlatform, type Platform } from './platform.fixture.ts';
import { Random } from './random.fixture.ts';
import { examineReplicas, examineRevocation } from './replicas.fixture.ts';
import { Client } from './traffic.fixture.ts';

const seed = Number(process.env['UNIKORN_SEED'] ?? Math.floor(systemWorld.random() * 1_000_000));
const folder = mkdtempSync(join(tmpdir(), 'unikorn-distributed-'));
let cluster: Cluster;
let platform: Platform;
let client: Client;
let store: Store;
let place: Place;
let adminToken: string;
let passed = false;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  console.log(`seed ${seed} (set UNIKORN_SEED to repeat it); logs in ${folder}`);
  mkdirSync(join(folder, 'cluster'));
  cluster = await startCluster({ folder: join(folder, 'cluster') });
  stops.push(() => cluster.stop());
  const installation = await install(cluster);
  say('the API server has all kinds');
  platform = await startPlatform({ ...installation, folder });
  say('the platform runs');
  stops.push(() => platform.stop());
  client = new Client(platform.replicas);
  stops.push(() => {
    client.stop();
  });
  store = await openStore(cluster, installation.namespace);
  stops.push(() => store.close());
  adminToken = await platformToken({ store, world: systemWorld });
  place = await settle(client, adminToken);
});
afterAll(async () => {
  for (const each of stops.toReversed()) await each();
  if (passed) rmSync(folder, { recursive: true, force: true });
});

it('each replica continues what another one began', () => examineReplicas(platform.replicas, place));

it('a revoked token and lost rights are refused by every replica, and their streams end', () =>
  examineRevocation(platform.replicas, client, place, adminToken));

it('nothing is lost or done twice while processes and the API server fail', async () => {
  const { replicas } = platform;
  const random = new Random(seed);
  const leases = new LeaseWatch(store);
  const users = ['ann', 'ben', 'eve'].map((name, index) => new User(name, client, place, new Random(seed + index + 1)));
  const stop = new AbortController();
  const working = Promise.all(users.map((user) => user.work(stop.signal)));
  try {
    await systemWorld.sleep(beforeFaults_ms);
    const isOver = () => users.some(({ surprises }) => surprises.length > 0);
    const programme = process.env['UNIKORN_FAULTS'] === 'together' ? together : oneByOne;
    await programme({ replicas, random, isOver, restartApiServer });
  } finally {
    stop.abort();
    await working;
  }
  say('the faults are over');
  console.log('requests', client.counts, answersOf(users));
  await settled(client, place, users, store);
  say('everything is idle');
  const differences = await examine(client, place, users, store);
  await leases.stop();
  console.log('leases', leases.counts, 'work of two leaders at once, according to the logs:', overlaps(replicas));
  console.log('calls that were not made, because another process may have led:', refusedCalls(replicas));
  expect([...differences, ...leases.faults]).toEqual([]);
  passed = true;
});

/** Each user has some objects by then. */
const beforeFaults_ms = 3_000;

async function restartApiServer(): Promise<void> {
  cluster.process.kill('SIGKILL');
  await cluster.ended;
  cluster = await startCluster({ folder: join(folder, 'cluster') });
}

/** How often the users got each answer. */
function answersOf(users: readonly User[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { done } of users) for (const [answer, count] of done) counts[answer] = (counts[answer] ?? 0) + count;
  return counts;
}
