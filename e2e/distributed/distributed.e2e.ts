import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { systemWorld } from '@unikorn/core/world';

import { startCluster, type Cluster } from '../kubernetes/cluster.fixture.ts';
import { openStore } from '../kubernetes/store.fixture.ts';
import { examine, settled } from './examination.fixture.ts';
import { install } from './installation.fixture.ts';
import { User } from './load.fixture.ts';
import { settle } from './place.fixture.ts';
import { startPlatform, type Platform } from './platform.fixture.ts';
import { Random } from './random.fixture.ts';
import { Client } from './traffic.fixture.ts';

const seed = Number(process.env['UNIKORN_SEED'] ?? Math.floor(systemWorld.random() * 1_000_000));
const folder = mkdtempSync(join(tmpdir(), 'unikorn-distributed-'));
let cluster: Cluster | undefined;
let platform: Platform | undefined;
let client: Client | undefined;
let namespace: string;
let passed = false;

beforeAll(async () => {
  console.log(`seed ${seed} (set UNIKORN_SEED to repeat it); logs in ${folder}`);
  mkdirSync(join(folder, 'cluster'));
  cluster = await startCluster({ folder: join(folder, 'cluster') });
  const installation = await install(cluster);
  namespace = installation.namespace;
  platform = await startPlatform({ ...installation, folder });
  client = new Client(platform.replicas);
});
afterAll(async () => {
  client?.stop();
  await platform?.stop();
  await cluster?.stop();
  if (passed) rmSync(folder, { recursive: true, force: true });
});

it('nothing is lost or done twice while processes are killed', async () => {
  if (!cluster || !platform || !client) throw new Error('nothing runs');
  const random = new Random(seed);
  const driver = client;
  const place = await settle(client, platform.adminToken);
  const users = ['ann', 'ben', 'eve'].map((name, index) => new User(name, driver, place, new Random(seed + index + 1)));
  const stop = new AbortController();
  const working = Promise.all(users.map((user) => user.work(stop.signal)));
  try {
    await systemWorld.sleep(5_000);
    const replica = random.pick(platform.replicas);
    console.log(`kill -9 ${replica.name}`);
    await replica.stop('SIGKILL');
    await systemWorld.sleep(5_000);
    await replica.start();
    await systemWorld.sleep(5_000);
  } finally {
    stop.abort();
    await working;
  }
  console.log(
    client.counts,
    Object.fromEntries(users.flatMap((user) => [...user.done].map(([key, value]) => [`${user.name} ${key}`, value]))),
  );
  const store = await openStore(cluster, namespace);
  try {
    await settled(client, place, users, store);
    expect(await examine(client, place, users, store)).toEqual([]);
  } finally {
    await store.close();
  }
  passed = true;
});
