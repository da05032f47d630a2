import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { limits } from '../../limits.ts';
import { virtualWorld } from '../../testing/index.ts';
import { gone } from '../conformance/harness.ts';
import { Gadget, gadget, kinds, ownedBy, Widget, widget } from '../conformance/kinds.ts';
import { GarbageCollector } from './garbage.ts';
import { openMemoryStore } from './memory.ts';
import { Objects } from './objects.ts';
import { inlinePort } from './port.ts';
import { Reader } from './reader.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';
import { migrate, registerKinds } from './schema.ts';
import { usualRetention, Writer, type Operation } from './writer.ts';

const scratchPath = scratchPaths();

/** Removes an object just before a crash, so that its dependents are not collected. */
function removeAndCrash(path: string, name: string, version: string): void {
  const database = new DatabaseSync(path);
  const kind = registerKinds(database, kinds).get(Widget.id) ?? 0;
  const row = database.prepare('SELECT data FROM objects WHERE kind = ? AND name = ?').get(kind, name);
  const removal: Operation = {
    type: 'deleted',
    kind,
    name,
    expected: Number(version),
    data: String(row?.['data']),
    previous: null,
    removedLabels: [],
    addedLabels: [],
    removedOwners: [],
    addedOwners: [],
  };
  new Writer(database).commit([{ operations: [removal], collected: 0 }]);
  database.close();
}

describe('garbage collection', () => {
  it('does not record a change as handled while one of its visits is still to be made', async () => {
    const world = virtualWorld();
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const [reader, numbers] = [new Reader(database), registerKinds(database, kinds)];
    const objects = new Objects({
      kinds,
      numbers,
      reader,
      port: inlinePort(database, usualRetention),
      collected: () => 1,
      announce: () => undefined,
    });
    const garbage = new GarbageCollector({ world, reader, objects });
    const store = openMemoryStore({ world, kinds });
    const object = await store.create(Widget, widget('owner'));
    garbage.notice({ version: 5, type: 'deleted', object, bytes: 1 });
    garbage.notice({ version: 6, type: 'modified', object, bytes: 1 });
    expect(garbage.collected).toBe(4);
    await world.settle();
    expect(garbage.collected).toBe(6);
    await garbage.close();
    garbage.notice({ version: 7, type: 'deleted', object, bytes: 1 });
    await world.settle();
    // It handles nothing more, so the next process that opens the state has to.
    expect(garbage.collected).toBe(6);
    await store.close();
  });

  it('continues after a crash with the changes that it had not handled', async () => {
    const path = scratchPath();
    const before = await openScratchStore(path);
    const owner = await before.create(Widget, widget('owner'));
    await before.create(Gadget, gadget('dependent', { ownerReferences: [ownedBy(owner)] }));
    await before.close();
    removeAndCrash(path, 'owner', owner.metadata.resourceVersion);
    const after = await openScratchStore(path);
    await gone(after, Gadget, 'dependent');
    await after.close();
  });

  it('does not touch dependents of an unknown kind', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds: [Gadget] });
    const reference = {
      apiVersion: 'elsewhere.org/v1',
      kind: 'Stranger',
      name: 'x',
      uid: '11111111-2222-4333-8444-555555555555',
    };
    const created = await store.create(Gadget, gadget('a', { ownerReferences: [reference] }));
    await world.settle();
    expect(await store.get(Gadget, 'a')).toEqual(created);
    await store.close();
  });

  it('deletes more dependents than it reads at once', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds });
    const owner = await store.create(Widget, widget('owner'));
    const count = 2 * limits.pageItems + 3;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.create(Gadget, gadget(`d${index}`, { ownerReferences: [ownedBy(owner, { blocking: true })] })),
      ),
    );
    await world.settle();
    await store.delete(Widget, 'owner', { propagation: 'foreground' });
    await gone(store, Widget, 'owner');
    expect((await store.list(Gadget)).items).toEqual([]);
    await store.close();
  });
});
