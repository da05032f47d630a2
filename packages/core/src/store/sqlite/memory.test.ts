import { virtualWorld } from '../../testing/index.ts';
import { describeStore } from '../conformance/index.ts';
import { Widget } from '../conformance/kinds.ts';
import { openMemoryStore } from './memory.ts';

describeStore('SQLite in memory', {
  open(kinds) {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds, history: { changes: 1_000 } });
    return Promise.resolve({
      store,
      async expireHistory() {
        for (let round = 0; round < 1_100; round++) {
          await store.create(Widget, { metadata: { name: 'filler' }, spec: { size: 1 } });
          await store.delete(Widget, 'filler');
        }
      },
      idle: () => world.advance(60_000),
      close: () => store.close(),
    });
  },
});
