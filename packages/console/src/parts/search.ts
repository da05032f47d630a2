import { retainSearchParams } from '@tanstack/react-router';

import { defined } from '../defined.ts';

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

/** The key of a column, with a minus before it for the reverse order. */
export function sortParameter(search: RawSearch, keys: readonly string[]): string | undefined {
  const text = textParameter(search, 'sort');
  return text !== undefined && keys.includes(text.replace(/^-/, '')) ? text : undefined;
}

/** Several values, separated by commas, all of which are offered. */
export function choicesParameter(search: RawSearch, name: string, choices: readonly string[]): string | undefined {
  const chosen = listParameter(search, name);
  return chosen?.every((value) => choices.includes(value)) === true ? chosen.join(',') : undefined;
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

/**
 * For routes of a project: a page opened from one with `?region=` keeps it, so that the choice outlives the way from
 * one list to another. Only lists that are `filteredByRegion` show the choice.
 */
export function keepsRegion<Search extends object>(validate: (search: RawSearch) => Search) {
  return {
    // A link that names it as undefined removes it.
    validateSearch: (search: RawSearch): Search & { region?: string | undefined } => ({
      ...validate(search),
      ...defined({ region: textParameter(search, 'region') }),
    }),
    search: { middlewares: [retainSearchParams<{ region?: string | undefined }>(['region'])] },
  };
}

/** For the routes of lists whose rows are in a region. */
export function filteredByRegion<Search extends object>(validate: (search: RawSearch) => Search) {
  return { ...keepsRegion(validate), staticData: { filteredByRegion: true } };
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the list can be limited to a region. */
    readonly filteredByRegion?: boolean;
  }
}
