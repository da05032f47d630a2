import { defined } from '../defined.ts';
import { isProblem, toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { compareVersions, type ReadOptions, type Store, type WatchEvent } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { Cancel, World } from '../world/index.ts';
import { backoff_ms } from '../backoff.ts';
import { contain } from './contain.ts';
import { ObjectIndex, type CacheIndex } from './cache-index.ts';
import { cacheMetrics } from './metrics.ts';

export interface CacheContext {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
}

export interface CacheChange<K extends Kind> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: Resource<K>;
  readonly previous?: Resource<K>;
}

export type CacheListener<K extends Kind> = (change: CacheChange<K>) => void;

/**
 * All objects of a kind, in memory and kept current by a watch. It may lag behind the store but never goes backwards:
 * an object is only ever replaced by a newer version of itself.
 *
 * @example
 * const servers = caches.of(Server);
 * const byNetwork = servers.index((server) => [server.spec.networkId]);
 * byNetwork.get(networkId); // the servers of a network, without a scan
 */
export class WatchCache<K extends Kind> {
  readonly kind: K;
  readonly #context: CacheContext;
  readonly #objects = new Map<string, Resource<K>>();
  readonly #indexes: CacheIndex<K>[] = [];
  readonly #listeners = new Set<CacheListener<K>>();
  readonly #synced = Promise.withResolvers<undefined>();
  #isSynced = false;
  /**
   * The version where the watch continues. Undefined before the first list, and when the version is no longer retained.
   */
  #version: string | undefined;
  /**
   * The version of the last list. The cache already has all changes up to it, even if the watch delivers them later.
   */
  #listed = '0';
  #failures = 0;

  constructor(kind: K, context: CacheContext) {
    this.kind = kind;
    this.#context = context;
    cacheMetrics(context.telemetry.registry).sizes.set(kind.id, () => this.#objects.size);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(name: string): Resource<K> | undefined {
    return this.#objects.get(name);
  }

  list(): IterableIterator<Resource<K>> {
    return this.#objects.values();
  }

  /** An index of the objects by the values that the function returns. The function must be pure. */
  index(values: (object: Resource<K>) => readonly string[]): CacheIndex<K> {
    const contained = (object: Resource<K>) => this.#contain('index', () => values(object)) ?? [];
    const index = new ObjectIndex(contained, this.#objects);
    for (const [name, object] of this.#objects) index.replace(name, undefined, object);
    this.#indexes.push(index);
    return index;
  }

  /** Calls the listener after every change from now on. The cache already has the new state. */
  subscribe(listener: CacheListener<K>): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the first complete list has been loaded. */
  get synced(): boolean {
    return this.#isSynced;
  }

  async whenSynced(): Promise<void> {
    await this.#synced.promise;
  }

  /**
   * Keeps the cache current until the signal aborts. Failures of the store are retried; a broken watch continues where
   * it was.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        // The first list may come from a copy in the store. Then both have the same objects in memory.
        this.#version ??= await this.#relist({ cached: !this.#isSynced });
        await this.#follow(this.#version, signal);
      } catch (thrown) {
        await this.#recover(thrown, signal);
      }
    }
  }

  /**
   * Loads the current state of the store. A process that takes over from another one does this first: its watch may not
   * have delivered the last writes of that process yet.
   */
  async refresh(signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#relist({});
        return;
      } catch (thrown) {
        this.#report(thrown);
        await this.#context.world.sleep(backoff_ms(failures, this.#context.world.random()), signal);
      }
    }
  }

  async #follow(from: string, signal: AbortSignal): Promise<void> {
    for await (const event of this.#context.store.watch(this.kind, { from, signal })) {
      this.#failures = 0;
      this.#version = event.type === 'bookmark' ? event.resourceVersion : event.object.metadata.resourceVersion;
      if (event.type !== 'bookmark') this.#apply(event);
    }
    if (!signal.aborted) throw new Error('the watch ended unexpectedly');
  }

  async #recover(thrown: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { world } = this.#context;
    const expired = isProblem(thrown, 'expired');
    if (expired) this.#version = undefined;
    this.#failures++;
    this.#report(thrown);
    // An expired watch is not a fault of the store, so the first new list starts at once.
    if (expired && this.#failures === 1) return;
    await world.sleep(backoff_ms(this.#failures, world.random()), signal);
  }

  #report(thrown: unknown): void {
    const { telemetry } = this.#context;
    cacheMetrics(telemetry.registry).failures.inc({ kind: this.kind.id });
    telemetry.log.warn({ err: toError(thrown), kind: this.kind.id }, 'a list or watch failed and will be retried');
  }

  async #relist(options: ReadOptions): Promise<string> {
    const missing = new Set(this.#objects.keys());
    let version: string | undefined;
    let next: string | undefined;
    do {
      const page = await this.#context.store.list(this.kind, {
        limit: limits.pageItems,
        ...options,
        ...defined({ continue: next }),
      });
      version ??= page.resourceVersion;
      next = page.continue;
      for (const object of page.items) {
        missing.delete(object.metadata.name);
        this.#put(object);
      }
    } while (next !== undefined);
    for (const name of missing) this.#removeAsOf(version, name);
    this.#listed = version;
    cacheMetrics(this.#context.telemetry.registry).relists.inc({ kind: this.kind.id });
    this.#isSynced = true;
    this.#synced.resolve(undefined);
    return version;
  }

  #apply(event: Exclude<WatchEvent<K>, { readonly type: 'bookmark' }>): void {
    if (compareVersions(event.object.metadata.resourceVersion, this.#listed) <= 0) return;
    if (event.type !== 'deleted') {
      this.#put(event.object);
      return;
    }
    const { name, resourceVersion } = event.object.metadata;
    this.#removeAsOf(resourceVersion, name, event.object);
  }

  #put(object: Resource<K>): void {
    const { name, resourceVersion } = object.metadata;
    const previous = this.#objects.get(name);
    if (previous && compareVersions(resourceVersion, previous.metadata.resourceVersion) <= 0) return;
    this.#objects.set(name, object);
    for (const index of this.#indexes) index.replace(name, previous, object);
    this.#tell(previous ? { type: 'modified', object, previous } : { type: 'added', object });
  }

  /** An object that did not exist at this version may have been created again later. The newer object stays. */
  #removeAsOf(version: string, name: string, last?: Resource<K>): void {
    const previous = this.#objects.get(name);
    if (!previous || compareVersions(previous.metadata.resourceVersion, version) > 0) return;
    this.#objects.delete(name);
    for (const index of this.#indexes) index.replace(name, previous, undefined);
    this.#tell({ type: 'deleted', object: last ?? previous, previous });
  }

  #tell(change: CacheChange<K>): void {
    for (const listener of this.#listeners) {
      this.#contain('listener', () => {
        listener(change);
      });
    }
  }

  #contain<T>(callback: string, run: () => T): T | undefined {
    return contain(this.#context.telemetry, `cache of ${this.kind.id}`, callback, run);
  }
}
