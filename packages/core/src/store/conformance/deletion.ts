import { describe, expect, it } from 'vitest';

import { expectProblem, useStore, type StoreHarness } from './harness.ts';
import { Widget, widget } from './kinds.ts';

export function describeDeletion(harness: StoreHarness): void {
  describe('deletion', () => {
    const current = useStore(harness);

    it('an object without finalizers is removed at once', async () => {
      const { store } = current();
      await store.create(Widget, widget('a'));
      expect(await store.delete(Widget, 'a')).toBeUndefined();
      expect(await store.get(Widget, 'a')).toBeUndefined();
    });

    it('deleting an object that does not exist does nothing', async () => {
      expect(await current().store.delete(Widget, 'a')).toBeUndefined();
    });

    it('an object with finalizers is marked, which increases its generation', async () => {
      const { store } = current();
      await store.create(Widget, widget('a', { finalizers: ['x.org/one'] }));
      const marked = await store.delete(Widget, 'a');
      expect(marked?.metadata).toMatchObject({ generation: 2, finalizers: ['x.org/one'] });
      expect(marked?.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await store.get(Widget, 'a')).toEqual(marked);
    });

    it('deleting it again changes nothing', async () => {
      const { store } = current();
      await store.create(Widget, widget('a', { finalizers: ['x.org/one'] }));
      const marked = await store.delete(Widget, 'a');
      expect(await store.delete(Widget, 'a')).toEqual(marked);
    });

    it('a marked object keeps its name', async () => {
      const { store } = current();
      await store.create(Widget, widget('a', { finalizers: ['x.org/one'] }));
      await store.delete(Widget, 'a');
      await expectProblem(store.create(Widget, widget('a')), 'conflict');
    });

    it('the status of a marked object can be updated, but it cannot get a new finalizer', async () => {
      const { store } = current();
      await store.create(Widget, widget('a', { finalizers: ['x.org/one'] }));
      const marked = await store.delete(Widget, 'a');
      if (!marked) throw new Error('its finalizer keeps it');
      const reported = await store.updateStatus(Widget, { ...marked, status: { phase: 'leaving' } });
      expect(reported.status).toEqual({ phase: 'leaving' });
      await expectProblem(
        store.update(Widget, {
          ...reported,
          metadata: { ...reported.metadata, finalizers: ['x.org/one', 'x.org/two'] },
        }),
        'invalid_object',
      );
    });

    it('a marked object is removed with its last finalizer', async () => {
      const { store } = current();
      await store.create(Widget, widget('a', { finalizers: ['x.org/one', 'x.org/two'] }));
      const marked = await store.delete(Widget, 'a');
      if (!marked) throw new Error('its finalizers keep it');
      const half = await store.update(Widget, {
        ...marked,
        metadata: { ...marked.metadata, finalizers: ['x.org/two'] },
      });
      expect(await store.get(Widget, 'a')).toEqual(half);
      await store.update(Widget, { ...half, metadata: { ...half.metadata, finalizers: [] } });
      expect(await store.get(Widget, 'a')).toBeUndefined();
    });

    it('removing every finalizer of an object that is not marked keeps the object', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a', { finalizers: ['x.org/one'] }));
      await store.update(Widget, { ...created, metadata: { ...created.metadata, finalizers: [] } });
      expect((await store.get(Widget, 'a'))?.metadata.finalizers ?? []).toEqual([]);
    });

    it('a deletion with the uid or version of another object is refused', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const updated = await store.update(Widget, { ...created, spec: { size: 2 } });
      await expectProblem(
        store.delete(Widget, 'a', { preconditions: { uid: '11111111-2222-4333-8444-555555555555' } }),
        'conflict',
      );
      await expectProblem(
        store.delete(Widget, 'a', { preconditions: { resourceVersion: created.metadata.resourceVersion } }),
        'conflict',
      );
      expect(await store.get(Widget, 'a')).toEqual(updated);
      const { uid, resourceVersion } = updated.metadata;
      expect(await store.delete(Widget, 'a', { preconditions: { uid, resourceVersion } })).toBeUndefined();
    });

    it('a deletion without preconditions succeeds, however often the object changes meanwhile', async () => {
      const { store } = current();
      const created = await store.create(Widget, widget('a'));
      const outcomes = await Promise.allSettled([
        store.update(Widget, { ...created, spec: { size: 2 } }),
        store.delete(Widget, 'a'),
      ]);
      expect(outcomes[1].status).toBe('fulfilled');
      expect(await store.get(Widget, 'a')).toBeUndefined();
    });
  });
}
