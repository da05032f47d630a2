/**
 * A map of the latest values, at least half of the maximum. It has two generations: when the young one is full, the old
 * one is dropped. Removing the oldest entry of one large map instead takes longer with every removal. A library cache
 * would allocate memory for its maximum at once, for every kind of objects.
 */
export class Recent<Value> {
  readonly #generation: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(most: number) {
    this.#generation = Math.ceil(most / 2);
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#generation && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
