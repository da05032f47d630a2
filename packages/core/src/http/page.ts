import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { paceOf } from '../pace.ts';
import type { ListQuery, Page, Selector } from '../store/index.ts';
import type { Runtime } from './request.ts';
import type { View } from './view.ts';

export interface VisiblePage<K extends Kind> {
  readonly items: readonly Resource<K>[];
  readonly continue?: string;
}

function listQuery(selector: Selector, limit: number, bytes: number, from: string | undefined): ListQuery {
  return { selector, limit, bytes, cached: true, ...defined({ continue: from }) };
}

/**
 * All objects of a view, page by page, with the version to watch from. A page is small enough not to block the event
 * loop. The pages of all lists in progress take turns.
 *
 * @example for await (const { items } of pagesOf(runtime, Server, view)) count += items.length;
 */
export async function* pagesOf<K extends Kind>(
  { store, world }: Pick<Runtime, 'store' | 'world'>,
  kind: K,
  view: View<K>,
): AsyncGenerator<Page<K>> {
  let from: string | undefined;
  do {
    if (from !== undefined) await paceOf(world).turn();
    const page = await store.list(kind, listQuery(view.selector, limits.listedItems, limits.listedBytes, from));
    yield { ...page, items: page.items.filter(view.visible) };
    from = page.continue;
  } while (from !== undefined);
}

/**
 * A page of exactly `limit` visible objects, or fewer at the end or if they are large. It always ends with a visible
 * object, so that neither its length nor its token tells anything about hidden objects.
 */
export async function readPage<K extends Kind>(
  { store, world }: Pick<Runtime, 'store' | 'world'>,
  kind: K,
  view: View<K>,
  limit: number,
  from?: string,
): Promise<VisiblePage<K>> {
  const items: Resource<K>[] = [];
  let position = from;
  let ahead = limit;
  for (;;) {
    const missing = limit - items.length;
    const chunk = await store.list(kind, listQuery(view.selector, ahead, limits.pageBytes, position));
    const isLarge = chunk.items.length < ahead && chunk.continue !== undefined;
    const cut = endOfPage(chunk.items.map(view.visible), missing, isLarge);
    if (cut !== undefined && (cut < chunk.items.length || chunk.continue !== undefined)) {
      const exact =
        cut === chunk.items.length
          ? chunk
          : await store.list(kind, listQuery(view.selector, cut, limits.pageBytes, position));
      return {
        items: [...items, ...exact.items.filter(view.visible)],
        ...defined({ continue: exact.continue }),
      };
    }
    items.push(...chunk.items.filter(view.visible));
    if (chunk.continue === undefined) return { items };
    position = chunk.continue;
    ahead = limits.pageItems;
    await paceOf(world).turn();
  }
}

/**
 * How many objects of a chunk complete the page; undefined when the page continues. After a large chunk the page ends
 * as soon as it has a visible object.
 */
function endOfPage(visible: readonly boolean[], missing: number, isLarge: boolean): number | undefined {
  let found = 0;
  for (const [index, shown] of visible.entries()) {
    if (shown && ++found === missing) return index + 1;
  }
  return isLarge && found > 0 ? visible.lastIndexOf(true) + 1 : undefined;
}
