/** The properties that have a value, for objects whose optional properties must not be there as `undefined`. */
export type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Leaves out what is undefined.
 *
 * @example const options = { name, ...defined({ description, limit: query.limit }) };
 */
export function defined<T extends object>(values: T): Defined<T>;
export function defined(values: object): object {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) kept[name] = value;
  return kept;
}
