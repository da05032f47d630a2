import { isProblem } from '../errors/index.ts';
import type { Metadata, Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import { labels } from '../resource/index.ts';
import { matching, modify, type Store } from '../store/index.ts';
import { preciseTimestamp, type World } from '../world/index.ts';
import { goneLater } from './deletion.ts';
import { inOrder, trimmed } from './entries.ts';
import type { HistoryEntry, HistoryStorage } from './kinds.ts';
import { mergeOf } from './merging.ts';
import { creationName, entriesName, formerCreationName, goneName } from './names.ts';
import { Recent } from './recent.ts';
import type { HistorySubject } from './subject.ts';

/** More parts than a process ever writes. It is part of the names of parts. */
const mostWritten = 36 ** 7 - 1;

/** Stores histories. Parts are never changed, but many parts of a day are merged into one. */
export class Archive {
  readonly #store: Store;
  readonly #world: World;
  readonly #subject: HistorySubject;
  readonly #storage: HistoryStorage;
  /** The number of parts, by id and day. */
  readonly #parts = new Recent<number>(internalLimits.historyCounts);

  readonly #process: string;
  #written = 0;

  constructor({
    store,
    world,
    subject,
  }: {
    readonly store: Store;
    readonly world: World;
    readonly subject: HistorySubject;
  }) {
    this.#store = store;
    this.#world = world;
    this.#subject = subject;
    this.#storage = subject.storage;
    this.#process = world.uuid().slice(0, 8);
  }

  /** Adds entries to a history. */
  async add(
    id: string,
    owner: Metadata,
    entries: readonly HistoryEntry[],
    object: Resource | undefined,
  ): Promise<void> {
    const day = this.#today();
    await this.#store.create(this.#storage.parts, {
      metadata: {
        name: entriesName({ id, day, time: this.#world.now(), unique: this.#unique() }),
        labels: this.#labels(id, day, owner),
      },
      spec: trimmed(inOrder(entries), internalLimits.historyWrite),
    });
    await this.#count(id, day, object);
  }

  /** Begins the history of an object, unless another process has done so. */
  async begin(object: Resource, entries: readonly HistoryEntry[]): Promise<'begun' | 'known'> {
    const id = object.metadata.name;
    const day = this.#today();
    try {
      await this.#store.create(this.#storage.parts, {
        metadata: { name: creationName(object), labels: this.#labels(id, day, object.metadata) },
        spec: trimmed(inOrder(entries), internalLimits.historyWrite),
      });
    } catch (error) {
      if (isProblem(error, 'conflict')) return 'known';
      throw error;
    }
    if (createdOn(object) === day && this.#parts.get(`${id} ${day}`) === undefined) this.#parts.set(`${id} ${day}`, 1);
    return 'begun';
  }

  async hasBegun(object: Resource): Promise<boolean> {
    for (const name of [creationName(object), formerCreationName(object)])
      if ((await this.#store.get(this.#storage.parts, name)) !== undefined) return true;
    return false;
  }

  /** Stores that an object was deleted, with its last entries. */
  async recordGone(object: Resource, entries: readonly HistoryEntry[], gone: HistoryEntry): Promise<void> {
    const { metadata } = object;
    const deletedAt = metadata.deletionTimestamp ?? preciseTimestamp(this.#world.now());
    const kept = (this.#subject.keptLabels ?? []).flatMap((label) =>
      metadata.labels?.[label] === undefined ? [] : [[label, metadata.labels[label]] as const],
    );
    const spec = {
      uid: metadata.uid,
      createdAt: metadata.creationTimestamp,
      deletedAt,
      ...trimmed(inOrder([...entries, gone]), internalLimits.historyWrite),
    };
    const name = goneName(object, deletedAt);
    try {
      await this.#storage.recordGone(
        this.#store,
        {
          metadata: {
            name,
            labels: { ...this.#labels(metadata.name, this.#today(), metadata), ...Object.fromEntries(kept) },
          },
          spec,
        },
        object,
      );
    } catch (error) {
      // A process that ended before the object was removed had already stored it. The history still ends with it.
      if (!isProblem(error, 'conflict')) throw error;
      if (entries.length > 0) await this.add(metadata.name, metadata, entries, object);
      await this.#storage.amendGone(this.#store, name, (stored) => goneLater(stored, gone));
    }
  }

  /** The metadata of any stored part of a history. Its labels name the organization, the project and the resource. */
  async owner(id: string): Promise<Metadata | undefined> {
    const selector = matching({ [this.#storage.labels.subject]: id });
    const [part] = (await this.#store.list(this.#storage.parts, { selector, limit: 1 })).items;
    return part?.metadata ?? (await this.#storage.listGone(this.#store, { selector, limit: 1 })).items[0]?.metadata;
  }

  async #count(id: string, day: string, object: Resource | undefined): Promise<void> {
    const key = `${id} ${day}`;
    const now = (this.#parts.get(key) ?? (await this.#earlierParts(id, day))) + 1;
    this.#parts.set(key, now);
    if (now < internalLimits.historyPartsPerMerge) return;
    await this.#merge(id, day, object);
  }

  /**
   * The number of parts before the one that was just written. A shared store has no index of labels, so it is not asked
   * for every object: each process then only counts its own parts.
   */
  async #earlierParts(id: string, day: string): Promise<number> {
    if (!this.#store.sole) return 0;
    const selector = this.#of(id, day);
    const limit = internalLimits.historyPartsPerMerge;
    return (await this.#store.list(this.#storage.parts, { selector, limit })).items.length - 1;
  }

  /**
   * The merged part is stored before the parts that it replaces are removed, so that nothing is lost when the process
   * ends.
   */
  async #merge(id: string, day: string, object: Resource | undefined): Promise<void> {
    const { parts } = this.#storage;
    const { items } = await this.#store.list(parts, { selector: this.#of(id, day) });
    const merge = mergeOf(id, day, items, object?.metadata.uid);
    const [owner] = items;
    this.#parts.set(
      `${id} ${day}`,
      merge ? 1 + merge.left : Math.min(items.length, internalLimits.historyPartsPerMerge - 1),
    );
    if (!merge || !owner) return;
    try {
      await this.#store.create(parts, {
        metadata: { name: merge.merged.name, labels: this.#labels(id, day, owner.metadata) },
        spec: merge.merged.spec,
      });
    } catch (error) {
      // Another process merges the same parts.
      if (isProblem(error, 'conflict')) return;
      throw error;
    }
    for (const { of, spec } of merge.shortened)
      await modify(this.#store, parts, of.metadata.name, (current) => ({ ...current, spec }));
    await Promise.all(merge.removed.map((name) => this.#store.delete(parts, name)));
  }

  #of(id: string, day: string) {
    return matching({ [this.#storage.labels.subject]: id, [this.#storage.labels.day]: day });
  }

  /**
   * Every part has the labels of its organization, project and resource, because access is decided by them after the
   * object is deleted.
   */
  #labels(id: string, day: string, { labels: carried = {} }: Metadata): Readonly<Record<string, string>> {
    const {
      [labels.organization]: organization = '',
      [labels.project]: project = '',
      [labels.name]: name = '',
    } = carried;
    const places = Object.values(this.#subject.places ?? {}).map((label) => [label, carried[label] ?? ''] as const);
    return {
      ...Object.fromEntries(places),
      [this.#storage.labels.subject]: id,
      [this.#storage.labels.day]: day,
      [labels.resourceKind]: this.#subject.kind.id,
      [labels.name]: name,
      [labels.organization]: organization,
      [labels.project]: project,
    };
  }

  /** A suffix that no other process uses. Later ones sort first. */
  #unique(): string {
    return `${(mostWritten - this.#written++).toString(36).padStart(7, '0')}-${this.#process}`;
  }

  #today(): string {
    return dayOf(this.#world.now());
  }
}

function createdOn({ metadata }: Resource): string {
  return metadata.creationTimestamp.slice(0, 10);
}

/** Such as `2026-01-31`, in UTC. */
export function dayOf(time: number): string {
  return preciseTimestamp(time).slice(0, 10);
}
