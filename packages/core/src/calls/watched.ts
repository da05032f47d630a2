import { isDeepStrictEqual } from 'node:util';

import { backoff_ms } from '../backoff.ts';
import { ObjectIndex } from '../controller/index.ts';
import { toError } from '../errors/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { Cancel, World } from '../world/index.ts';
import type { Change } from './typed.ts';

/** A change of an object. The copy already has the new state. */
export interface WatchedChange<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly id: string;
  /** Undefined after the object was deleted. */
  readonly object?: T;
  readonly previous?: T;
}

export interface WatchedOptions<T> {
  /** The watched objects in words, for the log. */
  readonly what: string;
  readonly watch: (options: { readonly signal: AbortSignal }) => AsyncIterable<Change<T>>;
  readonly world: World;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/**
 * A copy in memory of the objects that another service shows, kept current by a watch. It can lag behind, but it misses
 * nothing in the end: after an interruption, listeners get a deletion for every object that no longer exists.
 * `Caches.include` runs it together with the caches.
 *
 * @example
 * const servers = new WatchedObjects({ what: 'servers', watch: (options) => region.watchServers(on, {}, options), world, telemetry });
 * servers.subscribe(({ id, object, previous }) => wake(id));
 * await servers.run(signal);
 */
export class WatchedObjects<T> {
  readonly #options: WatchedOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #indexes: ObjectIndex<T>[] = [];
  readonly #listeners = new Set<(change: WatchedChange<T>) => void>();
  readonly #synced = Promise.withResolvers<undefined>();
  #isSynced = false;
  /** While a list is received again: the objects that have not been received yet. */
  #missing: Set<string> | undefined;

  constructor(options: WatchedOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(id: string): T | undefined {
    return this.#objects.get(id);
  }

  list(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** An index of the objects by the values that the function returns. The function must be pure. */
  index(values: (object: T) => readonly string[]): ObjectIndex<T> {
    const index = new ObjectIndex(values, this.#objects);
    for (const [id, object] of this.#objects) index.replace(id, undefined, object);
    this.#indexes.push(index);
    return index;
  }

  /** Whether the first complete list has been received. */
  get synced(): boolean {
    return this.#isSynced;
  }

  async whenSynced(): Promise<void> {
    await this.#synced.promise;
  }

  /** Calls the listener after every change from now on. */
  subscribe(listener: (change: WatchedChange<T>) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Keeps the copy current until the signal aborts. A refusal is logged and tried again, because rights can be granted
   * later.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { what, watch, world, telemetry } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      this.#restart();
      try {
        for await (const change of watch({ signal })) {
          failures = 0;
          this.#apply(change);
        }
      } catch (error) {
        telemetry.log.warn(
          { err: toError(error), what },
          'objects of another service cannot be watched; the watch is tried again',
        );
      }
      await world.sleep(backoff_ms(failures, world.random()), signal);
    }
  }

  #apply(change: Change<T>): void {
    switch (change.type) {
      case 'added':
      case 'modified':
        this.#put(change.id, change.object);
        return;
      case 'deleted':
        this.#remove(change.id);
        return;
      case 'unreadable':
        this.#missing?.delete(change.id);
        this.#options.telemetry.log.error(
          { what: this.#options.what, id: change.id },
          'an object of another service does not match its contract; the last known state is kept',
        );
        return;
      case 'restart':
        this.#restart();
        return;
      case 'synced':
        for (const id of this.#missing ?? []) this.#remove(id);
        this.#missing = undefined;
        this.#isSynced = true;
        this.#synced.resolve(undefined);
        return;
      case 'bookmark':
        return;
    }
  }

  #restart(): void {
    this.#missing = new Set(this.#objects.keys());
  }

  #put(id: string, object: T): void {
    this.#missing?.delete(id);
    const previous = this.#objects.get(id);
    if (previous !== undefined && isDeepStrictEqual(previous, object)) return;
    this.#objects.set(id, object);
    for (const index of this.#indexes) index.replace(id, previous, object);
    this.#tell(previous === undefined ? { type: 'added', id, object } : { type: 'modified', id, object, previous });
  }

  #remove(id: string): void {
    this.#missing?.delete(id);
    const previous = this.#objects.get(id);
    if (previous === undefined) return;
    this.#objects.delete(id);
    for (const index of this.#indexes) index.replace(id, previous, undefined);
    this.#tell({ type: 'deleted', id, previous });
  }

  #tell(change: WatchedChange<T>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        const { what, telemetry } = this.#options;
        telemetry.log.error({ err: toError(error), what, id: change.id }, 'a listener failed');
      }
    }
  }
}
