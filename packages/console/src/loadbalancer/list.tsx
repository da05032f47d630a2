import { useNavigate, useParams } from '@tanstack/react-router';

import type { LoadBalancer } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import {
  createdColumn,
  deleteAction,
  editAction,
  idOf,
  liveRows,
  nameColumn,
  nameOf,
  statusColumn,
} from '../parts/rows.tsx';
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
  const live = useLive('loadBalancers', { organization: org, project });
  const { items } = live;
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
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/load-balancers/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          nameColumn(),
          statusColumn(),
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
          createdColumn(),
        ]}
        actions={[editAction(state, refused('update')), deleteAction(state, refused('delete'))]}
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

const textOf = ({ metadata, status }: LoadBalancer) =>
  `${metadata.name} ${metadata.id} ${status.vipAddress ?? ''} ${status.publicIP ?? ''}`;
