import { failed } from './failures.ts';

/** Those that have exactly this name. The filters of clouds also find others. */
export function named<T extends { readonly name?: string | null }>(items: readonly T[], name: string): readonly T[] {
  return items.filter((item) => item.name === name);
}

/** The only item of a list; undefined if the list is empty. Several items are an error: none of them is chosen. */
export function onlyOne<T extends { readonly id: string }>(
  items: readonly T[],
  { doing, what }: { readonly doing: string; readonly what: string },
): T | undefined {
  if (items.length > 1)
    throw failed(
      'inconsistent',
      { doing },
      new Error(`the cloud has ${items.length} of ${what}: ${items.map(({ id }) => id).join(', ')}`),
    );
  return items[0];
}

/**
 * Makes a thing that a list did not show. A list can be older than the last change, and most services accept a second
 * thing of the same name. So the list is read again. If it shows another one, the new one is removed: nothing uses it.
 */
export async function makeOnce<T extends { readonly id: string }>({
  make,
  list,
  remove,
  ...label
}: {
  readonly make: () => Promise<T>;
  readonly list: () => Promise<readonly T[]>;
  readonly remove: (id: string) => Promise<void>;
  readonly doing: string;
  readonly what: string;
}): Promise<T> {
  const made = await make();
  const earlier = onlyOne(
    (await list()).filter(({ id }) => id !== made.id),
    label,
  );
  if (!earlier) return made;
  await remove(made.id);
  return earlier;
}

/**
 * The thing of a name, or undefined. There are several where a creation took so long that it was given up and repeated,
 * and the cloud completed both. Then the one in use is kept, or the first, and the others are removed. Several in use
 * are an error.
 */
export async function keepOne<T extends { readonly id: string }>(
  items: readonly T[],
  {
    isUsed,
    remove,
    ...label
  }: {
    readonly isUsed: (item: T) => Promise<boolean>;
    readonly remove: (id: string) => Promise<void>;
    readonly doing: string;
    readonly what: string;
  },
): Promise<T | undefined> {
  if (items.length < 2) return items[0];
  const used: T[] = [];
  for (const item of items) if (await isUsed(item)) used.push(item);
  const kept = onlyOne(used, label) ?? items.toSorted((one, other) => (one.id < other.id ? -1 : 1))[0];
  for (const item of items) if (item !== kept) await remove(item.id);
  return kept;
}

/** Nova takes a name for a regular expression. */
export function novaNamePattern(name: string): string {
  return `^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}
