import { expect, it } from 'vitest';

import type { Change } from '@unikorn/sdk';

import { recent } from './recent.ts';

async function* stream(...changes: readonly Change<string>[]): AsyncGenerator<Change<string>, never> {
  for (const change of changes) yield await Promise.resolve(change);
  throw new Error('the stream is over');
}

async function idsAfter(limit: number, ...changes: readonly Change<string>[]): Promise<readonly string[]> {
  const ids = new Set<string>();
  try {
    for await (const change of recent(stream(...changes), limit))
      if (change.type === 'deleted') ids.delete(change.object.metadata.id);
      else if (change.type === 'added') ids.add(change.object.metadata.id);
      else if (change.type === 'reset') ids.clear();
  } catch {
    // The end of the stream.
  }
  return [...ids].map((id) => String(JSON.parse(id)));
}

const added = (object: string) => ({ type: 'added', object }) as const;

it('keeps the last entries only, and each of them once', async () => {
  expect(await idsAfter(2, added('a'), added('b'), added('b'), added('c'))).toEqual(['b', 'c']);
});

it('begins anew after a reset', async () => {
  expect(await idsAfter(2, added('a'), added('b'), { type: 'reset' }, added('c'), { type: 'synced' })).toEqual(['c']);
});
