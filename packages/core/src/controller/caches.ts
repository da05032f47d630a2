import type { Kind } from '../kinds/index.ts';
import { whenAborted } from './abort.ts';
import { WatchCache, type CacheContext } from './cache.ts';

/**
 * A copy of objects in memory that is kept current: a cache of a kind, or of the objects that another service shows.
 */
export interface Copy {
  /** Whether everything there was when it was started is in it. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/** One cache per kind for a whole process, however many controllers read it; they run together. */
export class Caches {
  readonly #context: CacheContext;
  /** The caches of the process, where these are a scope of them. */
  readonly #whole: Caches | undefined;
  readonly #caches = new Map<string, WatchCache<Kind>>();
  readonly #copies = new Set<Copy>();
  #signal: AbortSignal | undefined;
  readonly #runs: Promise<void>[] = [];
  /** Known once and for all, until there is another cache: it is asked with every request. */
  #allSynced = false;

  constructor(context: CacheContext, whole?: Caches) {
    this.#context = context;
    this.#whole = whole;
  }

  /**
   * The same caches for one part of the process: `synced` and `whenSynced` are about the kinds that were asked for
   * here. They are kept current by the caches of the process.
   */
  scope(): Caches {
    return new Caches(this.#context, this.#whole ?? this);
  }

  /** The cache of a kind; asking for it is what makes it exist. */
  of<K extends Kind>(kind: K): WatchCache<K>;
  of(kind: Kind): WatchCache<Kind> {
    const existing = this.#caches.get(kind.id);
    if (existing) return existing;
    const created = this.#whole?.of(kind) ?? new WatchCache(kind, this.#context);
    this.#caches.set(kind.id, created);
    return this.include(created);
  }

  /** Keeps another copy current with the caches. A copy that several parts include runs once. */
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

  /** Keeps every cache current, also those asked for later, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#whole) throw new Error('a scope of caches does not run: run the caches of the process');
    this.#signal = signal;
    for (const copy of this.#copies) this.#runs.push(copy.run(signal));
    await whenAborted(signal);
    await Promise.all(this.#runs);
  }
}
