import { afterEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';

import type { Resource } from '../../kinds/index.ts';
import { virtualWorld } from '../../testing/index.ts';
import { kinds, Widget, widget } from '../conformance/kinds.ts';
import { openMemoryStore } from './index.ts';
import { RecentObjects } from './recent.ts';

describe('the cache of objects', () => {
  const object = { metadata: { name: 'a' } } as Resource;
  const kind = 3;

  it('keeps an object until there is no room, and longer if it is used', () => {
    const recent = new RecentObjects(40);
    for (const key of ['a', 'b', 'c']) recent.keep(kind, key, object, 10);
    expect(recent.get(kind, 'a')?.object).toBe(object);
    for (const key of ['d', 'e']) recent.keep(kind, key, object, 10);
    expect(['a', 'b', 'd', 'e'].map((key) => recent.get(kind, key) !== undefined)).toEqual([true, false, true, true]);
  });

  it('does not keep an object that would take all the room', () => {
    const recent = new RecentObjects(40);
    recent.keep(kind, 'huge', object, 21);
    expect(recent.get(kind, 'huge')).toBeUndefined();
  });

  it('does not answer for an object while it is written, by any number of writers', () => {
    const recent = new RecentObjects();
    recent.keep(kind, 'a', object, 1);
    recent.writeBegins(kind, 'a');
    recent.writeBegins(kind, 'a');
    recent.keep(kind, 'a', object, 1);
    recent.writeFailed(kind, 'a');
    recent.keep(kind, 'a', object, 1);
    expect(recent.get(kind, 'a')).toBeUndefined();
    recent.writeFailed(kind, 'a');
    expect(recent.get(kind, 'a')).toBeUndefined();
    recent.keep(kind, 'a', object, 1);
    expect(recent.get(kind, 'a')?.object).toBe(object);
  });

  it('has the written state after the last write, and nothing if that failed', () => {
    const [before, after] = [object, { metadata: { name: 'b' } } as Resource];
    const recent = new RecentObjects();
    recent.keep(kind, 'a', before, 1);
    recent.writeBegins(kind, 'a');
    recent.writeBegins(kind, 'a');
    recent.written(kind, 'a', before, 1);
    expect(recent.get(kind, 'a')).toBeUndefined();
    recent.written(kind, 'a', after, 1);
    expect(recent.get(kind, 'a')?.object).toBe(after);
    recent.writeBegins(kind, 'a');
    recent.writeFailed(kind, 'a');
    expect(recent.get(kind, 'a')).toBeUndefined();
  });

  it('does not return the former state if the new one is too large to keep', () => {
    const recent = new RecentObjects(40);
    recent.keep(kind, 'a', object, 1);
    recent.writeBegins(kind, 'a');
    recent.written(kind, 'a', object, 21);
    expect(recent.get(kind, 'a')).toBeUndefined();
  });

  it('distinguishes objects of the same name and different kinds', () => {
    const recent = new RecentObjects();
    recent.keep(kind, 'a', object, 1);
    expect(recent.get(kind + 1, 'a')).toBeUndefined();
    recent.writeBegins(kind + 1, 'a');
    expect(recent.get(kind, 'a')?.object).toBe(object);
  });

  it('can also keep that an object does not exist, until it is written', () => {
    const recent = new RecentObjects();
    expect(recent.get(kind, 'a')).toBeUndefined();
    recent.keep(kind, 'a', undefined);
    expect(recent.get(kind, 'a')).toMatchObject({ object: undefined });
    recent.writeBegins(kind, 'a');
    expect(recent.get(kind, 'a')).toBeUndefined();
  });
});

describe('a store with this cache', () => {
  const store = openMemoryStore({ world: virtualWorld(), kinds });
  afterEach(async () => {
    for (const { metadata } of (await store.list(Widget)).items) await store.delete(Widget, metadata.name);
  });

  it('has the same result as a list, whatever concurrent writes do', async () => {
    const verbs = fc.constantFrom('create', 'update', 'delete', 'get');
    const steps = fc.array(fc.record({ verb: verbs, name: fc.constantFrom('a', 'b'), wait: fc.boolean() }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const writes: Promise<unknown>[] = [];
        for (const { verb, name, wait } of todo) {
          const current = await store.get(Widget, name);
          if (verb === 'create') writes.push(store.create(Widget, widget(name)).catch(() => undefined));
          if (verb === 'update' && current)
            writes.push(
              store.update(Widget, { ...current, spec: { size: current.spec.size + 1 } }).catch(() => undefined),
            );
          if (verb === 'delete') writes.push(store.delete(Widget, name));
          if (wait) await writes.at(-1);
          // Both read before anything else can happen.
          const [{ items }, found] = await Promise.all([store.list(Widget), store.get(Widget, name)]);
          expect(found).toEqual(items.find(({ metadata }) => metadata.name === name));
        }
        await Promise.all(writes);
      }),
      { numRuns: 60 },
    );
  });
});
