import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { connect } from '@unikorn/sdk';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace } from './store.fixture.ts';

const root = join(import.meta.dirname, '../..');
const patience_ms = 150_000;

let folder: string;
let cluster: Cluster;
let namespace: string;
const processes = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-product-'));
  cluster = await startCluster();
  for (const file of await readdir(join(root, 'deploy/crds'))) {
    const definition = parse(await readFile(join(root, 'deploy/crds', file), 'utf8')) as object;
    await cluster.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  namespace = await createNamespace(cluster);
  await writeFile(join(folder, 'kubeconfig'), cluster.administrator, { mode: 0o600 });
  await writeFile(join(folder, 'keys'), `${Buffer.alloc(32, 7).toString('base64url')}\n`, { mode: 0o600 });
}, patience_ms);
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts all parts in one process, and waits until it is ready. Nothing but the store and the keys is kept. */
async function serve(name: string) {
  const state = join(folder, name);
  const child = spawn(
    process.execPath,
    [
      join(root, 'packages/unikorn/src/main.ts'),
      'serve',
      ...['--port', '0', '--state', state, '--store', 'kubernetes', '--store-namespace', namespace],
      ...['--kubeconfig', join(folder, 'kubeconfig'), '--encryption-keys', join(folder, 'keys')],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  processes.add(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => {
      resolve();
    });
    child.once('close', () => {
      reject(new Error(`the server ended: ${log}`));
    });
  });
  const { endpoints, adminToken } = JSON.parse(await readFile(join(state, 'credentials.json'), 'utf8')) as {
    endpoints: Record<'identity' | 'region' | 'compute', string>;
    adminToken: string;
  };
  const client = connect({ endpoints, token: adminToken });
  const instances = async () => {
    const { data } = await client.compute.untyped.send('GET', '/api/v2/instances');
    return data as readonly { metadata: { id: string; name: string; provisioningStatus: string } }[];
  };
  return { child, instances };
}

it(
  'the product runs on Kubernetes: the demo is provisioned, and a new process goes on after the first was killed',
  async () => {
    const first = await serve('first');
    await vi.waitFor(
      async () => {
        const states = (await first.instances()).map(({ metadata }) => metadata.provisioningStatus);
        expect(states.filter((state) => state === 'provisioned').length).toBeGreaterThanOrEqual(2);
      },
      { timeout: patience_ms, interval: 1_000 },
    );
    const before = (await first.instances()).map(({ metadata }) => metadata.id).toSorted();
    first.child.kill('SIGKILL');
    const second = await serve('second');
    expect((await second.instances()).map(({ metadata }) => metadata.id).toSorted()).toEqual(before);
  },
  2 * patience_ms,
);
