import { internalLimits } from '../limits.ts';
import type { Cancel, World } from '../world/index.ts';
import { Heap, type HeapItem } from './heap.ts';

/**
 * Why a key is queued, the most urgent reason first: the object changed, a dependency changed, a retry is due, or the
 * periodic resync is due.
 */
export const priorities = ['change', 'dependency', 'retry', 'resync'] as const;
export type Priority = (typeof priorities)[number];

export interface Wakeup {
  readonly priority: Priority;
  /** The cause of the wake-up, from a small set of words: it is a label of metrics and is shown by explain. */
  readonly cause: string;
  readonly after_ms?: number;
}

/** A key to work on, with all wake-ups since it was last taken. */
export interface Work {
  readonly key: string;
  readonly causes: readonly string[];
}

interface Entry extends HeapItem {
  readonly key: string;
  causes: string[];
  rank: number;
  due_ms: number;
  /**
   * The state of the entry: it waits for its time, for a worker, for the end of the current run of the same key, or is
   * not queued.
   */
  state: 'delayed' | 'ready' | 'held' | 'idle';
  order: number;
}

/**
 * Keys to work on. A key is queued once, however often it is added; it keeps the highest priority and the earliest
 * time. A key is never handed out twice at the same time: if it is added while a worker has it, it is queued again when
 * the worker finishes. Within a priority the order is first in, first out. Adding and taking are O(log n), and one
 * timer serves all delayed keys.
 */
export class WorkQueue {
  readonly #world: World;
  /**
   * Keys that are queued or in progress. An entry stays in the map while its key is in progress and queued again,
   * because deleting one key from a large Map over and over makes each look-up slower until the Map is rebuilt.
   */
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<string>();
  readonly #delayed = new Heap<Entry>((a, b) => a.due_ms < b.due_ms || (a.due_ms === b.due_ms && a.order < b.order));
  readonly #ready = priorities.map(() => new Heap<Entry>((a, b) => a.order < b.order));
  readonly #takers: ((work: Work | undefined) => void)[] = [];
  #timer: { readonly due_ms: number; readonly cancel: Cancel } | undefined;
  #order = 0;
  #taken = 0;
  #closed = false;

  constructor(world: World) {
    this.#world = world;
  }

  add(key: string, { priority, cause, after_ms = 0 }: Wakeup): void {
    if (this.#closed) return;
    const rank = priorities.indexOf(priority);
    const now_ms = this.#world.monotonic_ms();
    const due_ms = now_ms + after_ms;
    this.#release(now_ms);
    const entry = this.#entries.get(key) ?? this.#enter(key);
    if (!entry.causes.includes(cause)) entry.causes.push(cause);
    if (entry.state === 'idle') entry.rank = rank;
    if (entry.state === 'ready' && rank < entry.rank) this.#promote(entry, rank);
    entry.rank = Math.min(entry.rank, rank);
    if (entry.state === 'idle') this.#schedule(entry, due_ms, now_ms);
    else if (entry.state === 'delayed' && due_ms < entry.due_ms) {
      this.#delayed.remove(entry);
      this.#schedule(entry, due_ms, now_ms);
    }
    this.#setTimer(now_ms);
    this.#serve();
  }

  /** Resolves with the next key as soon as there is one; undefined once the queue is closed. */
  next(): Promise<Work | undefined> {
    const work = this.#closed ? undefined : this.#take();
    if (work || this.#closed) return Promise.resolve(work);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Marks the work on a key as finished, so that the key can be handed out again. */
  finish(key: string): void {
    this.#running.delete(key);
    const entry = this.#entries.get(key);
    if (entry?.state === 'held') this.#makeReady(entry);
    else if (entry?.state === 'idle') this.#entries.delete(key);
    this.#serve();
  }

  /** Removes all keys. No key is handed out any more. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#entries.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  /** Number of keys that could be handed out now, by priority. */
  depth(priority: Priority): number {
    return this.#ready[priorities.indexOf(priority)]?.size ?? 0;
  }

  get delayed(): number {
    return this.#delayed.size;
  }

  get running(): readonly string[] {
    return [...this.#running];
  }

  /** How long the oldest ready key has been waiting. */
  get oldest_ms(): number {
    const first = this.#longestWaiting();
    return first ? this.#world.monotonic_ms() - first.due_ms : 0;
  }

  #enter(key: string): Entry {
    const entry: Entry = { key, causes: [], rank: 0, due_ms: 0, state: 'idle', order: 0, position: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #schedule(entry: Entry, due_ms: number, now_ms: number): void {
    entry.due_ms = due_ms;
    if (due_ms <= now_ms) {
      this.#makeDue(entry);
      return;
    }
    entry.state = 'delayed';
    entry.order = this.#order++;
    this.#delayed.push(entry);
  }

  #promote(entry: Entry, rank: number): void {
    this.#ready[entry.rank]?.remove(entry);
    this.#ready[rank]?.push(entry);
  }

  /** Moves keys whose time has come to the ready queue. */
  #release(now_ms: number): void {
    for (let first = this.#delayed.peek(); first && first.due_ms <= now_ms; first = this.#delayed.peek()) {
      this.#delayed.remove(first);
      this.#makeDue(first);
    }
  }

  #makeDue(entry: Entry): void {
    if (this.#running.has(entry.key)) entry.state = 'held';
    else this.#makeReady(entry);
  }

  #setTimer(now_ms: number): void {
    const due_ms = this.#delayed.peek()?.due_ms;
    if (this.#timer?.due_ms === due_ms) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (due_ms === undefined) return;
    const fire = () => {
      this.#timer = undefined;
      const fired_ms = this.#world.monotonic_ms();
      this.#release(fired_ms);
      this.#setTimer(fired_ms);
      this.#serve();
    };
    this.#timer = { due_ms, cancel: this.#world.after(Math.ceil(due_ms - now_ms), fire) };
  }

  #makeReady(entry: Entry): void {
    entry.state = 'ready';
    entry.order = this.#order++;
    this.#ready[entry.rank]?.push(entry);
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      const work = this.#take();
      if (!work) return;
      this.#takers.shift()?.(work);
    }
  }

  #take(): Work | undefined {
    const fair = this.#taken % internalLimits.fairShare === internalLimits.fairShare - 1;
    const entry = fair ? this.#longestWaiting() : this.#mostUrgent();
    if (!entry) return undefined;
    this.#taken++;
    this.#ready[entry.rank]?.remove(entry);
    this.#running.add(entry.key);
    const { key, causes } = entry;
    entry.state = 'idle';
    entry.causes = [];
    return { key, causes };
  }

  #mostUrgent(): Entry | undefined {
    return this.#ready.find((heap) => heap.size > 0)?.peek();
  }

  #longestWaiting(): Entry | undefined {
    let longest: Entry | undefined;
    for (const heap of this.#ready) {
      const first = heap.peek();
      if (first && (!longest || first.order < longest.order)) longest = first;
    }
    return longest;
  }
}
