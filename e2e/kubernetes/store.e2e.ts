import { afterAll, beforeAll } from 'vitest';

import { conformanceKinds, describeStore } from '@unikorn/core/store/conformance';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { alternating, defineKinds, kubernetesHarness, openStore } from './store.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await defineKinds(cluster, conformanceKinds);
});
afterAll(() => cluster.stop());

describeStore(
  'Kubernetes',
  kubernetesHarness(
    () => cluster,
    (namespace, options) => openStore(cluster, namespace, options),
  ),
);

describeStore('Kubernetes, every operation through another one of two stores, as with several processes', {
  several: true,
  ...kubernetesHarness(
    () => cluster,
    async (namespace, options) =>
      alternating([await openStore(cluster, namespace, options), await openStore(cluster, namespace, options)]),
  ),
});
