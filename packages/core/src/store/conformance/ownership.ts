import { describe, expect, it } from 'vitest';

import { becomes, gone, useStore, type StoreHarness } from './harness.ts';
import { Gadget, gadget, ownedBy, Widget, widget } from './kinds.ts';

const finalizer = 'x.org/hold';

export function describeOwnership(harness: StoreHarness): void {
  describe('ownership', () => {
    const current = useStore(harness);

    it('dependents are deleted after their owner, and their own dependents after them', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      const dependent = await store.create(Gadget, gadget('dependent', { ownerReferences: [ownedBy(owner)] }));
      await store.create(Widget, widget('grandchild', { ownerReferences: [ownedBy(dependent)] }));
      await store.create(Gadget, gadget('bystander'));
      await store.delete(Widget, 'owner', { propagation: 'background' });
      await gone(store, Gadget, 'dependent');
      await gone(store, Widget, 'grandchild');
      expect(await store.get(Gadget, 'bystander')).toBeDefined();
    });

    it('an owner that is only marked keeps its dependents', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner', { finalizers: [finalizer] }));
      await store.create(Gadget, gadget('dependent', { ownerReferences: [ownedBy(owner)] }));
      const marked = await store.delete(Widget, 'owner');
      if (!marked) throw new Error('its finalizer keeps it');
      expect((await store.get(Gadget, 'dependent'))?.metadata.deletionTimestamp).toBeUndefined();
      await store.update(Widget, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
      await gone(store, Gadget, 'dependent');
    });

    it('a dependent with a finalizer is marked, and removed with its finalizer', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      await store.create(Gadget, gadget('dependent', { finalizers: [finalizer], ownerReferences: [ownedBy(owner)] }));
      await store.delete(Widget, 'owner');
      const marked = await becomes(
        store,
        Gadget,
        'dependent',
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      );
      await store.update(Gadget, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
      expect(await store.get(Gadget, 'dependent')).toBeUndefined();
    });

    it('a dependent of two owners stays while one of them exists', async () => {
      const { store } = current();
      const leaving = await store.create(Widget, widget('leaving'));
      const staying = await store.create(Widget, widget('staying'));
      await store.create(Gadget, gadget('dependent', { ownerReferences: [ownedBy(leaving), ownedBy(staying)] }));
      await store.delete(Widget, 'leaving');
      const kept = await becomes(store, Gadget, 'dependent', ({ metadata }) => metadata.ownerReferences?.length === 1);
      expect(kept.metadata.ownerReferences).toEqual([ownedBy(staying)]);
      expect(kept.metadata.deletionTimestamp).toBeUndefined();
      await store.delete(Widget, 'staying');
      await gone(store, Gadget, 'dependent');
    });

    it('a dependent of an owner that no longer exists is deleted', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      await store.delete(Widget, 'owner');
      await store.create(Widget, widget('owner'));
      await store.create(Gadget, gadget('late', { ownerReferences: [ownedBy(owner)] }));
      await gone(store, Gadget, 'late');
      expect(await store.get(Widget, 'owner')).toBeDefined();
    });

    it('an object that gets an owner later is deleted with it', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      const free = await store.create(Gadget, gadget('adopted'));
      await store.update(Gadget, { ...free, metadata: { ...free.metadata, ownerReferences: [ownedBy(owner)] } });
      await store.delete(Widget, 'owner');
      await gone(store, Gadget, 'adopted');
    });

    it('in the foreground the owner stays, marked, until the dependents that block it are deleted', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      await store.create(
        Gadget,
        gadget('dependent', { finalizers: [finalizer], ownerReferences: [ownedBy(owner, { blocking: true })] }),
      );
      const marked = await store.delete(Widget, 'owner', { propagation: 'foreground' });
      expect(marked?.metadata).toMatchObject({ generation: 2, finalizers: ['foregroundDeletion'] });
      const held = await becomes(
        store,
        Gadget,
        'dependent',
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      );
      expect(await store.get(Widget, 'owner')).toBeDefined();
      await store.update(Gadget, { ...held, metadata: { ...held.metadata, finalizers: [] } });
      await gone(store, Widget, 'owner');
    });

    it('in the foreground a whole tree is deleted from the leaves up', async () => {
      const { store } = current();
      const root = await store.create(Widget, widget('root'));
      const branch = await store.create(
        Gadget,
        gadget('branch', { ownerReferences: [ownedBy(root, { blocking: true })] }),
      );
      await store.create(
        Widget,
        widget('leaf', { finalizers: [finalizer], ownerReferences: [ownedBy(branch, { blocking: true })] }),
      );
      await store.delete(Widget, 'root', { propagation: 'foreground' });
      const leaf = await becomes(store, Widget, 'leaf', ({ metadata }) => metadata.deletionTimestamp !== undefined);
      expect((await store.get(Gadget, 'branch'))?.metadata.deletionTimestamp).toBeDefined();
      expect(await store.get(Widget, 'root')).toBeDefined();
      await store.update(Widget, { ...leaf, metadata: { ...leaf.metadata, finalizers: [] } });
      await gone(store, Gadget, 'branch');
      await gone(store, Widget, 'root');
    });

    it('in the foreground a dependent that does not block its owner is deleted too, but the owner does not wait', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      await store.create(Gadget, gadget('free', { finalizers: [finalizer], ownerReferences: [ownedBy(owner)] }));
      await store.delete(Widget, 'owner', { propagation: 'foreground' });
      await gone(store, Widget, 'owner');
      await becomes(store, Gadget, 'free', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    });

    it('in the foreground an owner without dependents is deleted', async () => {
      const { store } = current();
      await store.create(Widget, widget('owner'));
      await store.delete(Widget, 'owner', { propagation: 'foreground' });
      await gone(store, Widget, 'owner');
    });

    it('objects that own each other can still be deleted in the foreground', async () => {
      const { store } = current();
      const a = await store.create(Widget, widget('a'));
      const b = await store.create(Gadget, gadget('b', { ownerReferences: [ownedBy(a, { blocking: true })] }));
      await store.update(Widget, {
        ...a,
        metadata: { ...a.metadata, ownerReferences: [ownedBy(b, { blocking: true })] },
      });
      await store.delete(Widget, 'a', { propagation: 'foreground' });
      await gone(store, Widget, 'a');
      await gone(store, Gadget, 'b');
    });

    it('an owner of many objects is deleted with all of them', async () => {
      const { store } = current();
      const owner = await store.create(Widget, widget('owner'));
      const dependents = Array.from({ length: 60 }, (_, index) =>
        gadget(`d${index}`, { ownerReferences: [ownedBy(owner, { blocking: index % 2 === 0 })] }),
      );
      await Promise.all(dependents.map((draft) => store.create(Gadget, draft)));
      await store.delete(Widget, 'owner', { propagation: 'foreground' });
      await gone(store, Widget, 'owner');
      for (const { metadata } of dependents) await gone(store, Gadget, metadata.name);
      expect((await store.list(Gadget)).items).toEqual([]);
    });
  });
}
