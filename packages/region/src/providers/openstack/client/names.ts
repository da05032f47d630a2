import { failed } from './failures.ts';

/** Those that have exactly this name. The filters of clouds also find others. */
export function named<T extends { readonly name?: string | null }>(items: readonly T[], name: string): readonly T[] {
  return items.filter((item) => item.name === name);
}

/** The only one; undefined where there is none. Several are never guessed among. */
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

/** Nova takes a name for a regular expression. */
export function novaNamePattern(name: string): string {
  return `^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}
