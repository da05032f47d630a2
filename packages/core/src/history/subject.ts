import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '../access/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import type { HistoryEntry, HistoryEvent, HistoryStorage } from './kinds.ts';

/** A kind of objects that have a history. It is declared once for each resource. */
export interface HistorySubject<K extends Kind = Kind> {
  readonly kind: K;
  /** The name of the resource in the activity feed and in log messages, such as `security-group`. */
  readonly resource: string;
  readonly storage: HistoryStorage<K>;
  /** The path variable that holds the id. */
  readonly param: string;
  /** The right to read the object; the same right is needed for its history. */
  readonly endpoint: string;
  /** Labels that the record of a deleted object keeps, besides its name, organization and project. */
  readonly keptLabels?: readonly string[];
  /**
   * `false`: the store has no objects of this kind, because they live at a provider, as images do. Callers then pass
   * the object with each event.
   */
  readonly isStored?: boolean;
  /** Path variables of the history route that a label of the object must match, besides the organization. */
  readonly places?: Readonly<Record<string, string>>;
  /**
   * `recorded` (the default): every object has a stored history. `left out`: nothing is stored for an object without
   * unusual events. This is for objects that another service creates by the thousand and records itself.
   */
  readonly uneventful?: 'recorded' | 'left out';
  /** The kinds of its owners: the store deletes the object when its owner is deleted. */
  readonly owners?: readonly Kind[];
  /** Whether requests of this caller are not recorded. */
  leavesOut?(caller: Caller): boolean;
  /** The events that a change of the object causes; `commonTransitions` by default. */
  transitions?(before: Resource<K>, after: Resource<K>): readonly Transition[];
  /** The fields that an update changed. */
  changes?(before: Resource<K>, after: Resource<K>): NonNullable<HistoryEntry['changes']>;
}

export type Transition = Omit<HistoryEvent, 'type' | 'uid'>;

/**
 * The fields of a spec that differ, by their names in the API.
 *
 * @example changedFields({ rules: 'spec.rules', tags: 'metadata.tags' }, before.spec, after.spec)
 */
export function changedFields(
  fields: Readonly<Record<string, string>>,
  before: object,
  after: object,
): NonNullable<HistoryEntry['changes']> {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return Object.entries(fields)
    .filter(([stored]) => !isDeepStrictEqual(was.get(stored), is.get(stored)))
    .map(([, field]) => ({ field, action: 'in-place' }));
}
