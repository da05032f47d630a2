import type { World } from '../world/index.ts';

export interface Answer<T> {
  readonly value: T;
  /** Milliseconds since the epoch at which it may no longer be used. */
  readonly until: number;
}

/**
 * Remembers answers for as long as they hold. Whoever asks while an answer is on its way shares it; failures are not
 * remembered, and nothing is used beyond its time.
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

  /** The longest-known goes first: it is also the first to become too old. */
  #remember(key: string, entry: { readonly answer: Promise<Answer<T>>; until: number }): void {
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#capacity && oldest !== undefined) this.#known.delete(oldest);
  }
}
