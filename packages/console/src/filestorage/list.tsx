import { useNavigate, useParams } from '@tanstack/react-router';

import type { FileStorage } from '@unikorn/sdk';

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
import { number, words } from '../words/index.ts';
import { DeleteFileStorage, FileStorageForm } from './form.tsx';

const texts = words.fileStorage;
const from = '/o/$org/p/$project/file-storage';

/** The file storage of a project, live. */
export function FileStoragePage() {
  const { org, project } = useParams({ from });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const live = useLive('fileStorage', { organization: org, project });
  const { items } = live;
  const names = useNames(org, project, []);
  const chosen = items.find(({ metadata }) => metadata.id === state.search.id);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('region:filestorage:v2', verb, project) ? undefined : words.parts.missingRight;
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="fileStorage"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/file-storage/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          nameColumn(),
          statusColumn(),
          {
            key: 'size',
            title: texts.size,
            width: '7rem',
            sort: ({ spec }) => spec.sizeGiB,
            cell: ({ spec }) => <span className="tabular">{texts.sizeText(number(spec.sizeGiB))}</span>,
          },
          {
            key: 'networks',
            title: texts.networks,
            cell: ({ spec }) => (spec.attachments?.networkIds ?? []).map(names.network).join(', ') || '–',
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
      {dialog === 'new' && <FileStorageForm org={org} project={project} onClose={state.close} />}
      {dialog === 'edit' && chosen && (
        <FileStorageForm org={org} project={project} storage={chosen} onClose={state.close} />
      )}
      {dialog === 'delete' && chosen && (
        <DeleteFileStorage org={org} project={project} storage={chosen} onClose={state.close} />
      )}
    </>
  );
}

const textOf = ({ metadata }: FileStorage) => `${metadata.name} ${metadata.id}`;
