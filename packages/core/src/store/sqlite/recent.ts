import type { Resource } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';

interface Kept {
  /** Undefined if no object has that name. */
  readonly object: Resource | undefined;
  readonly bytes: number;
}

/** Approximate size of an entry for a missing object. */
const absence_bytes = 256;

/**
 * Indexed by the number of the kind and by the name: a combined key would have to be built and hashed for every read.
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
 * Objects that were read or written recently, and names of missing objects, so that repeated reads need no query and no
 * parsing. Objects that are being written are not returned, because only the database knows when a write takes effect.
 * So a returned object is always equal to the state in the database.
 */
export class RecentObjects {
  readonly #generation_bytes: number;
  readonly #writes: (Map<string, number> | undefined)[] = [];
  /**
   * When it is full, it becomes the old generation, and objects that were not read since the last change of generations
   * are dropped.
   */
  #young = new Generation();
  #old = new Generation();

  constructor(capacity_bytes: number = limits.recentBytes) {
    this.#generation_bytes = capacity_bytes / 2;
  }

  get(kind: number, name: string): Pick<Kept, 'object'> | undefined {
    if (this.#writes[kind]?.has(name)) return undefined;
    const young = this.#young.get(kind, name);
    if (young) return young;
    const old = this.#old.get(kind, name);
    if (old) this.#rejuvenate(kind, name, old);
    return old;
  }

  /** Stores the state that was read from the database, unless a write is in progress. */
  keep(kind: number, name: string, object: Resource | undefined, bytes = absence_bytes): void {
    if (!this.#writes[kind]?.has(name)) this.#rejuvenate(kind, name, { object, bytes });
  }

  /** Until `written` or `writeFailed`, only the database knows the state of the object. */
  writeBegins(kind: number, name: string): void {
    const writes = (this.#writes[kind] ??= new Map<string, number>());
    writes.set(name, (writes.get(name) ?? 0) + 1);
  }

  /** The database has this state now. Undefined after the object was removed. */
  written(kind: number, name: string, object: Resource | undefined, bytes = absence_bytes): void {
    if (this.#writeEnded(kind, name)) this.#rejuvenate(kind, name, { object, bytes });
  }

  /** The state in the database is not known. */
  writeFailed(kind: number, name: string): void {
    if (this.#writeEnded(kind, name)) this.#forget(kind, name);
  }

  /** Whether it was the last write of this object. */
  #writeEnded(kind: number, name: string): boolean {
    const writes = this.#writes[kind];
    const others = (writes?.get(name) ?? 1) - 1;
    if (others > 0) writes?.set(name, others);
    else writes?.delete(name);
    return others === 0;
  }

  #forget(kind: number, name: string): void {
    this.#young.delete(kind, name);
    this.#old.delete(kind, name);
  }

  #rejuvenate(kind: number, name: string, kept: Kept): void {
    if (this.#young.bytes + kept.bytes > this.#generation_bytes) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    if (kept.bytes <= this.#generation_bytes) this.#young.set(kind, name, kept);
    else this.#forget(kind, name);
  }
}
