import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';

import { defined } from '../defined.ts';
import { choiceParameter, sortParameter, textParameter, type RawSearch } from './search.ts';

/** The state of a simple list, which is kept in its address: filter, order, and the dialog that is open. */
export type ListSearch = {
  q?: string;
  sort?: string;
  /** The group to which the list is limited. */
  chip?: string;
  /** The dialog that is open, such as `new` or `delete`. */
  dialog?: string;
  /** The row that the dialog is about. */
  id?: string;
};

/** What a list knows of the parameters of its address. */
export interface ListParameters {
  /** The columns by which it can be sorted. */
  readonly sort?: readonly string[];
  readonly dialogs?: readonly string[];
  /** Whether it has groups. Only its data tell which. */
  readonly groups?: boolean;
}

/** The `validateSearch` of a list. Values that the list does not know are dropped. */
export function listSearch({ sort = [], dialogs = [], groups = false }: ListParameters) {
  return (search: RawSearch): ListSearch =>
    defined({
      q: textParameter(search, 'q'),
      sort: sortParameter(search, sort),
      chip: groups ? textParameter(search, 'chip') : undefined,
      ...dialogSearch(dialogs)(search),
    });
}

/** The dialog that is open on the page of one object. */
export function dialogSearch(dialogs: readonly string[]) {
  return (search: RawSearch): Pick<ListSearch, 'dialog' | 'id'> =>
    defined({ dialog: choiceParameter(search, 'dialog', dialogs), id: textParameter(search, 'id') });
}

/** The dialogs of most lists, and of the pages of their resources. */
export const usualDialogs = ['new', 'edit', 'delete'] as const;
export const detailDialogs = ['edit', 'delete'] as const;

export interface ListState {
  readonly search: ListSearch;
  /** Changes the filter or the order. The back button does not stop at each of these. */
  readonly set: (changes: Partial<Record<'q' | 'sort' | 'chip', string>>) => void;
  readonly open: (dialog: string, id?: string) => void;
  readonly close: () => void;
}

/** For routes whose `validateSearch` is made by `listSearch` or `dialogSearch`. */
export function useListState(): ListState {
  const navigate = useNavigate();
  const search = givenSearch(useLocation().search);
  const go = (next: ListSearch, replace: boolean) =>
    void navigate({ to: '.', search: givenSearch({ ...next }), replace, resetScroll: false });
  return {
    search,
    set: (changes) => {
      go({ ...search, ...changes }, true);
    },
    open: (dialog, id) => {
      go({ ...search, dialog, ...(id === undefined ? {} : { id }) }, false);
    },
    close: () => {
      go(defined({ q: search.q, sort: search.sort, chip: search.chip }), true);
    },
  };
}

/**
 * The row that a dialog is about. It stays while the dialog is open, also if the row is deleted elsewhere: the form
 * keeps what was typed, and the service says at the end that the object is gone.
 */
export function useChosen<Row>(
  { search: { id } }: Pick<ListState, 'search'>,
  find: (id: string) => Row | undefined,
): Row | undefined {
  const kept = useRef<{ readonly id: string; readonly row: Row }>(undefined);
  if (id === undefined) return undefined;
  const row = find(id) ?? (kept.current?.id === id ? kept.current.row : undefined);
  kept.current = row && { id, row };
  return row;
}

/** What the address says, without empty values. The route removes what the list does not know. */
function givenSearch(search: RawSearch): ListSearch {
  return defined({
    q: textParameter(search, 'q'),
    sort: textParameter(search, 'sort'),
    chip: textParameter(search, 'chip'),
    dialog: textParameter(search, 'dialog'),
    id: textParameter(search, 'id'),
  });
}
