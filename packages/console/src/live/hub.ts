import type { Change, OnAlive, OnInterruption } from '@unikorn/sdk';

import { limits, waits } from '../limits.ts';
import type { BrowserPlatform } from '../platform.ts';
import type { TakePlace } from './stream-places.ts';

/** How current a list is. */
export type Freshness = 'loading' | 'live' | 'polled' | 'stale' | 'refused';

export interface Snapshot<Item> {
  /** While the list is loading, the objects that have arrived so far. */
  readonly items: readonly Item[];
  readonly byId: ReadonlyMap<string, Item>;
  readonly freshness: Freshness;
  /** When the list was last known to be complete, in milliseconds since the epoch. */
  readonly asOf: number | undefined;
  readonly error: Error | undefined;
}

/** Whether the first reading of a list does not go on. It is tried again. */
function isInterrupted({ freshness, error }: Snapshot<unknown>): boolean {
  return freshness === 'loading' && error !== undefined;
}

/** Why a list is not known: the service refused it, or does not answer. */
export function failureOf(snapshot: Snapshot<unknown>): Error | undefined {
  return snapshot.freshness === 'refused' || isInterrupted(snapshot) ? snapshot.error : undefined;
}

export interface Identified {
  readonly metadata: { readonly id: string };
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly onInterruption: OnInterruption;
  readonly onAlive: OnAlive;
}

/** Opens the stream of one kind and scope. */
export type Open<Item> = (options: OpenOptions) => AsyncGenerator<Change<Item>, never>;

/** What the hub needs of its surroundings. */
export interface HubPlatform extends Pick<BrowserPlatform, 'now' | 'after' | 'pause'> {
  /** Calls back before the next frame is drawn. */
  readonly frame: (callback: () => void) => void;
  readonly isVisible: () => boolean;
  readonly onVisibility: (callback: () => void) => void;
  /** Waits for one of the streams that all tabs of the browser share. */
  readonly takePlace: TakePlace;
}

/**
 * The streams of this tab, shared by all components: one per kind and scope, and at most two at a time, because a
 * browser has only six connections to a server for all its tabs. The tabs together have a few, too. Other lists
 * are read
 * from time to time. A hidden page has no stream.
 */
export class Hub {
  readonly #platform: HubPlatform;
  readonly #lists = new Map<string, AnyList>();
  readonly #listeners = new Set<() => void>();
  #health: Health = { freshness: 'live', asOf: undefined };
  #cancelPause = () => {};
  #paused = false;

  constructor(platform: HubPlatform) {
    this.#platform = platform;
    const look = () => {
      this.#cancelPause();
      if (platform.isVisible()) this.#pause(false);
      else
        this.#cancelPause = platform.after(waits.hidden_ms, () => {
          this.#pause(true);
        });
    };
    platform.onVisibility(look);
    // A tab can be opened in the background.
    look();
  }

  /** The list of a key; the first caller opens it. */
  list<Item extends Identified>(key: string, open: Open<Item>): LiveList<Item> {
    const known = this.#lists.get(key);
    if (known && isListOf(known, open)) return known;
    const list = new LiveList<Item>(open, this.#platform, () => {
      this.#arrange();
    });
    this.#lists.set(key, list);
    return list;
  }

  /** The worst state of all lists in use, for the shell. */
  get health(): Health {
    return this.#health;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #pause(paused: boolean): void {
    this.#paused = paused;
    this.#arrange();
  }

  /** The lists that were asked for last get the streams. */
  #arrange(): void {
    const used = [...this.#lists.values()].filter((list) => list.isUsed).toSorted((a, b) => b.usedSince - a.usedSince);
    for (const [key, list] of this.#lists) if (list.isOver) this.#lists.delete(key);
    for (const [index, list] of used.entries())
      list.run(this.#paused ? 'nothing' : index < limits.streams ? 'stream' : 'poll');
    const snapshots = used.map((list) => list.snapshot);
    const stale = snapshots.find((each) => each.freshness === 'stale' || isInterrupted(each));
    const health: Health = { freshness: stale ? 'stale' : 'live', asOf: stale?.asOf };
    if (health.freshness === this.#health.freshness && health.asOf === this.#health.asOf) return;
    this.#health = health;
    for (const listener of this.#listeners) listener();
  }
}

export interface Health {
  readonly freshness: 'live' | 'stale';
  readonly asOf: number | undefined;
}

/** A list, whatever it contains. */
type AnyList = Pick<LiveList<Identified>, 'isUsed' | 'isOver' | 'usedSince' | 'run' | 'snapshot'>;

/** The key says what is opened, so that a list with the same key has the same type. */
function isListOf<Item extends Identified>(list: AnyList, open: Open<Item>): list is LiveList<Item> {
  return list instanceof LiveList && typeof open === 'function';
}

type Mode = 'nothing' | 'stream' | 'poll';

const empty: Snapshot<never> = {
  items: [],
  byId: new Map<string, never>(),
  freshness: 'loading',
  asOf: undefined,
  error: undefined,
};

/**
 * One list. The first time, it shows its objects while they arrive. Later it keeps its data while its connection is
 * away, and swaps them when the new ones are complete.
 */
export class LiveList<Item extends Identified> {
  readonly #open: Open<Item>;
  readonly #platform: HubPlatform;
  readonly #onUse: () => void;
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot<Item> = empty;
  #items = new Map<string, Item>();
  /** Collects the objects of a new stream until they are complete. */
  #next: Map<string, Item> | undefined;
  #wasComplete = false;
  #mode: Mode = 'nothing';
  #running: AbortController | undefined;
  #drawing = false;
  #drawnAt = 0;
  #freshness: Freshness = 'loading';
  #asOf: number | undefined;
  #error: Error | undefined;
  #cancelLinger = () => {};
  #lingering = false;
  usedSince = 0;

  constructor(open: Open<Item>, platform: HubPlatform, onUse: () => void) {
    this.#open = open;
    this.#platform = platform;
    this.#onUse = onUse;
  }

  get snapshot(): Snapshot<Item> {
    return this.#snapshot;
  }

  get isUsed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether it was used, and is not any more. A list that a page has just asked for is about to be used. */
  get isOver(): boolean {
    return this.usedSince > 0 && !this.isUsed && !this.#lingering;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#cancelLinger();
    this.#lingering = false;
    if (this.#listeners.size === 0) this.usedSince = uses++;
    this.#listeners.add(listener);
    this.#onUse();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#lingering = true;
      this.#cancelLinger = this.#platform.after(waits.linger_ms, () => {
        this.#lingering = false;
        this.run('nothing');
        this.#onUse();
      });
    };
  };

  run(mode: Mode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#running?.abort(new Error('the list is not shown any more'));
    this.#running = undefined;
    if (mode === 'nothing') return;
    const running = (this.#running = new AbortController());
    void this.#follow(mode, running.signal);
  }

  async #follow(mode: 'stream' | 'poll', signal: AbortSignal): Promise<void> {
    try {
      if (mode === 'stream') await this.#streamed(signal);
      else await this.#polled(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#freshness = 'refused';
      this.#error = error instanceof Error ? error : new Error(String(error));
      this.#draw();
    }
  }

  /**
   * Follows the stream. While all streams of the browser are in use by other tabs, the list is read
   * again and again.
   */
  async #streamed(signal: AbortSignal): Promise<void> {
    const free = new AbortController();
    const place = this.#platform.takePlace(signal).then((giveBack) => {
      free.abort(new Error('a stream is free'));
      return giveBack;
    });
    signal.addEventListener(
      'abort',
      () =>
        void place.then((giveBack) => {
          giveBack();
        }),
    );
    await this.#paused(waits.place_ms, AbortSignal.any([signal, free.signal]));
    while (!free.signal.aborted && !signal.aborted)
      await this.#polled(AbortSignal.any([signal, free.signal])).catch((error: unknown) => {
        if (!free.signal.aborted) throw error;
      });
    while (!signal.aborted) {
      await this.#once('stream', signal);
      await this.#paused(waits.poll_ms, signal);
    }
  }

  async #polled(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#once('poll', signal);
      await this.#paused(waits.poll_ms, signal);
    }
  }

  #paused(duration_ms: number, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve) => {
      // A list is read for days under the same signal, so that nothing of a pause may stay on it.
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#platform.after(duration_ms, end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }

  /** Reads the stream: to its end, which does not come, or until the list is complete. */
  async #once(mode: 'stream' | 'poll', signal: AbortSignal): Promise<void> {
    this.#next = new Map();
    const reading = new AbortController();
    const stream = this.#open({
      signal: AbortSignal.any([signal, reading.signal]),
      onInterruption: (error) => {
        if (signal.aborted) return;
        this.#error = error;
        // A list that was never complete is not known, so nobody may conclude that something is not in it.
        this.#freshness = this.#wasComplete ? (error ? 'stale' : 'live') : 'loading';
        this.#draw();
      },
      onAlive: () => {
        this.#asOf = this.#platform.now();
      },
    });
    let events = 0;
    try {
      for await (const change of stream) {
        if (events > 0 && events % limits.eventsTogether === 0) await this.#platform.pause();
        events += 1;
        this.#apply(change);
        if (change.type !== 'synced') continue;
        this.#freshness = mode === 'poll' ? 'polled' : 'live';
        this.#error = undefined;
        this.#draw();
        if (mode === 'poll') return;
      }
    } finally {
      reading.abort(new Error('the list is complete'));
    }
  }

  #apply(change: Change<Item>): void {
    const target = this.#next ?? this.#items;
    switch (change.type) {
      case 'added':
      case 'modified':
        target.set(change.object.metadata.id, change.object);
        break;
      case 'deleted':
        target.delete(change.object.metadata.id);
        break;
      case 'reset':
        this.#next = new Map();
        return;
      case 'synced':
        if (this.#next) this.#items = this.#next;
        this.#next = undefined;
        this.#wasComplete = true;
        break;
    }
    if (!this.#next || this.#hasGrown(this.#next)) this.#draw();
  }

  /**
   * Whether a list that is read for the first time has so many new objects that they are worth a drawing. Four times
   * as many each time, so that a list is drawn only a few times until it is complete; but not more new ones than can
   * be put in order within a frame.
   */
  #hasGrown({ size }: ReadonlyMap<string, Item>): boolean {
    const { length } = this.#snapshot.items;
    return !this.#wasComplete && size >= Math.max(limits.firstRows, Math.min(4 * length, length + limits.newRows));
  }

  /** Many changes become one new snapshot per frame. A long list changes at most a few times per second. */
  #draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    const wait_ms = this.#items.size < limits.longList ? 0 : this.#drawnAt + waits.longList_ms - this.#platform.now();
    const draw = () => {
      this.#platform.frame(() => {
        this.#drawNow();
      });
    };
    if (wait_ms > 0) this.#platform.after(wait_ms, draw);
    else draw();
  }

  #drawNow(): void {
    this.#drawing = false;
    // What is drawn while the list is read must not delay the whole of it.
    if (this.#wasComplete) this.#drawnAt = this.#platform.now();
    const shown = this.#wasComplete ? this.#items : (this.#next ?? this.#items);
    this.#snapshot = {
      items: [...shown.values()],
      byId: new Map(shown),
      freshness: this.#freshness,
      asOf: this.#asOf,
      error: this.#error,
    };
    for (const listener of this.#listeners) listener();
    this.#onUse();
  }
}

/** Counts the lists that were asked for, so that the order is known. */
let uses = 1;
