import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { MigrationRecord } from '@unikorn/core/migration';
import { childOf } from '@unikorn/core/resource';
import { Saga } from '@unikorn/core/saga';
import { modify, modifyStatus } from '@unikorn/core/store';
import { conformanceKinds, expectProblem, Widget, widget } from '@unikorn/core/store/conformance';
import { kubeconfigAccess, openKubernetesStore } from '@unikorn/core/store/kubernetes';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { storeSource, survey, transfer } from '@unikorn/core/transfer';
import { systemWorld } from '@unikorn/core/world';
import { connect } from '@unikorn/sdk';

import type { Credentials } from '../../packages/unikorn/src/serve/credentials.ts';
import { freePort } from '../free-port.fixture.ts';
import { openStateForCopy } from '../../packages/unikorn/src/serve/open-store.ts';
import { silence } from '../../packages/unikorn/src/transfer/installation.ts';
import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace, defineKinds } from './store.fixture.ts';

const root = join(import.meta.dirname, '../..');
const patience_ms = 120_000;

let folder: string;
let cluster: Cluster;
let namespace: string;
/** Tokens are valid for one address, so all servers have the same. */
let port: string;
const processes = new Set<Unikorn>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-migrate-'));
  cluster = await startCluster();
  port = String(await freePort('127.0.0.1'));
  const files = await readdir(join(root, 'deploy/crds'));
  await Promise.all(
    files.map(async (file) => {
      const definition = parse(await readFile(join(root, 'deploy/crds', file), 'utf8')) as object;
      await cluster.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    }),
  );
  namespace = await createNamespace(cluster);
  await writeFile(join(folder, 'kubeconfig'), cluster.administrator, { mode: 0o600 });
}, patience_ms);
afterAll(async () => {
  for (const each of processes) await each.kill('SIGKILL');
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

function unikorn(...args: readonly string[]): Unikorn {
  const started = new Unikorn(args, {}, folder);
  processes.add(started);
  void started.ended.then(() => processes.delete(started));
  return started;
}

const sagas = '/apis/core.unikorn-cloud.org/v1alpha1/sagas';

const inCluster = (keys: string) => [
  ...['--store-namespace', namespace, '--kubeconfig', join(folder, 'kubeconfig')],
  ...['--encryption-keys', keys],
];

const environmentOf = (keys: string) => ({
  UNIKORN_STORE: 'kubernetes',
  UNIKORN_STORE_NAMESPACE: namespace,
  UNIKORN_STORE_KUBECONFIG: join(folder, 'kubeconfig'),
  UNIKORN_ENCRYPTION_KEYS: keys,
});

const keysOf = (state: string) => join(folder, state, 'encryption.key');

function migrate(from: string, to: string, state: string, ...more: readonly string[]): Unikorn {
  const keys = inCluster(keysOf('first'));
  return unikorn('migrate', '--from', from, '--to', to, '--state', join(folder, state), ...keys, ...more);
}

/** The digest that a command reports. */
async function digestOf(command: Unikorn): Promise<string> {
  const { code, errors } = await command.ended;
  expect({ code, errors }).toMatchObject({ code: 0 });
  const [, digest] = /digest ([0-9a-f]{64})/.exec(errors) ?? [];
  return digest ?? `none: ${errors}`;
}

const serveState = (state: string) => unikorn('serve', '--port', port, '--state', join(folder, state));
const serveCluster = (state: string) =>
  unikorn(
    ...['serve', '--port', port, '--state', join(folder, state), '--store', 'kubernetes'],
    ...inCluster(keysOf('first')),
  );

interface Shown {
  readonly metadata: { readonly id: string; readonly name: string; readonly provisioningStatus: string };
}

/** The product as a user with a token sees it. */
function seenBy(token: string, { endpoints }: Pick<Credentials, 'endpoints'>, organizationId = '') {
  const { compute, identity } = connect({ endpoints, token });
  const get = async (path: string) => (await compute.untyped.send('GET', path)).data;
  return {
    compute,
    get,
    instances: async () => (await get('/api/v2/instances')) as readonly Shown[],
    history: async (id: string) => get(`/api/v2/instances/${id}/history`),
    quotas: async () =>
      (await identity.untyped.send('GET', `/api/v1/organizations/${organizationId}/quotas`)).data as object,
  };
}

/** The unfinished sagas in a state that no process uses. */
async function sagasIn(state: string): Promise<number> {
  const store = await openStateForCopy({
    state: join(folder, state),
    world: systemWorld,
    telemetry: silence(systemWorld),
  });
  const { items } = await store.list(Saga);
  await store.close();
  return items.length;
}

it('objects move to Kubernetes and back with uids, times, generations, owners and marks, and its garbage collector keeps them', async () => {
  await defineKinds(cluster, conformanceKinds);
  const kinds = [...conformanceKinds, MigrationRecord];
  const memory = () => openMemoryStore({ world: systemWorld, kinds, collectsGarbage: false });
  const [from, back] = [memory(), memory()];
  const owner = await from.create(Widget, widget('b-owner', { finalizers: ['unikorn-cloud.org/test'] }));
  await from.create(Widget, widget('a-owned', { ownerReferences: [childOf(owner)], annotations: { note: 'kept' } }));
  await modify(from, Widget, 'a-owned', (current) => ({ ...current, spec: { ...current.spec, size: 7 } }));
  await modifyStatus(from, Widget, 'a-owned', ({ metadata }) => ({ metadata, status: { observedGeneration: 2 } }));
  await from.create(Widget, widget('c-waiting', { finalizers: ['unikorn-cloud.org/test'] }));
  await from.delete(Widget, 'c-waiting');
  const own = await createNamespace(cluster);
  const store = await openKubernetesStore({
    world: systemWorld,
    access: await kubeconfigAccess(cluster.administrator),
    namespace: own,
    kinds,
  });
  const { digest } = await transfer({ source: storeSource(from, kinds), target: store, kinds });
  await transfer({ source: storeSource(store, kinds), target: back, kinds });
  expect((await survey(storeSource(back, kinds))).digest).toBe(digest);

  // Later writes keep all of it, and a new object of a moved owner belongs to it.
  const moved = await modify(store, Widget, 'a-owned', (current) => ({ ...current, spec: { size: 8 } }));
  const original = await from.get(Widget, 'a-owned');
  expect(moved.metadata).toMatchObject({
    uid: original?.metadata.uid,
    creationTimestamp: original?.metadata.creationTimestamp,
    generation: 3,
    annotations: { note: 'kept' },
    ownerReferences: [childOf(owner)],
  });
  await store.create(Widget, widget('d-later', { ownerReferences: [childOf(owner)] }));
  await expectProblem(store.delete(Widget, 'd-later', { preconditions: { uid: owner.metadata.uid } }), 'conflict');
  await systemWorld.sleep(3_000);
  expect((await store.list(Widget)).items.map(({ metadata }) => metadata.name)).toEqual([
    'a-owned',
    'b-owner',
    'c-waiting',
    'd-later',
  ]);
  await modify(store, Widget, 'b-owner', ({ metadata, spec }) => ({ metadata: { ...metadata, finalizers: [] }, spec }));
  await store.delete(Widget, 'b-owner', { preconditions: { uid: owner.metadata.uid } });
  await vi.waitFor(
    async () => {
      expect((await store.list(Widget)).items.map(({ metadata }) => metadata.name)).toEqual(['c-waiting']);
    },
    { timeout: 30_000, interval: 200 },
  );
  for (const each of [from, back, store]) await each.close();
});

it(
  'an installation moves from SQLite to Kubernetes and back, with its ids, tokens, histories, ledger and unfinished sagas',
  async () => {
    const first = serveState('first');
    await first.ready();
    const credentials = first.credentials();
    const {
      token = '',
      organizationId = '',
      projectId = '',
      networkId = '',
      flavorId = '',
      imageId = '',
    } = credentials;
    const user = seenBy(token, credentials, organizationId);
    const create = async (name: string) => {
      const spec = { organizationId, projectId, networkId, flavorId, imageId };
      const { data } = await user.compute.untyped.send('POST', '/api/v2/instances', {
        body: { metadata: { name }, spec },
      });
      return (data as Shown).metadata.id;
    };
    const goneId = await create('short-lived');
    const provisioned = async () =>
      (await user.instances()).filter(({ metadata }) => metadata.provisioningStatus === 'provisioned').length;
    await vi.waitFor(
      async () => {
        expect(await provisioned()).toBe(4);
      },
      { timeout: 30_000, interval: 200 },
    );
    await user.compute.untyped.send('DELETE', `/api/v2/instances/${goneId}`);
    await vi.waitFor(
      async () => {
        expect(await user.instances()).toHaveLength(4);
      },
      { timeout: 30_000, interval: 200 },
    );
    const [{ metadata: web } = { metadata: { id: '', name: '' } }] = await user.instances();
    const [historyOfWeb, historyOfGone] = [await user.history(web.id), await user.history(goneId)];
    const before = await user.get('/api/v2/deletedinstances');

    const busy = await migrate('sqlite', 'kubernetes', 'first').ended;
    expect(busy.errors).toContain('is in use by another process');

    // The answers of these requests never arrive.
    const requests = Array.from({ length: 20 }, (_, count) => create(`cut-${count}`).catch(() => undefined));
    await Promise.race(requests);
    await first.kill('SIGKILL');
    expect(await sagasIn('first')).toBeGreaterThan(0);

    const nothing = await migrate('kubernetes', 'sqlite', 'nowhere').ended;
    expect(nothing.errors).toContain('the source has no objects');
    const digest = await digestOf(migrate('sqlite', 'kubernetes', 'first', '--dry-run'));
    const interrupted = migrate('sqlite', 'kubernetes', 'first');
    const records = `/apis/core.unikorn-cloud.org/v1alpha1/namespaces/${namespace}/migrationrecords`;
    await vi.waitFor(
      async () => {
        expect(await cluster.call('GET', `${records}/core-import`)).toMatchObject({ status: 200 });
      },
      { timeout: 30_000, interval: 5 },
    );
    await systemWorld.sleep(100);
    await interrupted.kill('SIGKILL');
    const early = await serveCluster('early').ended;
    expect(early.errors).toContain('an import into this store is not complete');
    expect(await digestOf(migrate('sqlite', 'kubernetes', 'first'))).toBe(digest);
    expect(await digestOf(migrate('kubernetes', 'sqlite', 'back'))).toBe(digest);
    const again = await migrate('sqlite', 'kubernetes', 'back').ended;
    expect(again.errors).toContain('the target is not empty');

    const second = serveCluster('second');
    await second.ready();
    const moved = seenBy(token, second.credentials(), organizationId);
    expect(await moved.history(web.id)).toEqual(historyOfWeb);
    expect(await moved.history(goneId)).toEqual(historyOfGone);
    expect(await moved.get('/api/v2/deletedinstances')).toEqual(before);
    const used = migrate('kubernetes', 'sqlite', 'used');
    // Every saga is completed or undone, and every instance that is left is charged.
    await vi.waitFor(
      async () => {
        expect(await cluster.call('GET', `${sagas}?limit=1`)).toMatchObject({ body: { items: [] } });
        const left = await moved.instances();
        expect(await moved.quotas()).toMatchObject({
          quotas: expect.arrayContaining([
            expect.objectContaining({ kind: 'servers', committed: left.length }) as object,
          ]) as object,
        });
      },
      { timeout: 90_000, interval: 500 },
    );
    expect((await used.ended).errors).toContain('the installation is in use by');
    const copy = join(folder, 'copy');
    expect(await unikorn('backup', copy, '--store', 'kubernetes', ...inCluster(keysOf('first'))).ended).toMatchObject({
      code: 0,
    });
    const doctor = await new Unikorn(['doctor', '-o', 'json'], environmentOf(keysOf('first')), folder).ended;
    expect(JSON.parse(doctor.output)).toEqual(
      expect.arrayContaining(
        ['store', 'kinds', 'import', 'encryption keys', 'parts'].map(
          (name) => expect.objectContaining({ name, verdict: 'good' }) as object,
        ),
      ),
    );
    // The garbage collector of Kubernetes keeps objects whose owners were moved.
    const owned = await moved.instances();
    expect(owned.map(({ metadata }) => metadata.id)).toContain(web.id);
    await second.kill('SIGTERM');

    // A backup of Kubernetes is restored to both stores.
    const restored = await unikorn('restore', copy, '--state', join(folder, 'restored')).ended;
    expect(restored).toMatchObject({ code: 0 });
    const elsewhere = await createNamespace(cluster);
    const toCluster = ['--store', 'kubernetes', '--kubeconfig', join(folder, 'kubeconfig')];
    expect(
      await unikorn(
        ...['restore', copy, ...toCluster, '--store-namespace', elsewhere],
        ...['--encryption-keys', keysOf('first')],
      ).ended,
    ).toMatchObject({ code: 0 });

    // After the key was replaced, the earlier one is not needed any more.
    const [newKey, both] = [join(folder, 'new-key'), join(folder, 'both-keys')];
    const line = `${Buffer.alloc(32, 9).toString('base64url')}\n`;
    await writeFile(newKey, line);
    await writeFile(both, line + (await readFile(keysOf('first'), 'utf8')));
    const rekeyed = await unikorn('rekey', '--store', 'kubernetes', ...inCluster(both)).ended;
    expect(rekeyed.errors).toContain('the other keys are not needed any more');
    const there = await digestOf(
      unikorn(
        ...['migrate', '--from', 'kubernetes', '--to', 'sqlite', '--state', join(folder, 'third')],
        ...inCluster(newKey),
      ),
    );
    expect(there).not.toBe(digest);
    const third = serveState('third');
    await third.ready();
    const returned = seenBy(token, third.credentials(), organizationId);
    expect((await returned.instances()).map(({ metadata }) => metadata.id)).toEqual(
      owned.map(({ metadata }) => metadata.id),
    );
    expect(await returned.history(goneId)).toEqual(historyOfGone);
  },
  2 * patience_ms,
);
