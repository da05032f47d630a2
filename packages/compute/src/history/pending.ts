import type { Cancel } from '@unikorn/core/world';

import type { ComputeInstance, HistoryEntry } from '../kinds/index.ts';
import { isBirth } from './birth.ts';

/** What is noted of an instance and not written yet. */
export class Pending {
  readonly begun: number;
  readonly entries: HistoryEntry[] = [];
  /** The lives that something was noted of, by uid: they may be over when it is written. */
  readonly lives = new Map<string, ComputeInstance>();
  /** What was done to make an instance that is not there yet: it becomes part of its life if it is born, else of none. */
  unborn: HistoryEntry[] = [];
  latest: number;
  cancel: Cancel = () => undefined;

  constructor(now: number) {
    this.begun = now;
    this.latest = now;
  }

  get size(): number {
    return this.entries.length + this.unborn.length;
  }

  add(entry: HistoryEntry, life: ComputeInstance | undefined, now: number): void {
    this.latest = now;
    if (life) this.lives.set(life.metadata.uid, life);
    if (isBirth(entry)) {
      this.entries.push(...this.unborn.filter(isDone).map((before) => ({ ...before, ...uidOf(entry) })));
      this.unborn = this.unborn.filter((before) => !isDone(before));
    }
    this.entries.push(entry);
  }

  addUnborn(entry: HistoryEntry, now: number): void {
    this.latest = now;
    this.unborn.push(entry);
  }

  /** Everything, as far as it is known of which life it is. */
  all(instance: ComputeInstance | undefined): readonly HistoryEntry[] {
    return [
      ...(instance ? this.entries.map((entry) => ({ ...uidOf(instance.metadata), ...entry })) : this.entries),
      ...this.unborn,
    ];
  }
}

/** What was taken back, or never worked, is part of no life. */
function isDone({ outcome }: HistoryEntry): boolean {
  return outcome === 'done';
}

function uidOf({ uid }: { readonly uid?: string | undefined }): Pick<HistoryEntry, 'uid'> {
  return uid === undefined ? {} : { uid };
}
