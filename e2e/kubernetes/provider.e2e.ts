import { afterAll, beforeAll, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';
import { kubernetesProvider, nodeClassLabel, type NodeClass } from '@unikorn/region/providers/kubernetes';

import { startCluster, type Cluster } from './cluster.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const nodeClasses: readonly NodeClass[] = ['small', 'large', 'none'].map((id) => ({
  id,
  name: id,
  cpu: {},
  memory: '64Gi',
  disk: '1Ti',
}));

/** Creates a node as its kubelet would. */
async function addNode(
  name: string,
  nodeClass: string | undefined,
  { cpu, architecture }: { cpu: string; architecture: string },
): Promise<void> {
  const labels = {
    'kubernetes.io/arch': architecture,
    ...(nodeClass === undefined ? {} : { [nodeClassLabel]: nodeClass }),
  };
  expect(await cluster.call('POST', '/api/v1/nodes', { metadata: { name, labels } })).toMatchObject({ status: 201 });
  const status = { capacity: { cpu, memory: '64Gi', pods: '110' }, nodeInfo: { architecture } };
  expect(
    await cluster.call('PATCH', `/api/v1/nodes/${name}/status`, { status }, 'application/merge-patch+json'),
  ).toMatchObject({ status: 200 });
}

async function removeNode(name: string): Promise<void> {
  expect(await cluster.call('DELETE', `/api/v1/nodes/${name}`)).toMatchObject({ status: 200 });
}

function regionWith(kubeconfig: string) {
  const world = virtualWorld();
  const provider = kubernetesProvider({ world, nodeClasses, kubeconfig: () => Promise.resolve(kubeconfig) });
  return {
    world,
    offered: async () => (await provider.flavors()).map(({ id, cpus, architecture }) => [id, cpus, architecture]),
  };
}

it('node classes are flavors from their first node until a minute after their last one', async () => {
  const { world, offered } = regionWith(cluster.administrator);
  expect(await offered()).toEqual([]);
  await addNode('a', 'small', { cpu: '16', architecture: 'amd64' });
  await addNode('b', 'large', { cpu: '96', architecture: 'arm64' });
  await addNode('c', 'large', { cpu: '95900m', architecture: 'arm64' });
  await addNode('d', undefined, { cpu: '8', architecture: 'amd64' });
  await addNode('e', 'unheard-of', { cpu: '8', architecture: 'amd64' });
  await world.advance(60_000);
  const both = [
    ['small', 16, 'x86_64'],
    ['large', 95, 'aarch64'],
  ];
  expect(await offered()).toEqual(both);

  await removeNode('a');
  await removeNode('b');
  expect(await offered()).toEqual(both);
  await world.advance(60_000);
  expect(await offered()).toEqual([['large', 95, 'aarch64']]);
  for (const name of ['c', 'd', 'e']) await removeNode(name);
});

it('a cluster with more nodes than one page is read completely', async () => {
  const names = Array.from({ length: 260 }, (_, index) => `node-${String(index).padStart(3, '0')}`);
  const last = names.at(-1);
  await Promise.all(
    names.map((name) => addNode(name, name === last ? 'large' : 'small', { cpu: '4', architecture: 'amd64' })),
  );
  expect(await regionWith(cluster.administrator).offered()).toEqual([
    ['small', 4, 'x86_64'],
    ['large', 4, 'x86_64'],
  ]);
  await Promise.all(names.map(removeNode));
});

it('a token only needs the right to list nodes', async () => {
  const role = {
    metadata: { name: 'node-lister' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
  };
  const subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'stranger' };
  const binding = {
    metadata: role.metadata,
    roleRef: { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: 'node-lister' },
    subjects: [subject],
  };
  const token = regionWith(cluster.holderOf(cluster.strangersToken));
  await expect(token.offered()).rejects.toMatchObject({ kind: 'permission' });

  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  expect(await cluster.call('POST', `${rbac}/clusterroles`, role)).toMatchObject({ status: 201 });
  expect(await cluster.call('POST', `${rbac}/clusterrolebindings`, binding)).toMatchObject({ status: 201 });
  await addNode('a', 'small', { cpu: '16', architecture: 'amd64' });
  await expect
    .poll(() => token.offered().catch(() => 'refused'), { timeout: 10_000 })
    .toEqual([['small', 16, 'x86_64']]);
  await removeNode('a');
});

it('credentials that the cluster does not know are a permission failure', async () => {
  await expect(regionWith(cluster.holderOf('nobody')).offered()).rejects.toMatchObject({ kind: 'permission' });
});

it('a kubeconfig without the certificate authority of the cluster is not used', async () => {
  await expect(regionWith(cluster.gullible).offered()).rejects.toMatchObject({ kind: 'inconsistent' });
});

it('a cluster that is down is unavailable', async () => {
  const other = await startCluster();
  const { offered } = regionWith(other.administrator);
  await other.stop();
  await expect(offered()).rejects.toMatchObject({ kind: 'unavailable' });
});
