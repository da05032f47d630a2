import type { Draft, Kind, Metadata, Resource } from '../kinds/index.ts';
import type { Selector } from './selector.ts';

export interface ReadOptions {
  /**
   * The answer may come from a copy in this process. It has every change that this process made or read, and all
   * earlier changes of the same kind by any process. It may miss changes that other processes made in the last moments.
   * Its cost depends on the objects that match. Without this option the answer has every change, but with Kubernetes
   * the API server compares the labels of all objects of the kind.
   */
  readonly cached?: boolean;
}

export interface ListQuery extends ReadOptions {
  readonly selector?: Selector;
  /** Maximum number of objects; the page then has a token for the next one. */
  readonly limit?: number;
  /**
   * The page ends early when its objects, as JSON, reach this size. It has at least one object, and a token for the
   * next page.
   */
  readonly bytes?: number;
  /** From an earlier page of the same query. An engine may fail with "expired": list again from the start. */
  readonly continue?: string;
}

export interface Page<K extends Kind> {
  /** In order of name. */
  readonly items: readonly Resource<K>[];
  /** The version of the first page of a traversal: a watch from it misses nothing. Items may be newer. */
  readonly resourceVersion: string;
  readonly continue?: string;
}

export interface DeleteOptions {
  /**
   * How to delete objects that this object owns. `background`: they are deleted after it. `foreground`: it stays,
   * marked, until the objects that block its deletion are deleted. In both cases they are deleted eventually, not at
   * the same moment.
   */
  readonly propagation?: 'background' | 'foreground';
  /** Refused with a conflict if the object is another one, or has changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface WatchQuery {
  /** Events after this version. From a list, an event or a bookmark. */
  readonly from: string;
  readonly selector?: Selector;
  /** Only the object of this name. */
  readonly name?: string;
  /** Ends the watch. */
  readonly signal?: AbortSignal;
}

/**
 * With a selector, an object that starts to match is `added`, and one that stops matching is `deleted`. The object of a
 * `deleted` event is its last state, with the version of the deletion. A bookmark only contains the position of the
 * watch.
 */
export type WatchEvent<K extends Kind> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: Resource<K> }
  | { readonly type: 'bookmark'; readonly resourceVersion: string };

/** How a single object may be read. Without options the answer is the latest state. */
export interface GetOptions {
  /**
   * The answer may come from a copy of the kind in this process, which also contains every state of the object that
   * this process wrote or read. It may miss changes that other processes made in the last moments, and the creation of
   * the object. For reads whose mistake does no harm: the write that follows is a compare-and-swap on this version, or
   * the decision is checked again later. Kinds that grow for months (`archive`) have no copy.
   */
  readonly cached?: boolean;
  /**
   * The answer may be one that this process asked for at most this long ago. Later writes of this process are seen. For
   * objects that many requests read in a row, of kinds that have no copy.
   */
  readonly maxAge_ms?: number;
}

/** Replaces spec, labels, annotations, finalizers and owner references, if the stored object still has this version. */
export interface Change<K extends Kind> {
  readonly metadata: Pick<
    Metadata,
    'name' | 'resourceVersion' | 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'
  >;
  readonly spec: Resource<K>['spec'];
}

/** Replaces the status, if the stored object still has this version. Nothing else changes. */
export interface StatusChange<K extends Kind> {
  readonly metadata: Pick<Metadata, 'name' | 'resourceVersion'>;
  /** The object with this version, as the store returned it. It saves a read. */
  readonly of?: Resource<K>;
  readonly status?: Resource<K>['status'];
}

/**
 * A strict subset of the operations of a Kubernetes API server, so that every engine can implement it. The conformance
 * suite defines the exact behaviour. There are no transactions over several objects: sagas, finalizers and idempotent
 * controllers keep them consistent. An acknowledged write is durable and visible to every later read, except that a
 * read with `cached` or `maxAge_ms` may not see the latest writes of other processes.
 *
 * Every method fails with a `Problem`: `conflict` (existing name, changed version, failed precondition), `not_found`,
 * `invalid_object`, `request_entity_too_large`, `invalid_request` (invalid token, version or limit), `expired`,
 * `storage_full`, `storage_unavailable`.
 */
export interface Store {
  /**
   * Whether the engine guarantees that no other process uses this state, so that an earlier holder of a lease has
   * ended.
   */
  readonly sole: boolean;
  create<K extends Kind>(kind: K, draft: Draft<K>): Promise<Resource<K>>;
  get<K extends Kind>(kind: K, name: string, options?: GetOptions): Promise<Resource<K> | undefined>;
  list<K extends Kind>(kind: K, query?: ListQuery): Promise<Page<K>>;
  /** How many objects match, counted up to `most`, which limits the cost. */
  countUpTo(kind: Kind, selector: Selector, most: number, options?: ReadOptions): Promise<number>;
  /**
   * A change without effect makes no new version and no event. Removing the last finalizer of an object that is marked
   * for deletion removes the object.
   */
  update<K extends Kind>(kind: K, change: Change<K>): Promise<Resource<K>>;
  updateStatus<K extends Kind>(kind: K, change: StatusChange<K>): Promise<Resource<K>>;
  /** Returns the object that is now marked for deletion, or undefined if it no longer exists. */
  delete<K extends Kind>(kind: K, name: string, options?: DeleteOptions): Promise<Resource<K> | undefined>;
  /**
   * Events in order, without gap or duplicate, until the signal aborts. Throws `expired` when `from` is no longer
   * retained.
   */
  watch<K extends Kind>(kind: K, query: WatchQuery): AsyncIterable<WatchEvent<K>>;
  /** Throws the error that a write would get now. It is cheap: a result is reused for some seconds. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
