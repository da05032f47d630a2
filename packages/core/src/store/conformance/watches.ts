import { describe, expect, it } from 'vitest';

import type { Kind } from '../../kinds/index.ts';
import { matching } from '../selector.ts';
import type { Store, WatchEvent } from '../store.ts';
import { compareVersions } from '../version.ts';
import { eventsUntil, expectProblem, useStore, type ObjectEvent, type StoreHarness } from './harness.ts';
import { Gadget, gadget, team, tier, Widget, widget } from './kinds.ts';

const brief = ({ type, object }: ObjectEvent<Kind>) => `${type} ${object.metadata.name}`;
const isAbout = (name: string) => (event: ObjectEvent<Kind>) => event.object.metadata.name === name;

/** A history with every type of event, which ends with the creation of `end`. */
async function makeHistory(store: Store): Promise<void> {
  const a = await store.create(Widget, widget('a', { labels: { [team]: 'red' } }));
  const b = await store.create(Widget, widget('b', { labels: { [team]: 'blue' }, finalizers: ['x.org/hold'] }));
  await store.create(Gadget, gadget('elsewhere'));
  const resized = await store.update(Widget, { ...a, spec: { size: 2 } });
  await store.updateStatus(Widget, { ...resized, status: { phase: 'ready' } });
  const reddened = await store.update(Widget, {
    ...b,
    metadata: { ...b.metadata, labels: { [team]: 'red', [tier]: 'one' } },
  });
  const blued = await store.update(Widget, {
    ...reddened,
    metadata: { ...reddened.metadata, labels: { [team]: 'blue' } },
  });
  await store.delete(Widget, 'a');
  const marked = await store.delete(Widget, 'b');
  await store.update(Widget, { ...(marked ?? blued), metadata: { ...(marked ?? blued).metadata, finalizers: [] } });
  await store.create(Widget, widget('end', { labels: { [team]: 'red' } }));
}

export function describeWatches(harness: StoreHarness): void {
  describe('watches', () => {
    const current = useStore(harness);

    it('everything after the version of a list is seen once and in order', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      await makeHistory(store);
      const events = await eventsUntil(store, Widget, { from }, isAbout('end'));
      expect(events.map(brief).join(', ')).toBe(
        'added a, added b, modified a, modified a, modified b, modified b, deleted a, modified b, deleted b, added end',
      );
      const versions = events.map(({ object }) => object.metadata.resourceVersion);
      expect(versions.toSorted(compareVersions)).toEqual(versions);
      expect(new Set(versions).size).toBe(versions.length);
    });

    it('a watch that was open during the changes sees the same as one that starts later', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const live = eventsUntil(store, Widget, { from }, isAbout('end'));
      await makeHistory(store);
      expect(await live).toEqual(await eventsUntil(store, Widget, { from }, isAbout('end')));
    });

    it('a watch resumes after any event without gap or duplicate', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      await makeHistory(store);
      const events = await eventsUntil(store, Widget, { from }, isAbout('end'));
      for (const [index, { object }] of events.slice(0, -1).entries()) {
        const rest = await eventsUntil(store, Widget, { from: object.metadata.resourceVersion }, isAbout('end'));
        expect(rest).toEqual(events.slice(index + 1));
      }
    });

    it('with a selector, an object that starts to match is added, and one that stops matching is deleted', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      await makeHistory(store);
      const events = await eventsUntil(store, Widget, { from, selector: matching({ [team]: 'red' }) }, isAbout('end'));
      expect(events.map(brief)).toEqual([
        'added a',
        'modified a',
        'modified a',
        'added b',
        'deleted b',
        'deleted a',
        'added end',
      ]);
      const all = await eventsUntil(store, Widget, { from }, isAbout('end'));
      const left = events.find(({ type }) => type === 'deleted');
      const relabelled = all.filter(isAbout('b'))[2];
      expect(left?.object.metadata.resourceVersion).toBe(relabelled?.object.metadata.resourceVersion);
    });

    it('a watch of one name sees only that object', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      await makeHistory(store);
      const events = await eventsUntil(store, Widget, { from, name: 'b' }, ({ type }) => type === 'deleted');
      expect(events.map(brief)).toEqual(['added b', 'modified b', 'modified b', 'modified b', 'deleted b']);
    });

    it('an event contains the object as it was stored then', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const created = await store.create(Widget, widget('a', { labels: { [team]: 'red' } }));
      const updated = await store.update(Widget, { ...created, spec: { size: 2 } });
      await store.delete(Widget, 'a');
      const [added, modified, deleted] = await eventsUntil(store, Widget, { from }, ({ type }) => type === 'deleted');
      expect(added).toEqual({ type: 'added', object: created });
      expect(modified).toEqual({ type: 'modified', object: updated });
      expect(deleted?.object).toMatchObject({ metadata: { name: 'a', uid: created.metadata.uid }, spec: { size: 2 } });
      expect(
        compareVersions(deleted?.object.metadata.resourceVersion ?? '0', updated.metadata.resourceVersion),
      ).toBeGreaterThan(0);
    });

    it('an idle watch gets its position, and can resume from there', async () => {
      const { store, idle } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const created = await store.create(Widget, widget('a'));
      const bookmarks = (async function* () {
        for await (const event of store.watch(Widget, { from, selector: matching({ [team]: 'nobody' }) }))
          if (event.type === 'bookmark') yield event;
      })();
      const next = bookmarks.next();
      await idle();
      const { value: bookmark } = await next;
      await bookmarks.return(undefined);
      if (!bookmark) throw new Error('the watch ended early');
      expect(compareVersions(bookmark.resourceVersion, created.metadata.resourceVersion)).toBeGreaterThanOrEqual(0);
      await store.create(Widget, widget('b'));
      const [event] = await eventsUntil(store, Widget, { from: bookmark.resourceVersion }, () => true);
      expect(event?.object.metadata.name).toBe('b');
    });

    it('a version that is no longer kept is answered with "expired"', async () => {
      const { store, expireHistory } = current();
      const { resourceVersion: from } = await store.list(Widget);
      await store.create(Widget, widget('a'));
      await expireHistory();
      await expectProblem(
        eventsUntil(store, Widget, { from }, () => true),
        'expired',
      );
      const { resourceVersion } = await store.list(Widget);
      await store.create(Widget, widget('b'));
      const [event] = await eventsUntil(store, Widget, { from: resourceVersion }, () => true);
      expect(event?.object.metadata.name).toBe('b');
    });

    it('the signal ends a watch, whether it waits or not', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const stop = new AbortController();
      const seen: WatchEvent<Widget>[] = [];
      const watching = (async () => {
        for await (const event of store.watch(Widget, { from, signal: stop.signal })) seen.push(event);
      })();
      stop.abort();
      await watching;
      for await (const event of store.watch(Widget, { from, signal: stop.signal })) seen.push(event);
      expect(seen).toEqual([]);
    });

    it('closing the store ends its watches', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const watching = (async () => {
        for await (const event of store.watch(Widget, { from }))
          if (event.type !== 'bookmark') throw new Error('nothing was written');
      })();
      await store.close();
      await watching;
    });

    it('a watcher that does not read delays no other watcher and loses nothing', async () => {
      const { store } = current();
      const { resourceVersion: from } = await store.list(Widget);
      const slow = store.watch(Widget, { from })[Symbol.asyncIterator]();
      const first = slow.next();
      await Promise.all(Array.from({ length: 100 }, (_, index) => store.create(Widget, widget(`w${index}`))));
      const objects: string[] = [];
      const note = ({ done, value }: Awaited<typeof first>) => {
        if (done === true) throw new Error('the watch ended early');
        if (value.type !== 'bookmark') objects.push(value.object.metadata.name);
      };
      note(await first);
      while (objects.length < 100) note(await slow.next());
      await slow.return?.();
      expect(objects.toSorted()).toEqual((await store.list(Widget)).items.map(({ metadata }) => metadata.name));
    });
  });
}
