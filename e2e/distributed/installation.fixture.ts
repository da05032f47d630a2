import type { Kind } from '@unikorn/core/kinds';

import { kubeconfigOf } from '../../packages/region/src/providers/kubernetes/cluster.fixture.ts';
import { controlPlaneKinds } from '../../packages/unikorn/src/serve/control-plane.ts';
import type { Cluster } from '../kubernetes/cluster.fixture.ts';
import { createNamespace, defineKinds } from '../kubernetes/store.fixture.ts';

/**
 * A namespace for the platform, with all its kinds, and a service account that may use them in this namespace and
 * nothing else.
 */
export async function install(cluster: Cluster) {
  await defineKinds(
    cluster,
    controlPlaneKinds.filter(({ group }) => group !== 'coordination.k8s.io'),
  );
  const namespace = await createNamespace(cluster);
  const create = async (path: string, body: object): Promise<unknown> => {
    const answer = await cluster.call('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const authorization = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'unikorn' } });
  await create(`${authorization}/roles`, { metadata: { name: 'unikorn' }, rules: controlPlaneKinds.map(ruleFor) });
  await create(`${authorization}/rolebindings`, {
    metadata: { name: 'unikorn' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'unikorn' },
    subjects: [{ kind: 'ServiceAccount', name: 'unikorn', namespace }],
  });
  const issued = (await create(`/api/v1/namespaces/${namespace}/serviceaccounts/unikorn/token`, {
    spec: { expirationSeconds: 3_600 },
  })) as { status: { token: string } };
  const { url, authority } = cluster.target;
  return {
    namespace,
    apiServerPort: Number(new URL(url).port),
    kubeconfig: (port: number) =>
      kubeconfigOf(
        {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': Buffer.from(authority).toString('base64'),
        },
        { token: issued.status.token },
      ),
  };
}

function ruleFor({ group, plural }: Kind): object {
  return {
    apiGroups: [group],
    resources: [plural, `${plural}/status`],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'delete', ...(plural === 'leases' ? ['patch'] : [])],
  };
}
