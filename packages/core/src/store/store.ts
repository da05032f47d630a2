import type { Draft, Kind, Metadata, Resource } from '../kinds/index.ts';
import type { Selector } from './selector.ts';

export interface ListQuery {
  readonly selector?: Selector;
  /** At most this many objects; the page then names where to go on. */
  readonly limit?: number;
  /**
   * The page ends early once its objects, as JSON, take this much. It then names where to go on, and holds one object
   * at least.
   */
  readonly bytes?: number;
  /** From an earlier page of the same query. An engine may answer "expired": list again from the start. */
  readonly continue?: string;
}

export interface Page<K extends Kind> {
  /** In order of name. */
  readonly items: readonly Resource<K>[];
  /**
   * Of the first page of a traversal: watching from here misses nothing that any page left out. Items may be newer than
   * it.
   */
  readonly resourceVersion: string;
  readonly continue?: string;
}

export interface DeleteOptions {
  /**
   * How to delete objects that this object owns. `background`: they are deleted after it. `foreground`: it stays,
   * marked, until those that block their owner's deletion are gone. Either way they go eventually, not in the same
   * instant.
   */
  readonly propagation?: 'background' | 'foreground';
  /** Refused as a conflict when the object is another one, or has changed. */
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
 * With a selector, an object that comes to match is `added` and one that ceases to is `deleted`. The object of a
 * `deleted` event is its last state, at the version of the deletion. A bookmark only says how far the watch has come.
 */
export type WatchEvent<K extends Kind> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: Resource<K> }
  | { readonly type: 'bookmark'; readonly resourceVersion: string };

/**
 * Spec, labels, annotations, finalizers and owner references replace what is stored, if it is still at this version.
 */
export interface Change<K extends Kind> {
  readonly metadata: Pick<
    Metadata,
    'name' | 'resourceVersion' | 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'
  >;
  readonly spec: Resource<K>['spec'];
}

/** The status replaces what is stored, if the object is still at this version; everything else stays as it is. */
export interface StatusChange<K extends Kind> {
  readonly metadata: Pick<Metadata, 'name' | 'resourceVersion'>;
  /** The object at this version, as the store handed it out: it need not be read again then. */
  readonly of?: Resource<K>;
  readonly status?: Resource<K>['status'];
}

/**
 * A strict subset of what a Kubernetes API server offers, so that every engine can keep the promise; the conformance
 * suite says what that promise is. There is no transaction over several objects: sagas, finalizers and idempotent
 * controllers hold what must hold across them. An acknowledged write is durable and seen by every later read.
 *
 * Every method fails with a `Problem`: `conflict` (existing name, changed version, failed precondition), `not_found`,
 * `invalid_object`, `request_entity_too_large`, `invalid_request` (garbled token, version or limit), `expired`,
 * `storage_full`, `storage_unavailable`.
 */
export interface Store {
  /**
   * Whether the engine guarantees that no other process uses this state, so that whoever held a lease here before is
   * gone.
   */
  readonly sole: boolean;
  create<K extends Kind>(kind: K, draft: Draft<K>): Promise<Resource<K>>;
  get<K extends Kind>(kind: K, name: string): Promise<Resource<K> | undefined>;
  list<K extends Kind>(kind: K, query?: ListQuery): Promise<Page<K>>;
  /** How many objects match, counted no further than `most`, so that the answer never costs more than that many. */
  countUpTo(kind: Kind, selector: Selector, most: number): Promise<number>;
  /**
   * A change that changes nothing makes no new version and no event. Removing the last finalizer of an object marked
   * for deletion removes it.
   */
  update<K extends Kind>(kind: K, change: Change<K>): Promise<Resource<K>>;
  updateStatus<K extends Kind>(kind: K, change: StatusChange<K>): Promise<Resource<K>>;
  /** The object marked for deletion, or undefined when it is gone, now or already. */
  delete<K extends Kind>(kind: K, name: string, options?: DeleteOptions): Promise<Resource<K> | undefined>;
  /**
   * Events in order, without gap or duplicate, until the signal aborts; fails with `expired` when `from` is no longer
   * retained.
   */
  watch<K extends Kind>(kind: K, query: WatchQuery): AsyncIterable<WatchEvent<K>>;
  /** Fails with what a write would fail with now. It may be asked often: an answer is some seconds old at most. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
