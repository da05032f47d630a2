import { useNavigate, useParams } from '@tanstack/react-router';

import type { FileStorage } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ListPage } from '../parts/list-page.tsx';
import { useListState } from '../parts/list-state.ts';
import { conditionOf, Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
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
  const { items, freshness, error } = useLive('fileStorage', { organization: org, project });
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
        rows={freshness === 'loading' || freshness === 'refused' ? undefined : items}
        error={freshness === 'refused' ? (error ?? null) : null}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        createReason={refused('create')}
        stale={freshness === 'stale'}
        onOpen={({ metadata }) =>
          void navigate({ to: '/o/$org/p/$project/file-storage/$id', params: { org, project, id: metadata.id } })
        }
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            sort: nameOf,
            cell: (storage) => <span className="font-medium">{nameOf(storage)}</span>,
          },
          {
            key: 'status',
            title: texts.status,
            sort: (storage) => conditionOf(storage).word,
            cell: (storage) => <Status {...conditionOf(storage)} />,
          },
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

const idOf = ({ metadata }: FileStorage) => metadata.id;
const nameOf = ({ metadata }: FileStorage) => metadata.name;
const textOf = ({ metadata }: FileStorage) => `${metadata.name} ${metadata.id}`;
