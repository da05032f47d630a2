import { useNavigate, useParams } from '@tanstack/react-router';

import type { Network } from '@unikorn/sdk';

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
import { DeleteNetwork, NetworkForm } from './form.tsx';

const texts = words.network;
const from = '/o/$org/p/$project/networks';

/** The networks of a project, live. */
export function NetworksPage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const live = useLive('networks', { organization: org, project });
  const { items } = live;
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
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/networks/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          nameColumn(),
          statusColumn(),
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
          createdColumn(),
        ]}
        actions={[editAction(state, refused('update')), deleteAction(state, refused('delete'))]}
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

const textOf = ({ metadata, status }: Network) => `${metadata.name} ${metadata.id} ${status.prefix}`;
