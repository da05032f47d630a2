import { Type } from 'typebox';

import type { Kind, Resource } from '../kinds/index.ts';
import { fieldLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import type { View } from './view.ts';

/** The parameter of a list that can be searched. */
export const SearchFilter = Type.Optional(
  Type.String({
    maxLength: fieldLimits.search,
    description:
      'only items whose name contains this text, or whose id begins with it; upper and lower case do not matter',
  }),
);

/** What users know an object by. */
export interface Known {
  readonly id: string;
  readonly name: string;
}

/**
 * Whether a search finds something. Without a text, it finds everything. An id is only found by its beginning: one of
 * eight ids has a given pair of digits somewhere, such as `db`, and would hide the names that were meant.
 */
export function isFound({ id, name }: Known, search = ''): boolean {
  const wanted = search.toLowerCase();
  return wanted === '' || name.toLowerCase().includes(wanted) || id.toLowerCase().startsWith(wanted);
}

/** By its labels, as most objects are known. */
export function knownBy({ metadata }: Resource): Known {
  return { id: metadata.name, name: metadata.labels?.[labels.name] ?? '' };
}

/**
 * The objects of a view that a search finds.
 *
 * @example searched(organizationView(request, endpoint), request.query.search)
 */
export function searched<K extends Kind>(
  view: View<K>,
  search: string | undefined,
  known: (object: Resource<K>) => Known = knownBy,
): View<K> {
  const { selector, visible } = view;
  // Most lists are not searched: they are as fast as before.
  if (!search) return view;
  return { selector, visible: (object) => visible(object) && isFound(known(object), search) };
}
