import type { World } from '../world/index.ts';

export interface Answer<T> {
  readonly value: T;
  /** The expiry time, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Caches responses until they expire. Concurrent requests for the same key share one response. Failures are not cached.
 *
 * @example const acls = new Answers<Acl>(world, 10_000); await acls.get(token, async () => ({ value: await ask(), until }));
 */
export class Answers<T> {
  readonly #world: World;
  readonly #capacity: number;
  readonly #known = new Map<string, { readonly answer: Promise<Answer<T>>; until: number }>();

  constructor(world: World, capacity: number) {
    this.#world = world;
    this.#capacity = capacity;
  }

  async get(key: string, ask: () => Promise<Answer<T>>): Promise<T> {
    const known = this.#known.get(key);
    if (known && known.until > this.#world.now()) return (await known.answer).value;
    const entry = { answer: ask(), until: Infinity };
    this.#remember(key, entry);
    try {
      const answer = await entry.answer;
      entry.until = answer.until;
      return answer.value;
    } catch (error) {
      if (this.#known.get(key) === entry) this.#known.delete(key);
      throw error;
    }
  }

  /** The oldest entry is removed first. It is also the first to expire. */
  #remember(key: string, entry: { readonly answer: Promise<Answer<T>>; until: number }): void {
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#capacity && oldest !== undefined) this.#known.delete(oldest);
  }
}
