import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';

import { systemWorld } from '@unikorn/core/world';
import { platformToken } from '@unikorn/identity';

import { startCluster, type Cluster } from '../kubernetes/cluster.fixture.ts';
import { openStore } from '../kubernetes/store.fixture.ts';
import { describeServiceContract, type Ground } from '../product/contract.fixture.ts';
import type { Product } from '../product/running.fixture.ts';
import { lives } from '../product/terraform/lives.fixture.ts';
import { describeConfiguration, describeLives, live } from '../product/terraform/sequences.fixture.ts';
import { startTerraform, type Stage } from '../product/terraform/stage.fixture.ts';
import { simulatedRegion } from '../product/test-region.fixture.ts';
import { platformProduct } from './clients.fixture.ts';
import { unnoticed, type Unnoticed } from './faults.fixture.ts';
import { install } from './installation.fixture.ts';
import { startPlatform, type Platform } from './platform.fixture.ts';
import { Random } from './random.fixture.ts';

/*
 * The contract replay and the Terraform sequences of e2e/product, while processes fail in ways that a client with one
 * simple rule does not notice: it sends a request again if it certainly had no effect.
 */

const seed = Number(process.env['UNIKORN_SEED'] ?? Math.floor(systemWorld.random() * 1_000_000));
const folder = mkdtempSync(join(tmpdir(), 'unikorn-distributed-clients-'));
/** The controllers may be away for longer than a lease, and the next leader may be on a busy machine. */
const patience_ms = 240_000;
const replay_ms = 900_000;
const succeeded = new Set<string>();
let hasFailed = false;
let cluster: Cluster;
let platform: Platform;
let product: Product;
let stage: Stage;
let faults: Unnoticed | undefined;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  console.log(`seed ${seed} (set UNIKORN_SEED to repeat it); logs in ${folder}`);
  mkdirSync(join(folder, 'cluster'));
  cluster = await startCluster({ folder: join(folder, 'cluster') });
  stops.push(() => cluster.stop());
  const installation = await install(cluster);
  platform = await startPlatform({ ...installation, folder, layout: 'wide' });
  stops.push(() => platform.stop());
  const store = await openStore(cluster, installation.namespace);
  product = await platformProduct(platform.replicas, await platformToken({ store, world: systemWorld }));
  await store.close();
  stops.push(() => product.stop());
  stage = await startTerraform(product, { ...simulatedRegion(product), patience_ms });
  faults = unnoticed(platform.replicas, new Random(seed));
});
afterAll(async () => {
  await faults?.stop();
  for (const each of stops.toReversed()) await each();
  if (!hasFailed) rmSync(folder, { recursive: true, force: true });
});

afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail';
});

const ground = (): Ground => ({ product, ...simulatedRegion(product), patience_ms });

describeLives(() => stage, lives);
describeConfiguration(() => stage, 'with files');
for (const service of ['identity', 'region', 'compute'] as const)
  describeServiceContract(service, ground, { succeeded, patience_ms: replay_ms });

describe('the faults', () => {
  it('all happened while clients worked', async () => {
    // Usually they have happened before. On a fast machine the clients continue until then.
    while (faults?.isComplete === false) for (const life of lives) await live(stage, life);
    await faults?.stop();
  });
});
