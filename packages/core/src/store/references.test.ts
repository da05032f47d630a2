import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { referenceOf, referencesOf } from '../resource/index.ts';
import { virtualWorld } from '../testing/index.ts';
import { addReference, modify, modifyStatus, removeReference } from './index.ts';
import { openMemoryStore } from './sqlite/index.ts';

const Network = defineKind({ group: 'test.unikorn-cloud.org', version: 'v1alpha1', kind: 'Network', plural: 'networks', spec: Type.Object({ count: Type.Integer() }), status: { seen: Type.Optional(Type.Integer()) } });
const reference = referenceOf(Network, 'user');

async function oneNetwork() {
  const store = openMemoryStore({ world: virtualWorld(), kinds: [Network] });
  await store.create(Network, { metadata: { name: 'n' }, spec: { count: 0 } });
  return store;
}

describe('references', () => {
  it('are added once, listed by kind and id, and removed', async () => {
    const store = await oneNetwork();
    await addReference(store, Network, 'n', reference);
    await addReference(store, Network, 'n', reference);
    const held = await store.get(Network, 'n');
    expect(held && referencesOf(held.metadata)).toEqual([{ kind: 'networks.test.unikorn-cloud.org', id: 'user' }]);
    await removeReference(store, Network, 'n', reference);
    expect((await store.get(Network, 'n'))?.metadata.finalizers).toBeUndefined();
  });

  it('hold up a deletion until the last of them is gone', async () => {
    const store = await oneNetwork();
    await addReference(store, Network, 'n', reference);
    await store.delete(Network, 'n');
    expect((await store.get(Network, 'n'))?.metadata.deletionTimestamp).toBeDefined();
    await removeReference(store, Network, 'n', reference);
    expect(await store.get(Network, 'n')).toBeUndefined();
  });

  it('cannot be added to what is absent or being deleted; removing one there is harmless', async () => {
    const store = await oneNetwork();
    await expect(addReference(store, Network, 'absent', reference)).rejects.toMatchObject({ code: 'not_found' });
    await addReference(store, Network, 'n', reference);
    await store.delete(Network, 'n');
    await expect(addReference(store, Network, 'n', referenceOf(Network, 'late'))).rejects.toMatchObject({ code: 'invalid_request' });
    await removeReference(store, Network, 'absent', reference);
  });
});

describe('modify', () => {
  it('loses no change when many writers change one object at once', async () => {
    const store = await oneNetwork();
    await Promise.all(Array.from({ length: 20 }, () => modify(store, Network, 'n', (network) => ({ ...network, spec: { count: network.spec.count + 1 } }))));
    await Promise.all(Array.from({ length: 20 }, () => modifyStatus(store, Network, 'n', (network) => ({ ...network, status: { ...network.status, seen: (network.status?.seen ?? 0) + 1 } }))));
    expect(await store.get(Network, 'n')).toMatchObject({ spec: { count: 20 }, status: { seen: 20 } });
  });

  it('leaves the object when there is nothing to change', async () => {
    const store = await oneNetwork();
    const before = await store.get(Network, 'n');
    expect(await modify(store, Network, 'n', () => undefined)).toEqual(before);
  });
});
