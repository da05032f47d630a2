import { afterAll } from 'vitest';

import type { Kind } from '../../kinds/index.ts';
import { virtualWorld } from '../../testing/index.ts';
import { Widget, widget } from '../conformance/kinds.ts';
import { describeStore, type StoreUnderTest } from '../conformance/index.ts';
import { modify } from '../modify.ts';
import type { Store } from '../store.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

/** Opened again only when a test closed it: starting its thread takes longer than most tests. */
let shared: StoreUnderTest | undefined;

describeStore('SQLite in a file', {
  async open(kinds) {
    return (shared ??= await openShared(kinds));
  },
});

afterAll(() => shared?.store.close());

async function openShared(kinds: readonly Kind[]): Promise<StoreUnderTest> {
  const world = virtualWorld();
  const store = await openScratchStore(scratchPath(), { world, kinds, history: { changes: 200 } });
  return {
    store,
    async expireHistory() {
      const fill = async (index: number) => {
        await store.create(Widget, widget(`filler${index}`));
        await store.delete(Widget, `filler${index}`);
      };
      for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 60 }, (_, index) => fill(index)));
    },
    idle: () => world.advance(60_000),
    close: () =>
      clear(store, kinds).catch(() => {
        shared = undefined;
      }),
  };
}

async function clear(store: Store, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    for (const { metadata } of (await store.list(kind)).items) {
      await modify(store, kind, metadata.name, (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: [] },
      })).catch(() => undefined);
      await store.delete(kind, metadata.name);
    }
  }
}
