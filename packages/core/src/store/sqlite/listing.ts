import { Problem } from '../../errors/index.ts';
import type { Kind, Resource } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import type { World } from '../../world/index.ts';
import { continueToken, parseContinueToken } from '../continue.ts';
import { decode } from '../encoding.ts';
import { matches, type Selector } from '../selector.ts';
import type { ListQuery, Page } from '../store.ts';
import type { KindEntry } from './operation.ts';
import type { Reader } from './reader.ts';

interface Listing {
  readonly world: World;
  readonly reader: Reader;
  /** A version up to which all changes must be visible. */
  readonly head: number;
}

/** One page of a query. The event loop runs between any two rounds of reading. */
export async function listPage(
  { world, reader, head }: Listing,
  { kind, number }: KindEntry,
  query: ListQuery,
): Promise<Page<Kind>> {
  const { selector = [], limit = Infinity, bytes = Infinity } = query;
  if (!(limit >= 1)) throw new Problem('invalid_request', 'the limit of a list must be at least 1');
  const { version, after } =
    query.continue === undefined
      ? { version: String(head), after: '' }
      : parseContinueToken(kind, selector, query.continue);
  const goOn = (last: string) => continueToken(kind, selector, { version, after: last });
  const items: Resource[] = [];
  let held_bytes = 0;
  let from = after;
  while (true) {
    // One more than wanted shows whether there is another page.
    const wanted = Math.min(limits.pageItems, limit - items.length + 1);
    const { rows, more } = reader.list(number, kind.indexedLabels, selector, {
      after: from,
      limit: wanted,
      bytes: Math.min(limits.readBytes, bytes - held_bytes),
    });
    for (const [, at, data] of rows) {
      const object = decode(data, at);
      if (!matches(selector, object.metadata.labels)) continue;
      items.push(object);
      held_bytes += data.length;
    }
    if (items.length > limit) {
      const page = items.slice(0, limit);
      return { items: page, resourceVersion: version, continue: goOn(page.at(-1)?.metadata.name ?? '') };
    }
    from = rows.at(-1)?.[0] ?? from;
    if (!more) return { items, resourceVersion: version };
    if (held_bytes >= bytes) return { items, resourceVersion: version, continue: goOn(from) };
    await world.turn();
  }
}

/** Counts in the indexes if they cover the whole selector, else by reading the objects. */
export async function countUpTo(listing: Listing, entry: KindEntry, selector: Selector, most: number): Promise<number> {
  const { kind, number } = entry;
  if (selector.every(({ key, operator }) => operator === 'in' && kind.indexedLabels.includes(key)))
    return listing.reader.count(number, kind.indexedLabels, selector, most);
  return (await listPage(listing, entry, { selector, limit: most })).items.length;
}
