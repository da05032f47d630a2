import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { virtualWorld } from '../testing/index.ts';
import { modify, modifyStatus } from './index.ts';
import { openMemoryStore } from './sqlite/index.ts';

const Network = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Network',
  plural: 'networks',
  spec: Type.Object({ count: Type.Integer() }),
  status: { seen: Type.Optional(Type.Integer()) },
});

async function oneNetwork() {
  const store = openMemoryStore({ world: virtualWorld(), kinds: [Network] });
  await store.create(Network, { metadata: { name: 'n' }, spec: { count: 0 } });
  return store;
}

describe('modify', () => {
  it('loses no change when many writers change one object at once', async () => {
    const store = await oneNetwork();
    await Promise.all(
      Array.from({ length: 20 }, () =>
        modify(store, Network, 'n', (network) => ({ ...network, spec: { count: network.spec.count + 1 } })),
      ),
    );
    await Promise.all(
      Array.from({ length: 20 }, () =>
        modifyStatus(store, Network, 'n', (network) => ({
          ...network,
          status: { ...network.status, seen: (network.status?.seen ?? 0) + 1 },
        })),
      ),
    );
    expect(await store.get(Network, 'n')).toMatchObject({ spec: { count: 20 }, status: { seen: 20 } });
  });

  it('does not write if there is nothing to change', async () => {
    const store = await oneNetwork();
    const before = await store.get(Network, 'n');
    expect(await modify(store, Network, 'n', () => undefined)).toEqual(before);
  });
});
