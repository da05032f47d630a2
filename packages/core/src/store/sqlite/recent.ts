import type { Resource } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';

interface Kept {
  readonly object: Resource;
  readonly bytes: number;
}

/**
 * Objects as they were last read or written, so that those which are read over and over are not fetched and parsed again.
 * What is being written is not among them, because only the database knows from when on it is what was written: so whatever
 * is found here is what the database would answer.
 */
export class RecentObjects {
  readonly #generation_bytes: number;
  readonly #writes = new Map<string, number>();
  /** When it is full, it becomes the old one, and what nobody asked for since the last time is gone. */
  #young = new Map<string, Kept>();
  #old = new Map<string, Kept>();
  #young_bytes = 0;

  constructor(capacity_bytes: number = limits.recentBytes) {
    this.#generation_bytes = capacity_bytes / 2;
  }

  get(key: string): Resource | undefined {
    const young = this.#young.get(key);
    if (young) return young.object;
    const old = this.#old.get(key);
    if (old) this.#rejuvenate(key, old);
    return old?.object;
  }

  /** Keeps what the database has, unless that is about to change. */
  keep(key: string, object: Resource, bytes: number): void {
    if (!this.#writes.has(key)) this.#rejuvenate(key, { object, bytes });
  }

  /** From here until `writeEnded`, only the database knows what the object is. */
  writeBegins(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
    this.#writes.set(key, (this.#writes.get(key) ?? 0) + 1);
  }

  writeEnded(key: string): void {
    const others = (this.#writes.get(key) ?? 1) - 1;
    if (others > 0) this.#writes.set(key, others);
    else this.#writes.delete(key);
  }

  #rejuvenate(key: string, kept: Kept): void {
    if (this.#young_bytes + kept.bytes > this.#generation_bytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#young_bytes = 0;
    }
    if (kept.bytes > this.#generation_bytes) return;
    this.#young.set(key, kept);
    this.#young_bytes += kept.bytes;
  }
}
