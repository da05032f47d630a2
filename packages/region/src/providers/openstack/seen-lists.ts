import type { Found, ObservedServer } from '../../provider/index.ts';

/** What the lists of an identity meant when they were read last. */
export interface SeenList {
  /** The digests of the answers of the cloud. */
  readonly servers: string;
  readonly addresses: string;
  readonly found: readonly Found<ObservedServer>[];
}

/**
 * Remembers what the lists of each identity mean. The monitor reads the same lists again and again, and they seldom
 * change: then they do not have to be parsed. Those that were not used for the longest time are forgotten first.
 */
export class SeenLists {
  readonly #capacity: number;
  readonly #lists = new Map<string, SeenList>();
  #servers = 0;

  /** `capacity` is the number of servers that are remembered. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(identityId: string): SeenList | undefined {
    const known = this.#lists.get(identityId);
    if (!known) return undefined;
    this.#lists.delete(identityId);
    this.#lists.set(identityId, known);
    return known;
  }

  keep(identityId: string, list: SeenList): void {
    this.forget(identityId);
    this.#lists.set(identityId, list);
    this.#servers += list.found.length;
    for (const oldest of this.#lists.keys()) {
      if (this.#servers <= this.#capacity) return;
      this.forget(oldest);
    }
  }

  forget(identityId: string): void {
    const known = this.#lists.get(identityId);
    if (known && this.#lists.delete(identityId)) this.#servers -= known.found.length;
  }
}
