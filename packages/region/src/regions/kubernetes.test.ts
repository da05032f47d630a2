import { afterEach, expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { Region, regionKinds } from '../kinds/index.ts';
import { certificateData, kubeconfigOf, startListener } from '../providers/kubernetes/cluster.fixture.ts';
import { nodeClassLabel } from '../providers/kubernetes/index.ts';
import { kubernetesRegions, Providers, type SecretReference } from './index.ts';

const cluster = await startListener(() => ({
  status: 200,
  body: { metadata: {}, items: [{ metadata: { labels: { [nodeClassLabel]: 'large' } } }] },
}));
afterEach(() => cluster.stop());

it('a region that is a cluster offers the classes of its nodes, uses the current kubeconfig of its secret, and nothing can be created in it', async () => {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: regionKinds });
  const secret: SecretReference = { namespace: 'unikorn', name: 'west' };
  let stored: Readonly<Record<string, string>> | undefined = undefined;
  const secrets = {
    read: ({ namespace, name }: SecretReference) =>
      Promise.resolve(namespace === secret.namespace && name === secret.name ? stored : undefined),
  };
  const providers = new Providers({ store, world }, { kubernetes: kubernetesRegions({ world, secrets }) });
  const nodes = [{ id: 'large', name: 'large', cpu: { count: 4 }, memory: '1Gi', disk: '1Gi' }];
  const region = await store.create(Region, {
    metadata: { name: 'west' },
    spec: { provider: 'kubernetes', kubernetes: { kubeConfigSecret: secret, nodes } },
  });

  await expect(providers.inventory(region).flavors()).rejects.toMatchObject({ kind: 'invalid' });
  stored = {
    kubeconfig: kubeconfigOf(
      { server: cluster.server, 'certificate-authority-data': certificateData },
      { token: 'token' },
    ),
  };
  expect((await providers.inventory(region).flavors()).map(({ id }) => id)).toEqual(['large']);
  expect(() => providers.cloud(region)).toThrow('offers flavors only');
  await store.close();
});
