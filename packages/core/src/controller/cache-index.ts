import type { Kind, Resource } from '../kinds/index.ts';

/** Objects of a cache by a value they hold. It keeps names only: the objects are held once, by the cache. */
export class CacheIndex<K extends Kind> {
  readonly #values: (object: Resource<K>) => readonly string[];
  readonly #objects: ReadonlyMap<string, Resource<K>>;
  readonly #names = new Map<string, Set<string>>();

  constructor(values: (object: Resource<K>) => readonly string[], objects: ReadonlyMap<string, Resource<K>>) {
    this.#values = values;
    this.#objects = objects;
  }

  /** Every value some object holds. */
  values(): IterableIterator<string> {
    return this.#names.keys();
  }

  /** The names of the objects that hold the value: all a wake-up needs. */
  names(value: string): readonly string[] {
    return [...(this.#names.get(value) ?? [])];
  }

  get(value: string): readonly Resource<K>[] {
    return this.names(value).flatMap((name) => this.#objects.get(name) ?? []);
  }

  /** Follows a change of the cache; undefined stands for an object that is not there. What stays the same is left in place. */
  replace(previous: Resource<K> | undefined, object: Resource<K> | undefined): void {
    const before = previous ? this.#values(previous) : [];
    const after = object ? this.#values(object) : [];
    const name = object?.metadata.name ?? previous?.metadata.name ?? '';
    for (const value of before) if (!after.includes(value)) this.#drop(value, name);
    for (const value of after) if (!before.includes(value)) this.#add(value, name);
  }

  #add(value: string, name: string): void {
    const names = this.#names.get(value);
    if (names) names.add(name);
    else this.#names.set(value, new Set([name]));
  }

  #drop(value: string, name: string): void {
    const names = this.#names.get(value);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(value);
  }
}
