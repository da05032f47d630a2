import { useNavigate, useParams } from '@tanstack/react-router';

import type { LoadBalancer } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { conditionOf, Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';
import { DeleteLoadBalancer, LoadBalancerForm } from './form.tsx';

const texts = words.loadBalancer;
const from = '/o/$org/p/$project/load-balancers';

/** The load balancers of a project, live. */
export function LoadBalancersPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const { items, freshness, error } = useLive('loadBalancers', { organization: org, project });
  const names = useNames(org, project, []);
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('region:loadbalancers:v2', verb, project) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="loadBalancers"
        state={state}
        rows={freshness === 'loading' || freshness === 'refused' ? undefined : items}
        error={freshness === 'refused' ? (error ?? null) : null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        stale={freshness === 'stale'}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/load-balancers/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (balancer) => <span className="font-medium">{nameOf(balancer)}</span>,
          },
          {
            key: 'status',
            title: texts.status,
            sort: (balancer) => conditionOf(balancer).word,
            cell: (balancer) => <Status {...conditionOf(balancer)} />,
          },
          {
            key: 'address',
            title: texts.address,
            width: '8.5rem',
            cell: ({ status }) => <span className="font-mono text-sm">{status.vipAddress ?? '–'}</span>,
          },
          {
            key: 'publicAddress',
            title: texts.publicAddress,
            width: '8.5rem',
            cell: ({ status }) => <span className="font-mono text-sm">{status.publicIP ?? '–'}</span>,
          },
          {
            key: 'listeners',
            title: texts.listeners,
            cell: ({ spec }) => spec.listeners.map(({ name, port }) => `${name} :${port}`).join(', '),
          },
          {
            key: 'network',
            title: texts.network,
            sort: ({ status }) => names.network(status.networkId),
            cell: ({ status }) => names.network(status.networkId),
          },
          {
            key: 'created',
            title: words.parts.created,
            width: '7rem',
            sort: ({ metadata }) => -Date.parse(metadata.creationTime),
            cell: ({ metadata }) => <Time at={metadata.creationTime} />,
          },
        ]}
        actions={[
          {
            title: words.parts.edit,
            icon: 'edit',
            reason: () => refused('update'),
            run: ({ metadata }) => {
              state.open('edit', metadata.id);
            },
          },
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            reason: () => refused('delete'),
            run: ({ metadata }) => {
              state.open('delete', metadata.id);
            },
          },
        ]}
      />
      {dialog === 'new' && <LoadBalancerForm org={org} project={project} onClose={state.close} />}
      {dialog === 'edit' && chosen && (
        <LoadBalancerForm org={org} project={project} balancer={chosen} onClose={state.close} />
      )}
      {dialog === 'delete' && chosen && (
        <DeleteLoadBalancer org={org} project={project} balancer={chosen} onClose={state.close} />
      )}
    </>
  );
}

const idOf = ({ metadata }: LoadBalancer) => metadata.id;
const nameOf = ({ metadata }: LoadBalancer) => metadata.name;
const textOf = ({ metadata, status }: LoadBalancer) =>
  `${metadata.name} ${metadata.id} ${status.vipAddress ?? ''} ${status.publicIP ?? ''}`;
