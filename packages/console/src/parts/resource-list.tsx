import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Snapshot } from '../live/hub.ts';
import { useRights, type Area } from '../session/rights.ts';
import { words } from '../words/index.ts';
import type { IconName } from './icon.tsx';
import { ListPage, type ListPageProps } from './list-page.tsx';
import { useChosen, useListState } from './list-state.ts';
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
  type Named,
} from './rows.tsx';
import type { Described } from './status.tsx';
import type { Column } from './table.tsx';

export interface ResourceListProps<Row> {
  readonly org: string;
  readonly project: string;
  /** The part of the addresses of its pages, such as `networks`. */
  readonly noun: string;
  /** Its path in the API of its region, such as `/api/v2/networks`. */
  readonly path: string;
  readonly area: Area;
  readonly icon: IconName;
  readonly texts: ListPageProps<Row>['texts'];
  readonly live: Snapshot<Row>;
  /** The columns between the status and the age. */
  readonly columns: readonly Column<Row>[];
  readonly textOf: (row: Row) => string;
  /** The title of the action that changes a row, if it is a special one. */
  readonly editTitle?: string;
  /** The dialog that creates a resource, or changes the given one. */
  readonly form: (row: Row | undefined, onClose: () => void) => ReactNode;
  /** The dialog that deletes a resource. */
  readonly remove: (row: Row, onClose: () => void) => ReactNode;
}

/** The live list of the resources of a project that have a page of their own, and the dialogs about them. */
export function ResourceList<Row extends Named & Described & InRegion>(props: ResourceListProps<Row>) {
  const { org, project, noun, path, area, icon, texts, live, columns, textOf, editTitle, form, remove } = props;
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const { dialog } = state.search;
  const chosen = useChosen(state, (id) => live.byId.get(id));
  const pageOf = ({ metadata }: Row) => `/o/${org}/p/${project}/${noun}/${metadata.id}`;
  return (
    <>
      <ListPage
        texts={texts}
        icon={icon}
        state={state}
        {...liveRows(live)}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        regionOf={regionOf}
        createReason={rights.may(area, 'create', project) ? undefined : words.parts.missingRight}
        onOpen={(row) => {
          void navigate({ to: pageOf(row) });
        }}
        columns={[nameColumn(pageOf), statusColumn(), ...columns, createdColumn()]}
        asked={askedBelow('region', path)}
        actions={[editAction(state, editTitle), deleteAction(state)]}
      />
      {dialog === 'new' && form(undefined, state.close)}
      {dialog === 'edit' && chosen && form(chosen, state.close)}
      {dialog === 'delete' && chosen && remove(chosen, state.close)}
    </>
  );
}

interface InRegion {
  readonly status: { readonly regionId: string };
}

const regionOf = ({ status }: InRegion) => status.regionId;
