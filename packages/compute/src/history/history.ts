import type { WatchCache } from '@unikorn/core/controller';
import { isProblem, toError } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import { preciseTimestamp, type World } from '@unikorn/core/world';

import { ComputeInstance, type HistoryEntry } from '../kinds/index.ts';
import { Archive } from './archive.ts';
import { birthOf, tellsOfBirth, withBirth, withoutBirth } from './birth.ts';
import { Pending } from './pending.ts';
import { readHistory, type Extract, type HistoryRead } from './reading.ts';
import { Remembered } from './remembered.ts';

/** What happened; when, and in which life of the instance, is added unless it is known. */
export type Happening = Omit<HistoryEntry, 'time'> & { readonly time?: string };

export interface HistoryOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly instances: WatchCache<typeof ComputeInstance>;
}

/**
 * What happens to an instance is gathered for some seconds while much happens to many, and then written at once. While little
 * happens it is written as soon as nothing more has happened for a moment: a process that is killed loses that much.
 */
const gather_ms = { busy: 5_000, calm: 200 } as const;

/** As many instances that something happens to at once are little. */
const few = 16;

/** As much of one instance is written at once, whatever the time. */
const many = 100;

/** Longer than any message of ours; what others say is cut. */
const messageLength = 1_000;

/** How many lives are known to have begun without looking. */
const livesKnown = 50_000;

/**
 * Keeps what happened to instances. What machinery does is gathered for a moment; what people asked for is stored before they
 * are answered, and takes along what was gathered. That they asked for an instance is stored with the instance itself, and
 * gets into its history with whatever is written there first.
 */
export class History {
  readonly #options: HistoryOptions;
  readonly #archive: Archive;
  readonly #pending = new Map<string, Pending>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #begun = new Remembered<true>(livesKnown);
  readonly #buried = new Remembered<true>(livesKnown);

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#archive = new Archive(options);
  }

  /** Notes what happened to an instance; it is stored soon. */
  record(
    id: string,
    happening: Happening,
    instance: ComputeInstance | undefined = this.#options.instances.get(id),
  ): void {
    const pending = this.#pending.get(id) ?? this.#begin(id);
    pending.add(
      this.#entry(instance ? { uid: instance.metadata.uid, ...happening } : happening),
      instance,
      this.#options.world.now(),
    );
    if (pending.size >= many) void this.#flush(id);
  }

  /** Notes what was done to make an instance that is not there yet. */
  recordUnborn(id: string, happening: Happening): void {
    (this.#pending.get(id) ?? this.#begin(id)).addUnborn(this.#entry(happening), this.#options.world.now());
  }

  /** Notes what happened, and resolves once that is stored. */
  async commit(id: string, happening: Happening, instance?: ComputeInstance): Promise<void> {
    this.record(id, happening, instance);
    await this.#flush(id);
  }

  /** What happened to an instance in all its lives, with what has been noted up to now. */
  async read(id: string, extract: Extract): Promise<HistoryRead> {
    const { store } = this.#options;
    await this.#flush(id);
    const instance = await store.get(ComputeInstance, id);
    if (instance) await this.#settle(instance);
    return readHistory(store, id, extract);
  }

  /** Keeps what is left of an instance that goes, with what was noted of it; fails if that cannot be stored. */
  async bury(life: ComputeInstance): Promise<void> {
    const { name, uid } = life.metadata;
    if (this.#buried.get(uid)) return;
    await this.#writing.get(name);
    const isTold = await this.#isStored(life);
    const gone = this.#entry({ type: 'transition', uid, action: 'deletion', outcome: 'gone' });
    const noted = this.#take(name)?.all(life) ?? [];
    try {
      await this.#archive.bury(life, isTold ? withoutBirth([...noted, gone], uid) : withBirth([...noted, gone], life));
    } catch (error) {
      // It is still to be told, by the next attempt.
      for (const entry of noted) this.record(name, entry, life);
      throw error;
    }
    this.#buried.set(uid, true);
  }

  /** Stores whatever is noted. */
  async flush(): Promise<void> {
    await Promise.all([...new Set([...this.#pending.keys(), ...this.#writing.keys()])].map((id) => this.#flush(id)));
  }

  /** Sees to it that the history of an instance begins: a process may have ended between storing it and writing of it. */
  async #settle(instance: ComputeInstance): Promise<void> {
    if (!(await this.#isTold(instance))) await this.commit(instance.metadata.name, birthOf(instance), instance);
  }

  #begin(id: string): Pending {
    const pending = new Pending(this.#options.world.now());
    this.#pending.set(id, pending);
    this.#schedule(id, pending, gather_ms.calm);
    return pending;
  }

  #schedule(id: string, pending: Pending, delay_ms: number): void {
    const { world } = this.#options;
    pending.cancel = world.after(delay_ms, () => {
      const now = world.now();
      const left_ms =
        Math.min(
          pending.begun + gather_ms.busy,
          this.#pending.size > few ? Infinity : pending.latest + gather_ms.calm,
        ) - now;
      if (left_ms > 0) this.#schedule(id, pending, Math.min(left_ms, gather_ms.busy));
      else void this.#flush(id);
    });
  }

  #entry({ message, ...happening }: Happening): HistoryEntry {
    const cut = message?.slice(0, messageLength);
    return { time: preciseTimestamp(this.#options.world.now()), ...happening, ...(cut ? { message: cut } : {}) };
  }

  #take(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.cancel();
    return pending;
  }

  /** One write for each instance at a time, so that they keep their order. A history that cannot be kept stops nobody's work. */
  #flush(id: string): Promise<void> {
    const before = this.#writing.get(id) ?? Promise.resolve();
    const pending = this.#take(id);
    if (!pending) return before;
    const { telemetry } = this.#options;
    const written = before
      .then(() => this.#write(id, pending))
      .catch((thrown: unknown) => {
        telemetry.log.error(
          { err: toError(thrown), id, entries: pending.entries },
          'the history of an instance could not be written',
        );
      })
      .finally(() => {
        if (this.#writing.get(id) === written) this.#writing.delete(id);
      });
    this.#writing.set(id, written);
    return written;
  }

  async #write(id: string, pending: Pending): Promise<void> {
    const { store, instances } = this.#options;
    const { lives } = pending;
    const instance = instances.get(id) ?? (await store.get(ComputeInstance, id)) ?? [...lives.values()].at(-1);
    if (instance) lives.set(instance.metadata.uid, instance);
    let left = pending.all(instance);
    for (const life of lives.values()) left = await this.#beginLife(life, left);
    if (left.length === 0) return;
    const owner = instance?.metadata ?? (await this.#archive.owner(id));
    if (owner) await this.#archive.add(id, owner, left, instance);
  }

  /** Writes exactly one beginning of each life before anything else of it; what is left is still to be written. */
  async #beginLife(life: ComputeInstance, entries: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
    const { uid } = life.metadata;
    const isOwn = (entry: HistoryEntry) => entry.uid === uid;
    const others = withoutBirth(entries, uid);
    // What is born just now is told of nowhere else; should it be, the archive says so.
    if (others.length < entries.length ? this.#begun.get(uid) : await this.#isTold(life)) return others;
    const outcome = await this.#archive.begin(life, withBirth(entries.filter(isOwn), life));
    this.#begun.set(uid, true);
    return outcome === 'begun' ? others.filter((entry) => !isOwn(entry)) : others;
  }

  /** Whether it is told how a life began, as far as this process remembers or else can find out. */
  async #isTold(life: ComputeInstance): Promise<boolean> {
    const { uid } = life.metadata;
    if (this.#begun.get(uid)) return true;
    const isStored = await this.#isStored(life);
    if (isStored) this.#begun.set(uid, true);
    return isStored;
  }

  /** Parts of older versions, and what has been cleared away, make it necessary to look at all there is. */
  async #isStored(life: ComputeInstance): Promise<boolean> {
    return (
      (await this.#archive.hasBegun(life)) ||
      tellsOfBirth((await readHistory(this.#options.store, life.metadata.name, {})).entries, life.metadata.uid)
    );
  }
}

/** What of an error anybody may read. */
export function toldOf(error: unknown): string {
  return isProblem(error) ? error.message : 'an unexpected error occurred';
}
