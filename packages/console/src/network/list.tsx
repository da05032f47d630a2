import { useNavigate, useParams } from '@tanstack/react-router';

import type { Network } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { conditionOf, Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';
import { DeleteNetwork, NetworkForm } from './form.tsx';

const texts = words.network;
const from = '/o/$org/p/$project/networks';

/** The networks of a project, live. */
export function NetworksPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const { items, freshness, error } = useLive('networks', { organization: org, project });
  const names = useNames(org, project, []);
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('region:networks:v2', verb, project) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="networks"
        state={state}
        rows={freshness === 'loading' || freshness === 'refused' ? undefined : items}
        error={freshness === 'refused' ? (error ?? null) : null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        stale={freshness === 'stale'}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/networks/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (network) => <span className="font-medium">{nameOf(network)}</span>,
          },
          {
            key: 'status',
            title: texts.status,
            sort: (network) => conditionOf(network).word,
            cell: (network) => <Status {...conditionOf(network)} />,
          },
          {
            key: 'prefix',
            title: texts.prefix,
            width: '9rem',
            cell: ({ status }) => <span className="font-mono text-sm">{status.prefix}</span>,
          },
          {
            key: 'region',
            title: texts.region,
            sort: ({ status }) => names.region(status.regionId),
            cell: ({ status }) => names.region(status.regionId),
          },
          {
            key: 'created',
            title: words.parts.created,
            width: '8rem',
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
      {dialog === 'new' && <NetworkForm org={org} project={project} onClose={state.close} />}
      {dialog === 'edit' && chosen && (
        <NetworkForm org={org} project={project} network={chosen} onClose={state.close} />
      )}
      {dialog === 'delete' && chosen && (
        <DeleteNetwork org={org} project={project} network={chosen} onClose={state.close} />
      )}
    </>
  );
}

const idOf = ({ metadata }: Network) => metadata.id;
const nameOf = ({ metadata }: Network) => metadata.name;
const textOf = ({ metadata, status }: Network) => `${metadata.name} ${metadata.id} ${status.prefix}`;
