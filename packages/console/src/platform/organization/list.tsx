import { useNavigate } from '@tanstack/react-router';

import type { Organization } from '@unikorn/sdk';

import { useLive } from '../../live/use-live.ts';
import { ListPage, type RowAction } from '../../parts/list-page.tsx';
import { useChosen, useListState } from '../../parts/list-state.ts';
import {
  askedBelow,
  createdColumn,
  deleteAction,
  editAction,
  idOf,
  liveRows,
  nameColumn,
  nameOf,
  statusColumn,
} from '../../parts/rows.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { DeleteOrganization, OrganizationForm } from './form.tsx';

const texts = platformWords.organizations;

const pageOf = ({ metadata }: Organization) => `/platform/organizations/${metadata.id}`;

/** The tenants of the platform, live. */
export function OrganizationsPage() {
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(undefined);
  const live = useLive('organizations', {});
  const chosen = useChosen(state, (id) => live.byId.get(id));
  const to = (title: string, icon: RowAction<Organization>['icon'], page: string): RowAction<Organization> => ({
    title,
    icon,
    run: ({ metadata }) => {
      const path: string = `/o/${metadata.id}/${page}`;
      void navigate({ to: path });
    },
  });
  const { dialog } = state.search;
  return (
    <>
      <ListPage
        texts={texts}
        icon="organizations"
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={({ metadata, spec }) =>
          `${metadata.name} ${metadata.id} ${metadata.description ?? ''} ${spec.domain ?? ''}`
        }
        createReason={rights.mayGlobally('identity:organizations', 'create') ? undefined : words.parts.missingRight}
        onOpen={(row) => void navigate({ to: pageOf(row) })}
        columns={[
          nameColumn(pageOf),
          statusColumn(),
          { key: 'type', title: texts.type, cell: ({ spec }) => texts.types[spec.organizationType] },
          { key: 'domain', labelled: true, title: texts.domain, cell: ({ spec }) => spec.domain ?? '–' },
          createdColumn(),
        ]}
        asked={askedBelow('identity', '/api/v1/organizations')}
        actions={[
          to(texts.projects, 'projects', 'projects'),
          to(texts.people, 'people', 'users'),
          to(texts.quotas, 'quotas', 'quotas'),
          editAction(state),
          deleteAction(state),
        ]}
      />
      {dialog === 'new' && <OrganizationForm onClose={state.close} />}
      {dialog === 'edit' && chosen && <OrganizationForm organization={chosen} onClose={state.close} />}
      {dialog === 'delete' && chosen && <DeleteOrganization organization={chosen} onClose={state.close} />}
    </>
  );
}
