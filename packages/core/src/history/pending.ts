import { defined } from '../defined.ts';
import type { Resource } from '../kinds/index.ts';
import type { Cancel } from '../world/index.ts';
import { isCreation } from './creation.ts';
import type { HistoryEntry } from './kinds.ts';

/** Entries of one id that are recorded and not written yet. */
export class Pending {
  readonly begun: number;
  readonly entries: HistoryEntry[] = [];
  /** The objects of the entries, by uid: an object may be deleted before its entries are written. */
  readonly objects = new Map<string, Resource>();
  /** Work on an object that is not stored yet. It becomes part of the object's history if the object is created. */
  beforeCreation: HistoryEntry[] = [];
  latest: number;
  cancel: Cancel = () => undefined;

  constructor(now: number) {
    this.begun = now;
    this.latest = now;
  }

  get size(): number {
    return this.entries.length + this.beforeCreation.length;
  }

  add(entry: HistoryEntry, object: Resource | undefined, now: number): void {
    this.latest = now;
    if (object) this.objects.set(object.metadata.uid, object);
    if (isCreation(entry)) {
      this.entries.push(
        ...this.beforeCreation.filter(isDone).map((before) => ({ ...before, ...defined({ uid: entry.uid }) })),
      );
      this.beforeCreation = this.beforeCreation.filter((before) => !isDone(before));
    }
    this.entries.push(entry);
  }

  addBeforeCreation(entry: HistoryEntry, now: number): void {
    this.latest = now;
    this.beforeCreation.push(entry);
  }

  /** All entries, with the uid of the object where it is known. */
  all(object: Resource | undefined): readonly HistoryEntry[] {
    return [
      ...(object ? this.entries.map((entry) => ({ uid: object.metadata.uid, ...entry })) : this.entries),
      ...this.beforeCreation,
    ];
  }
}

/** Steps that failed or were undone belong to no object. */
function isDone({ outcome }: HistoryEntry): boolean {
  return outcome === 'done';
}
