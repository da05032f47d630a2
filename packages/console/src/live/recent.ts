import type { Change } from '@unikorn/sdk';

/** An entry of a stream that only grows. Entries have no identifier of their own, so it is made of their content. */
export interface Recent<Entry> {
  readonly metadata: { readonly id: string };
  readonly entry: Entry;
}

/** A stream of entries as a list, which keeps the last ones only. */
export async function* recent<Entry>(
  stream: AsyncGenerator<Change<Entry>, never>,
  limit: number,
): AsyncGenerator<Change<Recent<Entry>>, never> {
  const ids = new Set<string>();
  for (;;) {
    const { value: change } = await stream.next();
    switch (change.type) {
      case 'reset':
        ids.clear();
        yield change;
        break;
      case 'synced':
        yield change;
        break;
      case 'deleted':
        break;
      case 'added':
      case 'modified': {
        const id = JSON.stringify(change.object);
        ids.add(id);
        yield { type: 'added', object: { metadata: { id }, entry: change.object } };
        for (const oldest of ids) {
          if (ids.size <= limit) break;
          ids.delete(oldest);
          yield { type: 'deleted', object: { metadata: { id: oldest } } };
        }
      }
    }
  }
}
