import { useLocation, useNavigate } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { textParameter, type RawSearch } from './search.ts';

/** The state of a simple list, which is kept in its address: filter, order, and the dialog that is open. */
export function listSearch(search: RawSearch) {
  return defined({
    q: textParameter(search, 'q'),
    sort: textParameter(search, 'sort'),
    /** The group to which the list is limited. */
    chip: textParameter(search, 'chip'),
    /** The dialog that is open, such as `new` or `delete`. */
    dialog: textParameter(search, 'dialog'),
    /** The row that the dialog is about. */
    id: textParameter(search, 'id'),
  });
}

export type ListSearch = ReturnType<typeof listSearch>;

export interface ListState {
  readonly search: ListSearch;
  /** Changes the filter or the order. The back button does not stop at each of these. */
  readonly set: (changes: Partial<Record<'q' | 'sort' | 'chip', string>>) => void;
  readonly open: (dialog: string, id?: string) => void;
  readonly close: () => void;
}

/** For routes whose `validateSearch` is `listSearch`. */
export function useListState(): ListState {
  const navigate = useNavigate();
  const search = listSearch(useLocation().search);
  const go = (next: ListSearch, replace: boolean) => void navigate({ to: '.', search: listSearch(next), replace });
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
