/** Something that is found by words. */
export interface Searchable {
  /** All texts by which it is found, in lower case: they are compared at every key, and converted only once. */
  readonly keys: string;
}

export function keysOf(...texts: readonly string[]): string {
  return texts.join(' ').toLowerCase();
}

/** The first entries in which every word of the text occurs. It stops when it has found enough. */
export function search<Entry extends Searchable>(
  entries: readonly Entry[],
  text: string,
  most: number,
): readonly Entry[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: Entry[] = [];
  for (const entry of entries) {
    if (found.length === most) break;
    const { keys } = entry;
    if (wanted.every((word) => keys.includes(word))) found.push(entry);
  }
  return found;
}
