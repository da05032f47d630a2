import { describe, expect, it } from 'vitest';

import { limits } from '../../limits.ts';
import { silentTelemetry, virtualWorld } from '../../testing/index.ts';
import { eventsUntil, expectProblem } from '../conformance/harness.ts';
import { Gadget, gadget, kinds, team, Widget, widget } from '../conformance/kinds.ts';
import { matching } from '../selector.ts';
import type { Store } from '../store.ts';
import { openMemoryStore } from './memory.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();

async function createWidgets(store: Store, prefix: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.create(Widget, widget(`${prefix}${index}`, { labels: { [team]: index % 100 === 0 ? 'red' : 'blue' } })),
    ),
  );
}

describe('a watch', () => {
  it('continues after a restart, page by page from the disk and then live', async () => {
    const path = scratchPath();
    const before = await openScratchStore(path);
    const { resourceVersion: from } = await before.list(Widget);
    await createWidgets(before, 'old', 2 * limits.pageItems + 7);
    await before.close();
    const after = await openScratchStore(path);
    const all = eventsUntil(after, Widget, { from }, ({ object }) => object.metadata.name === 'end');
    const red = eventsUntil(
      after,
      Widget,
      { from, selector: matching({ [team]: 'red' }) },
      ({ object }) => object.metadata.name === 'end',
    );
    await createWidgets(after, 'new', 50);
    await after.create(Widget, widget('end', { labels: { [team]: 'red' } }));
    const versions = (await all).map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(Array.from({ length: 2 * limits.pageItems + 58 }, (_, index) => Number(from) + 1 + index));
    expect(await red).toHaveLength(11 + 1 + 1);
    await after.close();
  });

  it('of a kind without changes does not expire, however often other kinds change', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds, history: { changes: 10 } });
    const { resourceVersion: from } = await store.list(Gadget);
    const seen = eventsUntil(store, Gadget, { from }, () => true);
    await Promise.resolve();
    await createWidgets(store, 'w', 200);
    await store.create(Gadget, gadget('at-last'));
    expect((await seen)[0]?.object.metadata.name).toBe('at-last');
    await store.close();
  });

  it('that falls behind the kept history expires, and is counted', async () => {
    const telemetry = silentTelemetry();
    const store = openMemoryStore({ world: virtualWorld(), kinds, telemetry, history: { changes: 10 } });
    const slow = store.watch(Widget, { from: '1' })[Symbol.asyncIterator]();
    for (const prefix of ['a', 'b', 'c']) await createWidgets(store, prefix, 20);
    await expectProblem(slow.next(), 'expired');
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(await telemetry.registry.metrics()).toContain(
      'unikorn_store_watches_expired_total{kind="widgets.conformance.unikorn-cloud.org"} 1',
    );
    await store.close();
  });

  it.each([
    ['a version that was never reached', '999', 'expired'],
    ['something that is no version', 'yesterday', 'invalid_request'],
  ] as const)('from %s is refused', async (_, from, code) => {
    const store = openMemoryStore({ world: virtualWorld(), kinds });
    await expectProblem(
      eventsUntil(store, Widget, { from }, () => true),
      code,
    );
    await store.close();
  });

  it('that waits can be ended', async () => {
    const telemetry = silentTelemetry();
    const store = openMemoryStore({ world: virtualWorld(), kinds, telemetry });
    const watch = store.watch(Widget, { from: '1' })[Symbol.asyncIterator]();
    const waiting = watch.next();
    await watch.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await telemetry.registry.metrics()).toContain(
      'unikorn_store_watchers{kind="widgets.conformance.unikorn-cloud.org"} 0',
    );
    await store.close();
  });

  it('shares every event with all others: a thousand watchers hold one object', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds });
    const watchers = Array.from({ length: 1_000 }, () => eventsUntil(store, Widget, { from: '1' }, () => true));
    const created = await store.create(Widget, widget('a'));
    expect(new Set((await Promise.all(watchers)).map(([event]) => event?.object))).toEqual(new Set([created]));
    await store.close();
  });

  it('gets a bookmark once a minute, and only while it is open', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds });
    const stop = new AbortController();
    const bookmarks: string[] = [];
    const watching = (async () => {
      for await (const event of store.watch(Widget, { from: '1', signal: stop.signal }))
        if (event.type === 'bookmark') bookmarks.push(event.resourceVersion);
    })();
    await world.advance(60_000);
    await store.create(Gadget, gadget('a'));
    await world.advance(120_000);
    expect(bookmarks).toEqual(['1', '2', '2']);
    stop.abort();
    await watching;
    await store.close();
  });
});

describe('a continue token', () => {
  it('of another query is refused', async () => {
    const store = openMemoryStore({ world: virtualWorld(), kinds });
    await createWidgets(store, 'w', 3);
    const { continue: token = '' } = await store.list(Widget, { limit: 1 });
    await expectProblem(
      store.list(Widget, { limit: 1, continue: token, selector: matching({ [team]: 'red' }) }),
      'invalid_request',
    );
    await expectProblem(store.list(Gadget, { limit: 1, continue: token }), 'invalid_request');
    await expectProblem(store.list(Widget, { limit: 0 }), 'invalid_request');
    await store.close();
  });
});

describe('a long list', () => {
  it('lets the event loop turn between pages', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds });
    await createWidgets(store, 'w', 2 * limits.pageItems);
    let turned = false;
    const listed = store.list(Widget);
    void world.turn().then(() => (turned = true));
    const { items } = await listed;
    expect(items).toHaveLength(2 * limits.pageItems);
    expect(turned).toBe(true);
    await store.close();
  });
});
