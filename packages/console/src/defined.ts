type Defined<Given> = { [Key in keyof Given]?: Exclude<Given[Key], undefined> };

/** The same object without the properties that are undefined. */
export function defined<Given extends object>(given: Given): Defined<Given> {
  const kept: Defined<Given> = { ...given };
  for (const key of Object.keys(given)) if (Reflect.get(given, key) === undefined) Reflect.deleteProperty(kept, key);
  return kept;
}
