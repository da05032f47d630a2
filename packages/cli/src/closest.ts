import { distance } from 'fastest-levenshtein';

import { limits } from './limits.ts';

/** The names that the user may have meant: with a few different letters, or with the same beginning. */
export function closest(wanted: string, names: readonly string[]): readonly string[] {
  const asked = wanted.toLowerCase();
  const far = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, off: name.toLowerCase().startsWith(asked) ? 0 : distance(asked, name.toLowerCase()) }))
    .filter(({ off }) => off <= far)
    .toSorted((left, right) => left.off - right.off || left.name.localeCompare(right.name))
    .slice(0, limits.suggestions)
    .map(({ name }) => name);
}
