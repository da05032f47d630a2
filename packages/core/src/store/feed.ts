import type { Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';

/** The state of an object before a change, which has to be read first. */
export interface Predecessor {
  /** Whether it was read. */
  readonly known: boolean;
  /** The previous state, if the labels changed. */
  readonly object: Resource | undefined;
  /** Reads it. Concurrent calls share one read. */
  find(): Promise<void>;
}

/** One committed change, as watchers get it. */
export interface FeedChange {
  readonly version: number;
  readonly type: 'added' | 'modified' | 'deleted';
  /** For `deleted`: the last stored state, with the version of the deletion. */
  readonly object: Resource;
  /** The previous state, if labels or owners changed. It decides whether an object left a selection. */
  readonly previous?: Resource | undefined;
  /** Finds the previous state, if an engine does not know it. Only watches with a selector need it. */
  readonly predecessor?: Predecessor;
  /** The length of both as text, about a third of their size in memory. */
  readonly bytes: number;
}

/** Why a waiting watcher was woken, and the version up to which there was no change for it. */
export interface Wake {
  readonly reason: 'change' | 'bookmark' | 'end';
  readonly head: number;
}

interface Channel {
  changes: FeedChange[];
  readonly waiting: Set<(wake: Wake) => void>;
}

/**
 * The most recent changes in memory, shared by all watchers. A watcher only has a position, so a slow one costs
 * nothing. A watcher that is further behind reads the log on disk.
 */
export class Feed {
  readonly #capacity: number;
  readonly #capacity_bytes: number;
  readonly #channels = new Map<string, Channel>();
  /** Changes of all kinds, in order of version. */
  #sizes: Pick<FeedChange, 'version' | 'bytes'>[] = [];
  #bytes = 0;
  #floor: number;
  #head: number;

  constructor({
    head,
    capacity,
    capacity_bytes = limits.recentChangesBytes,
  }: {
    readonly head: number;
    readonly capacity: number;
    readonly capacity_bytes?: number;
  }) {
    this.#floor = this.#head = head;
    this.#capacity = capacity;
    this.#capacity_bytes = capacity_bytes;
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
    this.#sizes.push({ version: change.version, bytes: change.bytes });
    this.#bytes += change.bytes;
    this.#trim();
    wake(channel, { reason: 'change', head: before });
  }

  /** There was no change up to this version. */
  advance(version: number): void {
    this.#head = Math.max(this.#head, version);
  }

  /**
   * Forgets all changes. The next ones are those after this version. Watchers are woken, because their changes may be
   * older.
   */
  restart(version: number): void {
    this.#floor = this.#head = version;
    this.#sizes = [];
    this.#bytes = 0;
    for (const channel of this.#channels.values()) {
      channel.changes = [];
      wake(channel, { reason: 'change', head: 0 });
    }
  }

  /** The changes after this version, at most one page; undefined if they are older than the changes in memory. */
  after(kind: string, version: number): readonly FeedChange[] | undefined {
    if (version < this.#floor) return undefined;
    const { changes } = this.#channel(kind);
    const start = firstAfter(changes, version);
    return pageOf(changes.slice(start, start + limits.pageItems));
  }

  /** Calls back once, with the next change of the kind or the next bookmark, unless it is cancelled. */
  next(kind: string, woken: (wake: Wake) => void): () => void {
    const { waiting } = this.#channel(kind);
    waiting.add(woken);
    return () => {
      waiting.delete(woken);
    };
  }

  /** Sends the current position to every idle watcher. */
  bookmark(): void {
    for (const channel of this.#channels.values()) wake(channel, { reason: 'bookmark', head: this.#head });
  }

  /** Only trims when there is a quarter too much, so that the cost is spread over many changes. */
  #trim(): void {
    if (this.#sizes.length <= this.#capacity * 1.25 && this.#bytes <= this.#capacity_bytes * 1.25) return;
    let dropped = 0;
    for (const { bytes } of this.#sizes) {
      if (this.#sizes.length - dropped <= this.#capacity && this.#bytes <= this.#capacity_bytes) break;
      this.#bytes -= bytes;
      dropped++;
    }
    this.#sizes = this.#sizes.slice(dropped);
    this.#floor = (this.#sizes[0]?.version ?? this.#head + 1) - 1;
    for (const channel of this.#channels.values())
      channel.changes = channel.changes.slice(firstAfter(channel.changes, this.#floor));
  }

  #channel(kind: string): Channel {
    const known = this.#channels.get(kind);
    if (known) return known;
    const channel: Channel = { changes: [], waiting: new Set() };
    this.#channels.set(kind, channel);
    return channel;
  }
}

/** The first of these changes, as many as one watch may hold, and at least one, whatever its size. */
export function pageOf(changes: Iterable<FeedChange>): FeedChange[] {
  const page: FeedChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    bytes += change.bytes;
    if (page.length > 0 && bytes > limits.watchPageBytes) break;
    page.push(change);
  }
  return page;
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
