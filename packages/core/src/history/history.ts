import { isProblem, toError } from '../errors/index.ts';
import type { Metadata, Resource } from '../kinds/index.ts';
import { internalLimits, waits } from '../limits.ts';
import { deletionMarkOf } from '../references/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { preciseTimestamp, type World } from '../world/index.ts';
import { Archive } from './archive.ts';
import { creationOf, hasCreation, withCreation, withoutCreation } from './creation.ts';
import { deletionCause, deletionEntry, deletionTime, goneEntry, isDeletionBegun } from './deletion.ts';
import { inOrder, isActivity } from './entries.ts';
import type { HistoryEntry, HistoryEvent } from './kinds.ts';
import { Pending } from './pending.ts';
import { readHistory, type Extract, type HistoryRead } from './reading.ts';
import { Recent } from './recent.ts';
import type { HistorySubject } from './subject.ts';

export interface HistoryOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Pick<Telemetry, 'log'>;
  readonly subject: HistorySubject;
  /**
   * The current objects, such as a watch cache, which may lag behind the store. The store is asked for those that it
   * does not have.
   */
  readonly objects?: { get(id: string): Resource | undefined };
}

const { historyGather_ms: gather_ms } = waits;

/**
 * Stores the histories of one kind of objects. Entries of controllers are collected for a moment; a process that is
 * killed loses the entries of that time. Requests of callers
 * are stored before they are answered, together with the collected entries. A creation is stored in the object itself,
 * and enters the history with the first write.
 *
 * @example
 * const history = new History({ store, world, telemetry, subject: networkSubject, objects: caches.of(Network) });
 * history.record(id, { type: 'transition', action: 'health', outcome: 'Degraded' });
 */
export class History {
  readonly subject: HistorySubject;
  readonly #options: HistoryOptions;
  readonly #archive: Archive;
  readonly #pending = new Map<string, Pending>();
  readonly #writing = new Map<string, Promise<void>>();
  /** By uid. */
  readonly #begun = new Recent<true>(internalLimits.historyObjects);
  /** Objects, by id, whose history this process has written. */
  readonly #written = new Recent<true>(internalLimits.historyObjects);
  /** Objects for which the beginning of the deletion is recorded. */
  readonly #leaving = new Recent<Promise<void>>(internalLimits.historyObjects);
  /** The time of the last entry. */
  readonly #gone = new Recent<string>(internalLimits.historyObjects);
  /** The uids of objects that were deleted without a history, by id. */
  readonly #blank = new Recent<string>(internalLimits.historyObjects);

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.subject = options.subject;
    this.#archive = new Archive(options);
  }

  /** Records an event of an object; it is stored soon. */
  record(id: string, event: HistoryEvent, object: Resource | undefined = this.#options.objects?.get(id)): void {
    const entry = this.#entry(object ? { uid: object.metadata.uid, ...event } : event);
    const { uid } = entry;
    if (uid !== undefined && isDeletionBegun(entry)) {
      if (this.#leaving.get(uid)) return;
      this.#leaving.set(uid, Promise.resolve());
    }
    this.#add(id, entry, object);
  }

  /** Records work on an object that is not stored yet. */
  recordBeforeCreation(id: string, event: HistoryEvent): void {
    (this.#pending.get(id) ?? this.#begin(id)).addBeforeCreation(this.#entry(event), this.#options.world.now());
  }

  /** Records an event, and resolves once it is stored. */
  async commit(id: string, event: HistoryEvent, object?: Resource): Promise<void> {
    this.record(id, event, object);
    await this.#flush(id);
  }

  /**
   * The history of an id, of all objects that had it, with everything that was recorded up to now. `known` is the
   * object, if the caller has it.
   */
  async read(id: string, extract: Extract, known?: Resource): Promise<HistoryRead> {
    const { store } = this.#options;
    await this.#flush(id);
    const object = known ?? (await this.#stored(id));
    // Reading must not write for these. Several organizations can see an object that is not stored here.
    const { uneventful, isStored } = this.subject;
    const isDerived = uneventful === 'left out' || isStored === false;
    if (object && !isDerived) await this.#ensureBegun(object);
    const read = await readHistory(store, this.subject.storage, id, extract);
    const isWhole = !read.isPart && extract.before === undefined;
    return object && isDerived && isWhole ? { ...read, entries: inOrder(withCreation(read.entries, object)) } : read;
  }

  /** The metadata of a stored part of the history of an id, if there is one. Access is decided by its labels. */
  owner(id: string): Promise<Metadata | undefined> {
    return this.#archive.owner(id);
  }

  /** Records that the deletion of an object has begun, who asked for it and why. It is stored soon. */
  recordDeletionBegun(object: Resource, time: string = preciseTimestamp(this.#options.world.now())): Promise<void> {
    const { uid } = object.metadata;
    const known = this.#leaving.get(uid);
    if (known || this.subject.uneventful === 'left out') return known ?? Promise.resolve();
    const recorded = this.#addDeletionBegun(object, time);
    this.#leaving.set(uid, recorded);
    recorded.catch(() => {
      this.#leaving.delete(uid);
    });
    return recorded;
  }

  /**
   * Stores that an object was deleted, with the entries that are not written yet. Throws if that cannot be stored. A
   * controller calls this before it removes the object, so that every history ends with the deletion.
   */
  async recordDeletion(object: Resource): Promise<void> {
    const { name, uid } = object.metadata;
    if (this.#gone.get(uid) !== undefined) return;
    await this.#ensureLeaving(object);
    // The activity does not read the records of objects that are gone.
    if (this.#pending.get(name)?.entries.some(isActivity)) await this.#flush(name);
    await this.#writing.get(name);
    const leftOut = this.subject.uneventful === 'left out';
    // The usual end of an object without history. It costs two reads, because many objects of such a kind are deleted.
    if (leftOut && !(await this.#mayHaveHistory(object)) && !this.#pending.has(name)) {
      this.#blank.set(name, uid);
      return;
    }
    const isBegun = await this.#isStored(object);
    const recorded = this.#take(name)?.all(object) ?? [];
    if (leftOut && !isBegun && recorded.length === 0) return;
    const gone = goneEntry(uid, preciseTimestamp(this.#options.world.now()));
    try {
      await this.#archive.recordGone(
        object,
        isBegun ? withoutCreation(recorded, uid) : withCreation(recorded, object),
        gone,
      );
    } catch (error) {
      // The next attempt stores them.
      for (const entry of recorded) this.record(name, entry, object);
      throw error;
    }
    this.#gone.set(uid, gone.time);
  }

  /** Stores everything that is recorded. */
  async flush(): Promise<void> {
    await Promise.all([...new Set([...this.#pending.keys(), ...this.#writing.keys()])].map((id) => this.#flush(id)));
  }

  async #stored(id: string): Promise<Resource | undefined> {
    return this.subject.isStored === false ? undefined : this.#options.store.get(this.subject.kind, id);
  }

  /** A process may have ended after it stored an object and before it wrote its history. */
  async #ensureBegun(object: Resource): Promise<void> {
    if (!(await this.#hasBegun(object))) await this.commit(object.metadata.name, creationOf(object), object);
  }

  /** A process may have ended after the deletion of an object began and before it wrote that. */
  async #ensureLeaving(object: Resource): Promise<void> {
    const { name, uid, deletionTimestamp } = object.metadata;
    const known = this.#leaving.get(uid);
    if (known || deletionTimestamp === undefined || this.subject.uneventful === 'left out') return known;
    await this.#flush(name);
    const { entries } = await readHistory(this.#options.store, this.subject.storage, name, {});
    if (entries.some((entry) => entry.uid === uid && isDeletionBegun(entry))) return;
    await this.recordDeletionBegun(object, deletionTime(object, deletionTimestamp));
    await this.#flush(name);
  }

  async #addDeletionBegun(object: Resource, time: string): Promise<void> {
    const { name, uid } = object.metadata;
    const { owners = [] } = this.subject;
    const mark = deletionMarkOf(object) ?? (await deletionCause(this.#options.store, owners, object));
    this.#add(name, deletionEntry(uid, time, mark), object);
  }

  #add(id: string, entry: HistoryEntry, object: Resource | undefined): void {
    this.#blank.delete(id);
    const pending = this.#pending.get(id) ?? this.#begin(id);
    pending.add(this.#beforeGone(entry), object, this.#options.world.now());
    if (pending.size >= internalLimits.historyManyEntries) void this.#flush(id);
  }

  /** Nothing happens to an object after it is gone, but other processes and the watch may report it later. */
  #beforeGone(entry: HistoryEntry): HistoryEntry {
    const gone = entry.uid === undefined ? undefined : this.#gone.get(entry.uid);
    return gone !== undefined && gone < entry.time ? { ...entry, time: gone } : entry;
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
          this.#pending.size > internalLimits.historyFewPending ? Infinity : pending.latest + gather_ms.calm,
        ) - now;
      if (left_ms > 0) this.#schedule(id, pending, Math.min(left_ms, gather_ms.busy));
      else void this.#flush(id);
    });
  }

  #entry({ message, ...event }: HistoryEvent): HistoryEntry {
    const cut = message?.slice(0, internalLimits.historyMessageLength);
    return { time: preciseTimestamp(this.#options.world.now()), ...event, ...(cut ? { message: cut } : {}) };
  }

  #take(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.cancel();
    return pending;
  }

  /** One write for each id at a time, to keep the order. A history that cannot be written does not stop other work. */
  #flush(id: string): Promise<void> {
    const before = this.#writing.get(id) ?? Promise.resolve();
    const pending = this.#take(id);
    if (!pending) return before;
    const written = before
      .then(() => this.#write(id, pending))
      .catch((thrown: unknown) => {
        this.#options.telemetry.log.error(
          { err: toError(thrown), id, entries: pending.entries },
          `the history of a ${this.subject.resource} could not be written`,
        );
      })
      .finally(() => {
        if (this.#writing.get(id) === written) this.#writing.delete(id);
      });
    this.#writing.set(id, written);
    return written;
  }

  async #write(id: string, pending: Pending): Promise<void> {
    const { objects: current } = this.#options;
    const { objects } = pending;
    const object = current?.get(id) ?? (await this.#stored(id)) ?? [...objects.values()].at(-1);
    if (object) {
      objects.set(object.metadata.uid, object);
      this.#written.set(id, true);
    }
    let left = pending.all(object);
    for (const one of objects.values()) left = await this.#beginWith(one, left);
    if (left.length === 0) return;
    const owner = object?.metadata ?? (await this.#ownerOf(id));
    if (owner) await this.#archive.add(id, owner, left, object);
  }

  /**
   * The owner of a history whose object does not exist. A shared store has no index of labels, so it is only searched
   * if this process has written that history: not for each object that is about to be created.
   */
  async #ownerOf(id: string): Promise<Metadata | undefined> {
    return this.#options.store.sole || this.#written.get(id) ? this.#archive.owner(id) : undefined;
  }

  /**
   * Writes exactly one creation of each object before its other entries. Returns the entries that are still to be
   * written.
   */
  async #beginWith(object: Resource, entries: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
    const { uid } = object.metadata;
    const isOwn = (entry: HistoryEntry) => entry.uid === uid;
    const others = withoutCreation(entries, uid);
    // An object that was created just now should have no stored history. If it has one, the archive reports a conflict.
    if (others.length < entries.length ? this.#begun.get(uid) : await this.#hasBegun(object)) return others;
    const outcome = await this.#archive.begin(object, withCreation(entries.filter(isOwn), object));
    this.#begun.set(uid, true);
    return outcome === 'begun' ? others.filter((entry) => !isOwn(entry)) : others;
  }

  /** Whether the creation is stored, from memory or else from the store. */
  async #hasBegun(object: Resource): Promise<boolean> {
    const { uid } = object.metadata;
    if (this.#begun.get(uid)) return true;
    const isStored = await this.#isStored(object);
    if (isStored) this.#begun.set(uid, true);
    return isStored;
  }

  async #mayHaveHistory(object: Resource): Promise<boolean> {
    if (this.#blank.get(object.metadata.name) === object.metadata.uid) return false;
    return this.#options.store.sole
      ? (await this.#archive.owner(object.metadata.name)) !== undefined
      : this.#archive.hasBegun(object);
  }

  /**
   * Parts of earlier versions, and parts that were removed after the retention time, make it necessary to read the
   * whole history. A shared store has no index of labels, so there it is only read by name: a creation whose part was
   * removed is then stored again.
   */
  async #isStored(object: Resource): Promise<boolean> {
    const { store } = this.#options;
    const { name, uid } = object.metadata;
    if (await this.#archive.hasBegun(object)) return true;
    return store.sole && hasCreation((await readHistory(store, this.subject.storage, name, {})).entries, uid);
  }
}

/** Stores that an object was deleted. Controllers need no other part of a history. */
export type DeletionRecorder = Pick<History, 'recordDeletion'>;

/**
 * The part of an error that every reader of the history may see.
 *
 * @example history.record(id, { type: 'call', action: 'createServer', outcome: 'failed', message: publicMessage(error) });
 */
export function publicMessage(error: unknown): string {
  return isProblem(error) ? error.message : 'an unexpected error occurred';
}
