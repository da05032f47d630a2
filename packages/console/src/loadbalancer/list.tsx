import { useParams } from '@tanstack/react-router';

import type { LoadBalancer } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ResourceList } from '../parts/resource-list.tsx';
import { codeColumn, referenceColumn } from '../parts/rows.tsx';
import { words } from '../words/index.ts';
import { DeleteLoadBalancer, LoadBalancerForm } from './form.tsx';

const texts = words.loadBalancer;
const from = '/o/$org/p/$project/load-balancers';

/** The load balancers of a project, live. */
export function LoadBalancersPage() {
  const place = useParams({ from });
  const { org, project } = place;
  const names = useNames(org, project, []);
  return (
    <ResourceList
      {...place}
      noun="load-balancers"
      path="/api/v2/loadbalancers"
      area="region:loadbalancers:v2"
      icon="loadBalancers"
      texts={texts}
      live={useLive('loadBalancers', { organization: org, project })}
      columns={[
        codeColumn<LoadBalancer>('address', texts.address, '8.5rem', ({ status }) => status.vipAddress),
        codeColumn<LoadBalancer>('publicAddress', texts.publicAddress, '8.5rem', ({ status }) => status.publicIP),
        {
          key: 'listeners',
          title: texts.listeners,
          cell: ({ spec }) => spec.listeners.map(({ name, port }) => `${name} :${port}`).join(', '),
        },
        referenceColumn<LoadBalancer>('network', texts.network, ({ status }) => names.network(status.networkId)),
      ]}
      textOf={({ metadata, status }) =>
        `${metadata.name} ${metadata.id} ${status.vipAddress ?? ''} ${status.publicIP ?? ''}`
      }
      form={(balancer, onClose) => <LoadBalancerForm {...place} {...(balancer && { balancer })} onClose={onClose} />}
      remove={(balancer, onClose) => <DeleteLoadBalancer {...place} balancer={balancer} onClose={onClose} />}
    />
  );
}
