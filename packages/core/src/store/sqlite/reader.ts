import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { limits } from '../../limits.ts';
import { decode } from '../encoding.ts';
import { pageOf, type FeedChange } from '../feed.ts';
import type { Selector } from '../selector.ts';
import { Query } from './query.ts';
import { firstVersion, floorQuery, headQuery } from './schema.ts';

export type ObjectRow = readonly [name: string, version: number, data: string];
type ChangeRow = readonly [version: number, type: FeedChange['type'], data: string, previous: string | null];
export type DependentRow = readonly [kind: number, name: string, blocking: 0 | 1];

/** The range of one read: after this name, with a maximum number of rows and of bytes. */
interface Stretch {
  readonly after: string;
  readonly limit: number;
  readonly bytes: number;
}

interface RowsRead {
  readonly rows: readonly ObjectRow[];
  /** There may be more after the last row. */
  readonly more: boolean;
}

/** A label with an index, and the values that it may have. */
interface IndexedRequirement {
  readonly position: number;
  readonly values: readonly string[];
}

/**
 * Point and range reads. The cost of each depends on its result and not on the total number of objects. Limits are
 * written as `+?` because SQLite plans a statement again for every value of a bare one, which takes longer than most
 * reads.
 */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #get;
  readonly #head;
  readonly #floor;
  readonly #changes;
  readonly #changesOfAll;
  readonly #dependents;
  readonly #dependence;
  readonly #collected;
  readonly #size;
  readonly #lists = new Map<string, Query<ObjectRow>>();
  readonly #counts = new Map<string, Query<[number]>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#get = new Query<ObjectRow>(database, 'SELECT name, version, data FROM objects WHERE kind = ? AND name = ?');
    this.#head = new Query<[number]>(database, headQuery);
    this.#floor = new Query<[number]>(database, floorQuery);
    this.#changes = new Query<ChangeRow>(
      database,
      'SELECT version, type, data, previous FROM changes WHERE kind = ? AND version > ? ORDER BY version LIMIT +?',
    );
    this.#changesOfAll = new Query<ChangeRow>(
      database,
      'SELECT version, type, data, previous FROM changes WHERE version > ? ORDER BY version LIMIT +?',
    );
    this.#dependents = new Query<DependentRow>(
      database,
      'SELECT kind, name, blocking FROM owners WHERE uid = ? AND (kind, name) > (?, ?) ORDER BY kind, name LIMIT +?',
    );
    this.#dependence = new Query<[0 | 1]>(
      database,
      'SELECT blocking FROM owners WHERE uid = ? AND NOT (kind = ? AND name = ?) ORDER BY blocking DESC LIMIT 1',
    );
    this.#size = new Query<[number]>(
      database,
      'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size',
    );
    this.#collected = new Query<[number]>(database, 'SELECT collected FROM progress');
  }

  get(kind: number, name: string): ObjectRow | undefined {
    return this.#get.get(kind, name);
  }

  /** The version of the last commit. */
  head(): number {
    return this.#head.get()?.[0] ?? firstVersion;
  }

  /** The version before the oldest change that is still stored. */
  floor(): number {
    return this.#floor.get()?.[0] ?? firstVersion;
  }

  /** The first changes after this version, at most a page. */
  changes(kind: number, after: number): FeedChange[] {
    return pageOf(replayed(this.#changes.each(kind, after, limits.pageItems)));
  }

  changesOfAll(after: number): FeedChange[] {
    return pageOf(replayed(this.#changesOfAll.each(after, limits.pageItems)));
  }

  dependents(uid: string, after: readonly [kind: number, name: string], limit: number): DependentRow[] {
    return this.#dependents.all(uid, ...after, limit);
  }

  /** Whether other objects name this one as their owner, and whether one of them blocks its deletion. */
  dependence(uid: string, kind: number, name: string): 'none' | 'free' | 'blocking' {
    const [row] = this.#dependence.all(uid, kind, name);
    return !row ? 'none' : row[0] === 1 ? 'blocking' : 'free';
  }

  /** The version up to which garbage collection has processed the changes. */
  collected(): number {
    return this.#collected.get()?.[0] ?? firstVersion;
  }

  size_bytes(): number {
    return this.#size.get()?.[0] ?? 0;
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Objects in order of name that satisfy the indexed part of the selector; the caller checks the rest. Stops after a
   * number of rows or of bytes.
   */
  list(kind: number, indexedLabels: readonly string[], selector: Selector, from: Stretch): RowsRead {
    const rows: ObjectRow[] = [];
    let left = from.bytes;
    for (const row of this.#rows(kind, indexedLabels, selector, from)) {
      rows.push(row);
      left -= row[2].length;
      if (left <= 0) return { rows, more: true };
    }
    return { rows, more: rows.length >= from.limit };
  }

  /** How many objects satisfy a selector that the indexes cover completely, counted up to this number. */
  count(kind: number, indexedLabels: readonly string[], selector: Selector, most: number): number {
    const [first, ...others] = indexedRequirements(indexedLabels, selector);
    if (!first) return this.#countQuery('all', countAll).get(kind, most)?.[0] ?? 0;
    const shape = [first, ...others].map(({ values }) => values.length);
    const parameters: SQLInputValue[] = [kind, first.position, ...first.values];
    for (const { position, values } of others) parameters.push(position, ...values);
    return this.#countQuery(shape.join(), () => countByLabels(shape)).get(...parameters, most)?.[0] ?? 0;
  }

  #countQuery(shape: string, sql: () => string): Query<[number]> {
    const known = this.#counts.get(shape);
    if (known) return known;
    const query = new Query<[number]>(this.#database, sql());
    this.#counts.set(shape, query);
    return query;
  }

  #rows(
    kind: number,
    indexedLabels: readonly string[],
    selector: Selector,
    { after, limit }: Stretch,
  ): Iterable<ObjectRow> {
    const [first, ...others] = indexedRequirements(indexedLabels, selector);
    if (!first) return this.#listQuery('all', listAll).iterate(kind, after, limit);
    const shape = [first, ...others].map(({ values }) => values.length);
    const parameters: SQLInputValue[] = [kind, first.position, ...first.values, after];
    for (const { position, values } of others) parameters.push(position, ...values);
    return this.#listQuery(shape.join(), () => listByLabels(shape)).iterate(...parameters, limit);
  }

  #listQuery(shape: string, sql: () => string): Query<ObjectRow> {
    const known = this.#lists.get(shape);
    if (known) return known;
    const query = new Query<ObjectRow>(this.#database, sql());
    this.#lists.set(shape, query);
    return query;
  }
}

function* replayed(rows: Iterable<ChangeRow>): Generator<FeedChange> {
  for (const [version, type, data, previous] of rows) {
    const bytes = data.length + (previous?.length ?? 0);
    yield {
      version,
      type,
      object: decode(data, version),
      previous: previous === null ? undefined : decode(previous, version),
      bytes,
    };
  }
}

/** In the order of the declaration, the most selective first. */
function indexedRequirements(indexedLabels: readonly string[], selector: Selector): IndexedRequirement[] {
  return indexedLabels.flatMap((label, position) =>
    selector.flatMap((requirement) =>
      requirement.key === label && requirement.operator === 'in' ? [{ position, values: requirement.values }] : [],
    ),
  );
}

const listAll = () => 'SELECT name, version, data FROM objects WHERE kind = ? AND name > ? ORDER BY name LIMIT +?';

const countAll = () => 'SELECT count(*) FROM (SELECT 1 FROM objects WHERE kind = ? LIMIT +?)';

const marks = (count: number) => Array.from({ length: count }, () => '?').join();

/** Each further label is a point look-up per name. */
function furtherLabels(counts: readonly number[]): string {
  return counts
    .map(
      (count) =>
        `AND EXISTS (SELECT 1 FROM labels f WHERE f.kind = l.kind AND f.position = ? AND f.value IN (${marks(count)}) AND f.name = l.name)`,
    )
    .join(' ');
}

function countByLabels([first = 0, ...others]: readonly number[]): string {
  return `SELECT count(*) FROM (SELECT 1 FROM labels l WHERE l.kind = ? AND l.position = ? AND l.value IN (${marks(first)}) ${furtherLabels(others)} LIMIT +?)`;
}

/** Names come out of the first label's index in order. */
function listByLabels([first = 0, ...others]: readonly number[]): string {
  return `
    SELECT o.name, o.version, o.data
    FROM (SELECT l.kind, l.name FROM labels l WHERE l.kind = ? AND l.position = ? AND l.value IN (${marks(first)}) AND l.name > ? ${furtherLabels(others)} ORDER BY l.name LIMIT +?) m
    CROSS JOIN objects o ON o.kind = m.kind AND o.name = m.name ORDER BY m.name`;
}
