import type { Resource } from '../kinds/index.ts';

/** One committed change, as watchers replay it. */
export interface FeedChange {
  readonly version: number;
  readonly type: 'added' | 'modified' | 'deleted';
  /** For `deleted` the last stored state, at the version of the deletion. */
  readonly object: Resource;
  /** The state before, when labels or owners changed: what decides whether an object left a selection. */
  readonly previous?: Resource | undefined;
}

/** Why a waiting watcher was woken, and up to which version there was nothing for it. */
export interface Wake {
  readonly reason: 'change' | 'bookmark' | 'end';
  readonly head: number;
}

interface Channel {
  changes: FeedChange[];
  readonly waiting: Set<(wake: Wake) => void>;
}

/**
 * The most recent changes in memory, shared by all watchers. A watcher is a position in it, so a slow one costs nothing
 * and one that fell behind it reads the durable log instead.
 */
export class Feed {
  readonly #capacity: number;
  readonly #channels = new Map<string, Channel>();
  #versions: number[] = [];
  #floor: number;
  #head: number;

  constructor(options: { readonly head: number; readonly capacity: number }) {
    this.#floor = this.#head = options.head;
    this.#capacity = options.capacity;
  }

  /** The last version that was announced. */
  get head(): number {
    return this.#head;
  }

  announce(kind: string, change: FeedChange): void {
    const channel = this.#channel(kind);
    const before = this.#head;
    this.#head = change.version;
    channel.changes.push(change);
    this.#versions.push(change.version);
    this.#trim();
    wake(channel, { reason: 'change', head: before });
  }

  /** What came after this version, or undefined when that reaches further back than memory does. */
  after(kind: string, version: number, limit: number): readonly FeedChange[] | undefined {
    if (version < this.#floor) return undefined;
    const { changes } = this.#channel(kind);
    const start = firstAfter(changes, version);
    return changes.slice(start, start + limit);
  }

  /** Calls back once, with the next change of the kind or the next bookmark, unless cancelled. */
  next(kind: string, woken: (wake: Wake) => void): () => void {
    const { waiting } = this.#channel(kind);
    waiting.add(woken);
    return () => {
      waiting.delete(woken);
    };
  }

  /** Tells every watcher that has nothing else to do how far it has come. */
  bookmark(): void {
    for (const channel of this.#channels.values()) wake(channel, { reason: 'bookmark', head: this.#head });
  }

  /** Cuts only when a quarter too much is there, so that the cost of cutting is spread over many announcements. */
  #trim(): void {
    if (this.#versions.length <= this.#capacity * 1.25) return;
    const kept = this.#versions.slice(-this.#capacity);
    this.#floor = (kept[0] ?? this.#head + 1) - 1;
    this.#versions = kept;
    for (const channel of this.#channels.values()) channel.changes = channel.changes.slice(firstAfter(channel.changes, this.#floor));
  }

  #channel(kind: string): Channel {
    const known = this.#channels.get(kind);
    if (known) return known;
    const channel: Channel = { changes: [], waiting: new Set() };
    this.#channels.set(kind, channel);
    return channel;
  }
}

function wake(channel: Channel, reason: Wake): void {
  const waiting = [...channel.waiting];
  channel.waiting.clear();
  for (const woken of waiting) woken(reason);
}

function firstAfter(changes: readonly FeedChange[], version: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.version ?? Infinity) <= version) low = middle + 1;
    else high = middle;
  }
  return low;
}
