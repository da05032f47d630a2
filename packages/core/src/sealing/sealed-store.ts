import { LRUCache } from 'lru-cache';

import type { Kind, Resource } from '../kinds/index.ts';
import { internalLimits } from '../limits.ts';
import type { Store, WatchEvent } from '../store/index.ts';
import { replacedAt, textAt, type SealedField } from './fields.ts';
import type { TextSealer } from './text-sealer.ts';

/**
 * A store in which the given fields are encrypted. Its users read and write them in plain text, so that comparing,
 * planning and showing them needs no special handling. A copy of the stored data does not reveal them.
 *
 * @example const store = sealedStore(engine, new TextSealer(encryptionKey), [{ kind: Server, path: ['spec', 'userData'] }]);
 */
export function sealedStore(store: Store, sealer: TextSealer, fields: readonly SealedField[]): Store {
  const opened = new LRUCache<string, string>({
    maxSize: internalLimits.openedBytes,
    sizeCalculation: (plain, sealed) => plain.length + sealed.length,
  });
  const byKind = new Map(fields.map(({ kind }) => [kind.id, fields.filter((field) => field.kind.id === kind.id)]));
  const of = (kind: Kind) => byKind.get(kind.id) ?? [];
  const openText = (text: string) => {
    if (!sealer.isSealed(text)) return text;
    const known = opened.get(text);
    if (known !== undefined) return known;
    const plain = sealer.open(text);
    opened.set(text, plain);
    return plain;
  };
  const open = <T>(kind: Kind, object: T): T =>
    of(kind).reduce((open, { path }) => replacedAt(open, path, openText), object);
  const isOpen = (kind: Kind, object: unknown) => of(kind).some(({ path }) => textAt(object, path) !== undefined);
  /** An unchanged value is not encrypted again, and keeps its key. */
  const seal = <T extends { readonly metadata: { readonly name: string } }>(
    kind: Kind,
    object: T,
    current?: Resource,
  ): T =>
    of(kind).reduce(
      (sealed, { path, holding }) =>
        replacedAt(sealed, path, (text) => {
          const stored = textAt(current, path);
          if (stored !== undefined && openText(stored) === text) return stored;
          if (sealer.isSealed(text) || (holding !== undefined && !text.includes(holding))) return text;
          return sealer.seal(text, [kind.id, object.metadata.name, ...path].join('/'));
        }),
      object,
    );
  const currentOf = async <K extends Kind>(kind: K, object: { readonly metadata: { readonly name: string } }) =>
    isOpen(kind, object) ? store.get(kind, object.metadata.name) : undefined;

  return {
    sole: store.sole,
    create: async (kind, draft) => open(kind, await store.create(kind, seal(kind, draft))),
    get: async (kind, name, options) => open(kind, await store.get(kind, name, options)),
    list: async (kind, query) => {
      const page = await store.list(kind, query);
      return of(kind).length === 0 ? page : { ...page, items: page.items.map((object) => open(kind, object)) };
    },
    update: async (kind, change) =>
      open(kind, await store.update(kind, seal(kind, change, await currentOf(kind, change)))),
    updateStatus: async (kind, { of: known, ...change }) => {
      // The engine compares it with its own data, so a decrypted object must not be passed.
      const same = known && !isOpen(kind, known) ? { of: known } : {};
      return open(
        kind,
        await store.updateStatus(kind, { ...seal(kind, change, await currentOf(kind, change)), ...same }),
      );
    },
    delete: async (kind, name, options) => open(kind, await store.delete(kind, name, options)),
    watch: (kind, query) =>
      of(kind).length === 0
        ? store.watch(kind, query)
        : openedEvents(store.watch(kind, query), (object) => open(kind, object)),
    countUpTo: (kind, selector, most, options) => store.countUpTo(kind, selector, most, options),
    probe: () => store.probe(),
    close: () => store.close(),
  };
}

async function* openedEvents<K extends Kind>(
  events: AsyncIterable<WatchEvent<K>>,
  open: (object: Resource<K>) => Resource<K>,
): AsyncGenerator<WatchEvent<K>> {
  for await (const event of events) yield event.type === 'bookmark' ? event : { ...event, object: open(event.object) };
}
