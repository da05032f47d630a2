import type { Kind, Resource } from '../kinds/index.ts';

/** The index of a cache of a kind. */
export type CacheIndex<K extends Kind> = ObjectIndex<Resource<K>>;

/**
 * Objects of a copy by a value that they hold. It stores names only: the copy holds the objects.
 *
 * @example const byNetwork = new ObjectIndex((server: Server) => server.spec.networks.map(({ id }) => id), servers);
 */
export class ObjectIndex<T> {
  readonly #values: (object: T) => readonly string[];
  readonly #objects: ReadonlyMap<string, T>;
  readonly #names = new Map<string, Set<string>>();

  constructor(values: (object: T) => readonly string[], objects: ReadonlyMap<string, T>) {
    this.#values = values;
    this.#objects = objects;
  }

  /** All values that at least one object holds. */
  values(): IterableIterator<string> {
    return this.#names.keys();
  }

  /** The names of the objects that hold the value. A wake-up needs no more than the names. */
  names(value: string): readonly string[] {
    return [...(this.#names.get(value) ?? [])];
  }

  /** How many objects hold the value. */
  count(value: string): number {
    return this.#names.get(value)?.size ?? 0;
  }

  get(value: string): readonly T[] {
    const objects: T[] = [];
    for (const name of this.#names.get(value) ?? []) {
      const object = this.#objects.get(name);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  /** Follows a change of the copy. Undefined means that the object does not exist. Unchanged values are not touched. */
  replace(name: string, previous: T | undefined, object: T | undefined): void {
    const before = previous === undefined ? [] : this.#values(previous);
    const after = object === undefined ? [] : this.#values(object);
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
