import { describe, expect, it } from 'vitest';

import { limits } from '../../limits.ts';
import { compareVersions } from '../version.ts';
import { expectProblem, useStore, type StoreHarness } from './harness.ts';
import { Gadget, gadget, team, Widget, widget } from './kinds.ts';

export function describeObjects(harness: StoreHarness): void {
  describe('objects', () => {
    const current = useStore(harness);

    it('a created object is returned with uid, version, generation and creation time', async () => {
      const { store } = current();
      const created = await store.create(Widget, {
        metadata: { name: 'a', labels: { [team]: 'red' }, annotations: { note: 'x' } },
        spec: { size: 3, parts: ['p'] },
      });
      expect(created).toMatchObject({
        apiVersion: Widget.apiVersion,
        kind: 'Widget',
        metadata: { name: 'a', generation: 1, labels: { [team]: 'red' }, annotations: { note: 'x' } },
      });
      expect(created.spec).toEqual({ size: 3, parts: ['p'] });
      expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await store.get(Widget, 'a')).toEqual(created);
    });

    it('returned objects cannot be changed in place', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a', { labels: { [team]: 'red' } }));
      for (const object of [created, await store.get(Widget, 'a'), ...(await store.list(Widget)).items]) {
        expect([object, object?.metadata, object?.metadata.labels, object?.spec].map(Object.isFrozen)).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }
    });

    it('a writer may change the object that it passed, and the stored object stays the same', async () => {
      const { store } = current();
      const [labels, spec, status] = [{ [team]: 'red' }, { size: 1, parts: ['p'] }, { phase: 'ready' }];
      const created = await store.create(Widget, { metadata: { name: 'a', labels }, spec });
      spec.parts.push('q');
      const updated = await store.update(Widget, { metadata: { ...created.metadata, labels }, spec });
      const reported = await store.updateStatus(Widget, { metadata: updated.metadata, status });
      labels[team] = 'blue';
      spec.parts.push('r');
      status.phase = 'lost';
      for (const object of [reported, await store.get(Widget, 'a'), ...(await store.list(Widget)).items]) {
        expect(object).toMatchObject({
          metadata: { labels: { [team]: 'red' } },
          spec: { parts: ['p', 'q'] },
          status: { phase: 'ready' },
        });
        expect(
          [object?.metadata, object?.metadata.labels, object?.spec.parts, object?.status].map(Object.isFrozen),
        ).toEqual([true, true, true, true]);
      }
      expect(created.spec).toEqual({ size: 1, parts: ['p'] });
    });

    it('an object that is too large for any engine is refused and not stored', async () => {
      const { store } = current();
      await expectProblem(
        store.create(Widget, { ...widget('a'), spec: { size: 1, parts: ['x'.repeat(limits.objectBytes)] } }),
        'request_entity_too_large',
      );
      expect(await store.get(Widget, 'a')).toBeUndefined();
    });

    it('an object that does not exist is undefined', async () => {
      expect(await current().store.get(Widget, 'nobody')).toBeUndefined();
    });

    it('a second create of a name is refused and does not change the first object', async () => {
      const { store } = current();
      const first = await store.create(Widget, widget('a'));
      await expectProblem(store.create(Widget, widget('a', {}, 2)), 'conflict');
      expect(await store.get(Widget, 'a')).toEqual(first);
    });

    it('of racing creates of one name exactly one succeeds', async () => {
      const { store } = current();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, size) => store.create(Widget, widget('a', {}, size))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('the same name in another kind is another object', async () => {
      const { store } = current();
      const [a, b] = await Promise.all([store.create(Widget, widget('a')), store.create(Gadget, gadget('a'))]);
      expect(a.metadata.uid).not.toBe(b.metadata.uid);
    });

    it('an object that violates the rules of its kind is refused and not stored', async () => {
      const { store } = current();
      await expectProblem(store.create(Widget, widget('a', {}, -1)), 'invalid_object');
      expect(await store.get(Widget, 'a')).toBeUndefined();
    });

    it('an update replaces spec and labels and keeps uid and creation time', async () => {
      const { store } = current();
      const { metadata } = await store.create(
        Widget,
        widget('a', { labels: { [team]: 'red' }, annotations: { note: 'x' } }),
      );
      const updated = await store.update(Widget, {
        metadata: { name: 'a', resourceVersion: metadata.resourceVersion, labels: { other: 'y' } },
        spec: { size: 2 },
      });
      expect(updated.metadata).toMatchObject({
        uid: metadata.uid,
        creationTimestamp: metadata.creationTimestamp,
        labels: { other: 'y' },
      });
      expect(updated.metadata.annotations ?? {}).toEqual({});
      expect(updated.spec).toEqual({ size: 2 });
      expect(await store.get(Widget, 'a')).toEqual(updated);
    });

    it('the generation changes with the spec and with nothing else', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const labelled = await store.update(Widget, {
        ...created,
        metadata: { ...created.metadata, labels: { [team]: 'red' } },
      });
      const resized = await store.update(Widget, { ...labelled, spec: { size: 2 } });
      const reported = await store.updateStatus(Widget, { ...resized, status: { phase: 'ready' } });
      expect([created, labelled, resized, reported].map(({ metadata }) => metadata.generation)).toEqual([1, 1, 2, 2]);
    });

    it('an update does not change the status, and a status update changes nothing else', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const reported = await store.updateStatus(Widget, {
        ...created,
        status: { phase: 'ready' },
        ...{ spec: { size: 99 } },
      });
      expect(reported).toMatchObject({ spec: { size: 1 }, status: { phase: 'ready' } });
      const updated = await store.update(Widget, { ...reported, spec: { size: 2 }, ...{ status: { phase: 'lost' } } });
      expect(updated).toMatchObject({ spec: { size: 2 }, status: { phase: 'ready' } });
    });

    it('a status that violates the rules of its kind is refused', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      await expectProblem(
        store.updateStatus(Widget, { ...created, status: { phase: 'ready', observedGeneration: -1 } }),
        'invalid_object',
      );
    });

    it('a change of an older version is refused and changes nothing', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const updated = await store.update(Widget, { ...created, spec: { size: 2 } });
      await expectProblem(store.update(Widget, { ...created, spec: { size: 3 } }), 'conflict');
      await expectProblem(store.updateStatus(Widget, { ...created, status: { phase: 'ready' } }), 'conflict');
      expect(await store.get(Widget, 'a')).toEqual(updated);
    });

    it('a status update may pass the object that it is about, and is refused when the stored object is newer', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const reported = await store.updateStatus(Widget, {
        metadata: created.metadata,
        of: created,
        status: { phase: 'ready' },
      });
      expect(reported).toMatchObject({ spec: { size: 1 }, status: { phase: 'ready' } });
      await expectProblem(
        store.updateStatus(Widget, { metadata: created.metadata, of: created, status: { phase: 'lost' } }),
        'conflict',
      );
      await expectProblem(store.updateStatus(Widget, { metadata: created.metadata, of: created }), 'conflict');
      expect(await store.get(Widget, 'a')).toEqual(reported);
      await store.delete(Widget, 'a');
      await expectProblem(
        store.updateStatus(Widget, { metadata: reported.metadata, of: reported, status: { phase: 'lost' } }),
        'not_found',
      );
    });

    it('of racing updates of one version exactly one succeeds', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) => store.update(Widget, { ...created, spec: { size: 10 + index } })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('an object that does not exist cannot be updated', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      await store.delete(Widget, 'a');
      await expectProblem(store.update(Widget, { ...created, spec: { size: 2 } }), 'not_found');
      await expectProblem(store.updateStatus(Widget, { ...created, status: {} }), 'not_found');
    });

    it('a change of a deleted object does not affect a new object with the same name', async () => {
      const { store } = current();
      const before = await store.create(Widget, widget('a'));
      await store.delete(Widget, 'a');
      const after = await store.create(Widget, widget('a'));
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      await expectProblem(store.update(Widget, { ...before, spec: { size: 2 } }), 'conflict');
    });

    it('a change without effect makes no new version', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a', { labels: { [team]: 'red' } }));
      const reported = await store.updateStatus(Widget, { ...created, status: { phase: 'ready' } });
      expect(await store.update(Widget, reported)).toEqual(reported);
      expect(await store.updateStatus(Widget, reported)).toEqual(reported);
    });

    it('versions increase with every write of a kind', async () => {
      const { store } = current();
      const first = await store.create(Widget, widget('a'));
      const second = await store.create(Widget, widget('b'));
      const third = await store.update(Widget, { ...first, spec: { size: 2 } });
      const { resourceVersion } = await store.list(Widget);
      const versions = [...[first, second, third].map(({ metadata }) => metadata.resourceVersion)];
      expect(versions.toSorted(compareVersions)).toEqual(versions);
      expect(new Set(versions).size).toBe(3);
      expect(compareVersions(resourceVersion, third.metadata.resourceVersion)).toBeGreaterThanOrEqual(0);
    });
  });
}
