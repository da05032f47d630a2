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
 * By the number of the kind and the name: put together into one key, they would have to be hashed anew for every look.
 */
class Generation {
  readonly #kinds: (Map<string, Kept> | undefined)[] = [];
  bytes = 0;

  get(kind: number, name: string): Kept | undefined {
    return this.#kinds[kind]?.get(name);
  }

  set(kind: number, name: string, kept: Kept): void {
    (this.#kinds[kind] ??= new Map()).set(name, kept);
    this.bytes += kept.bytes;
  }

  delete(kind: number, name: string): void {
    this.#kinds[kind]?.delete(name);
  }
}

/**
 * Objects as they were last read or written, and which there are not, so that what is read over and over is not fetched
 * and parsed again. Objects that are being written are not included, because only the database knows when a write takes
 * effect: so whatever is found here is what the database would answer.
 */
export class RecentObjects {
  readonly #generation_bytes: number;
  readonly #writes: (Map<string, number> | undefined)[] = [];
  /** When it is full, it becomes the old one, and what nobody asked for since the last time is gone. */
  #young = new Generation();
  #old = new Generation();

  constructor(capacity_bytes: number = limits.recentBytes) {
    this.#generation_bytes = capacity_bytes / 2;
  }

  get(kind: number, name: string): Pick<Kept, 'object'> | undefined {
    const young = this.#young.get(kind, name);
    if (young) return young;
    const old = this.#old.get(kind, name);
    if (old) this.#rejuvenate(kind, name, old);
    return old;
  }

  /** Keeps what the database has, unless that is about to change. */
  keep(kind: number, name: string, object: Resource | undefined, bytes = absence_bytes): void {
    if (!this.#writes[kind]?.has(name)) this.#rejuvenate(kind, name, { object, bytes });
  }

  /** From here until `writeEnded`, only the database knows what the object is. */
  writeBegins(kind: number, name: string): void {
    this.#young.delete(kind, name);
    this.#old.delete(kind, name);
    const writes = (this.#writes[kind] ??= new Map<string, number>());
    writes.set(name, (writes.get(name) ?? 0) + 1);
  }

  writeEnded(kind: number, name: string): void {
    const writes = this.#writes[kind];
    const others = (writes?.get(name) ?? 1) - 1;
    if (others > 0) writes?.set(name, others);
    else writes?.delete(name);
  }

  #rejuvenate(kind: number, name: string, kept: Kept): void {
    if (this.#young.bytes + kept.bytes > this.#generation_bytes) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    if (kept.bytes <= this.#generation_bytes) this.#young.set(kind, name, kept);
  }
}
