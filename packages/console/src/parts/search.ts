/** The parameters of a page in its address. Values that do not fit are dropped, and defaults are left out. */
export type RawSearch = Readonly<Record<string, unknown>>;

export function textParameter(search: RawSearch, name: string): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function choiceParameter<Choice extends string>(
  search: RawSearch,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textParameter(search, name);
  return choices.find((choice) => choice === text);
}

/** Several values, separated by commas. */
export function listParameter(search: RawSearch, name: string): readonly string[] | undefined {
  const values = textParameter(search, name)
    ?.split(',')
    .filter((value) => value !== '');
  return values !== undefined && values.length > 0 ? values : undefined;
}

/** The page of this console to which a detour returns. */
export function backParameter(search: RawSearch): string | undefined {
  const path = textParameter(search, 'back');
  return path?.startsWith('/o/') === true ? path : undefined;
}
