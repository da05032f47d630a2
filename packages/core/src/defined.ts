/** The properties that have a value, for types whose optional properties must not be `undefined`. */
export type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Leaves out the properties that are undefined.
 *
 * @example const options = { name, ...defined({ description, limit: query.limit }) };
 */
export function defined<T extends object>(values: T): Defined<T>;
export function defined(values: Readonly<Record<string, unknown>>): object {
  const kept: Record<string, unknown> = {};
  // Every answer is built with this. A loop over the names takes a third of the time of `Object.entries`.
  for (const name in values) if (values[name] !== undefined) kept[name] = values[name];
  return kept;
}
