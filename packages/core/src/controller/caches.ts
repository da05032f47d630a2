import type { Kind } from '../kinds/index.ts';
import { whenAborted } from './abort.ts';
import { WatchCache, type CacheContext } from './cache.ts';

/**
 * A copy of objects in memory that is kept current: a cache of a kind, or of the objects that another service shows.
 */
export interface Copy {
  /** Whether the first complete list has been loaded. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/**
 * One cache per kind for the whole process. Several controllers share a cache, and all caches run together.
 *
 * @example const networks = caches.of(Network); await caches.whenSynced(); networks.get(networkId);
 */
export class Caches {
  readonly #context: CacheContext;
  /** The caches of the process, if this is a scope of them. */
  readonly #whole: Caches | undefined;
  readonly #caches = new Map<string, WatchCache<Kind>>();
  readonly #copies = new Set<Copy>();
  #signal: AbortSignal | undefined;
  readonly #runs: Promise<void>[] = [];
  /** Remembered until a cache is added, because it is read with every request. */
  #allSynced = false;

  constructor(context: CacheContext, whole?: Caches) {
    this.#context = context;
    this.#whole = whole;
  }

  /**
   * The same caches for one part of the process: `synced` and `whenSynced` only wait for the kinds that this part uses.
   * The caches of the process keep them current.
   */
  scope(): Caches {
    return new Caches(this.#context, this.#whole ?? this);
  }

  /** The cache of a kind. It is created with the first call. */
  of<K extends Kind>(kind: K): WatchCache<K>;
  of(kind: Kind): WatchCache<Kind> {
    const existing = this.#caches.get(kind.id);
    if (existing) return existing;
    const created = this.#whole?.of(kind) ?? new WatchCache(kind, this.#context);
    this.#caches.set(kind.id, created);
    return this.include(created);
  }

  /** Keeps another copy current together with the caches. A copy that several parts include runs once. */
  include<C extends Copy>(copy: C): C {
    if (this.#copies.has(copy)) return copy;
    this.#copies.add(copy);
    this.#allSynced = false;
    this.#whole?.include(copy);
    if (this.#signal) this.#runs.push(copy.run(this.#signal));
    return copy;
  }

  get synced(): boolean {
    this.#allSynced ||= [...this.#copies].every((copy) => copy.synced);
    return this.#allSynced;
  }

  async whenSynced(): Promise<void> {
    if (!this.synced) await Promise.all([...this.#copies].map((copy) => copy.whenSynced()));
  }

  /** Keeps every cache current until the signal aborts, also caches that are added later. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#whole) throw new Error('a scope of caches cannot run: run the caches of the process');
    this.#signal = signal;
    for (const copy of this.#copies) this.#runs.push(copy.run(signal));
    await whenAborted(signal);
    await Promise.all(this.#runs);
  }
}
