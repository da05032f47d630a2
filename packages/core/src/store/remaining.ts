import type { ReadOptions, Store } from './store.ts';

/**
 * The objects that an operation waits for. While the copy in this process has some, the store is not asked. An empty
 * result always comes from the store itself, so the caller can act on it.
 *
 * @example const projects = await remaining(store, async (options) => (await store.list(Project, { selector, ...options })).items);
 */
export async function remaining<T>(
  { sole }: Pick<Store, 'sole'>,
  read: (options: ReadOptions) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const copied = sole ? [] : await read({ cached: true });
  return copied.length > 0 ? copied : read({});
}
