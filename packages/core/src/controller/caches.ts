import type { Kind } from '../kinds/index.ts';
import { whenAborted } from './abort.ts';
import { WatchCache, type CacheContext } from './cache.ts';

/** One cache per kind for a whole process, however many controllers read it; they run together. */
export class Caches {
  readonly #context: CacheContext;
  /** The caches of the process, where these are a scope of them. */
  readonly #whole: Caches | undefined;
  readonly #caches = new Map<string, WatchCache<Kind>>();
  #signal: AbortSignal | undefined;
  readonly #runs: Promise<void>[] = [];
  /** Known once and for all, until there is another cache: it is asked with every request. */
  #allSynced = false;

  constructor(context: CacheContext, whole?: Caches) {
    this.#context = context;
    this.#whole = whole;
  }

  /**
   * The same caches for one part of the process: `synced` and `whenSynced` are about the kinds that were asked for here.
   * They are kept current by the caches of the process.
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
    this.#allSynced = false;
    this.#caches.set(kind.id, created);
    if (this.#signal) this.#runs.push(created.run(this.#signal));
    return created;
  }

  get synced(): boolean {
    this.#allSynced ||= [...this.#caches.values()].every((cache) => cache.synced);
    return this.#allSynced;
  }

  async whenSynced(): Promise<void> {
    if (!this.synced) await Promise.all([...this.#caches.values()].map((cache) => cache.whenSynced()));
  }

  /** Keeps every cache current, also those asked for later, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#whole) throw new Error('a scope of caches does not run: run the caches of the process');
    this.#signal = signal;
    for (const cache of this.#caches.values()) this.#runs.push(cache.run(signal));
    await whenAborted(signal);
    await Promise.all(this.#runs);
  }
}
