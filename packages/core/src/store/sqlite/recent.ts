import type { Resource } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';

interface Kept {
  /** Undefined when there is none of that name. */
  readonly object: Resource | undefined;
  readonly bytes: number;
}

/** About what it takes to remember that there is nothing. */
const absence_bytes = 256;

/**
 * Objects as they were last read or written, and which there are not, so that what is read over and over is not fetched and parsed again.
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

  get(key: string): Pick<Kept, 'object'> | undefined {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) this.#rejuvenate(key, old);
    return old;
  }

  /** Keeps what the database has, unless that is about to change. */
  keep(key: string, object: Resource | undefined, bytes = absence_bytes): void {
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
