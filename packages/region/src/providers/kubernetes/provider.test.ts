import { afterEach, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';

import { certificateData, kubeconfigOf, startListener } from './cluster.fixture.ts';
import { nodeClassLabel } from './nodes.ts';
import { kubernetesProvider } from './provider.ts';

type Answer = Parameters<typeof startListener>[0];

let cluster: Awaited<ReturnType<typeof startListener>> | undefined;
afterEach(() => cluster?.stop());

const node = { metadata: { labels: { [nodeClassLabel]: 'large' } } };
const oneNode = { status: 200, body: { metadata: {}, items: [node] } };

async function regionOn(answer: Answer, { authority = true, path = '', demandsCertificate = false } = {}) {
  cluster = await startListener(answer, { demandsCertificate });
  const world = virtualWorld();
  const kubeconfig = kubeconfigOf(
    { server: cluster.server + path, ...(authority ? { 'certificate-authority-data': certificateData } : {}) },
    { token: 'secret' },
  );
  const nodeClasses = [{ id: 'large', name: 'large', cpu: { count: 64 }, memory: '1Gi', disk: '1Gi' }];
  return {
    world,
    asked: cluster.asked,
    provider: kubernetesProvider({ world, nodeClasses, kubeconfig: () => Promise.resolve(kubeconfig) }),
  };
}

it('nodes are listed by class, page by page, and never changed', async () => {
  const { provider, asked } = await regionOn(
    ({ url }) =>
      url.searchParams.has('continue') ? oneNode : { status: 200, body: { metadata: { continue: 'more' }, items: [] } },
    { path: '/clusters/a/' },
  );
  expect((await provider.flavors()).map(({ id }) => id)).toEqual(['large']);
  expect(await provider.volumeClasses()).toEqual([]);
  expect(
    asked.map(({ url, authorization }) => [url.pathname, authorization, Object.fromEntries(url.searchParams)]),
  ).toEqual([
    ['/clusters/a/api/v1/nodes', 'Bearer secret', { labelSelector: nodeClassLabel, limit: '250' }],
    ['/clusters/a/api/v1/nodes', 'Bearer secret', { labelSelector: nodeClassLabel, limit: '250', continue: 'more' }],
  ]);
});

it('concurrent requests share one call, and the answer is cached for a minute', async () => {
  const { provider, asked, world } = await regionOn(() => oneNode);
  const answers = await Promise.all([provider.flavors(), provider.flavors(), provider.flavors()]);
  expect(answers.map(({ length }) => length)).toEqual([1, 1, 1]);
  await world.advance(59_999);
  await provider.flavors();
  expect(asked).toHaveLength(1);
  await world.advance(1);
  await provider.flavors();
  expect(asked).toHaveLength(2);
});

it('a failure is not cached', async () => {
  let broken = true;
  const { provider } = await regionOn(() => (broken ? { status: 500, body: 'secret' } : oneNode));
  await expect(provider.flavors()).rejects.toMatchObject({ kind: 'unavailable' });
  broken = false;
  expect(await provider.flavors()).toHaveLength(1);
});

it.each([
  [401, {}, 'permission'],
  [403, {}, 'permission'],
  [404, {}, 'invalid'],
  [302, {}, 'invalid'],
  [200, 'a login page', 'invalid'],
  [200, { items: 'secret' }, 'invalid'],
  [410, {}, 'transient'],
  [429, {}, 'unavailable'],
  [503, {}, 'unavailable'],
])('an answer of %i with %j is %s', async (status, body, kind) => {
  const { provider } = await regionOn(() => ({ status, body }));
  const failure: unknown = await provider.flavors().catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ProviderFailure', kind });
  expect(String(failure)).not.toContain('secret');
});

it('a cluster that does not answer is given up after ten seconds', async () => {
  const { provider, world, asked } = await regionOn(() => undefined);
  const failure = provider.flavors().catch((error: unknown) => error);
  while (asked.length === 0) await world.turn();
  await world.advance(10_000);
  expect(await failure).toMatchObject({ kind: 'unavailable' });
});

it('a cluster that is not trusted never gets the token', async () => {
  const { provider, asked } = await regionOn(() => oneNode, { authority: false });
  await expect(provider.flavors()).rejects.toMatchObject({ kind: 'inconsistent' });
  expect(asked).toEqual([]);
});

it('a cluster that requires a certificate and gets none is a permission failure', async () => {
  const { provider } = await regionOn(() => oneNode, { demandsCertificate: true });
  await expect(provider.flavors()).rejects.toMatchObject({ kind: 'permission' });
});

it('a cluster where nothing listens is unavailable', async () => {
  const { provider } = await regionOn(() => oneNode);
  await cluster?.stop();
  await expect(provider.flavors()).rejects.toMatchObject({ kind: 'unavailable' });
});

it.each<[string, () => Promise<string | undefined>, string]>([
  ['is missing', () => Promise.resolve(undefined), 'invalid'],
  ['cannot be read', () => Promise.reject(new Error('EACCES /secret')), 'unavailable'],
])('a kubeconfig that %s is a failure like any other', async (_, kubeconfig, kind) => {
  const failure: unknown = await kubernetesProvider({ world: virtualWorld(), nodeClasses: [], kubeconfig })
    .flavors()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ProviderFailure', kind });
  expect(String(failure)).not.toContain('secret');
});
