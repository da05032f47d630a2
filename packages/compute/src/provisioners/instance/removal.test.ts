import { expect, it } from 'vitest';

import { ReferenceRecord, recordReference } from '@unikorn/core/references';
import { labels, newMetadata, referenceOf } from '@unikorn/core/resource';
import { Saga } from '@unikorn/core/saga';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { listedReferences, noProjectReferences, usedKinds } from '../../holds/held.fixture.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import type { Attempt } from './attempt.ts';
import { removeServer } from './removal.ts';

const scope = { organizationId: 'o1', projectId: 'p1' };
const metadata = newMetadata('i1', { name: 'web' }, scope, { subject: 'ann' }, { labels: { [labels.network]: 'n1' } });

/** An instance whose server is deleted, and that still has a reference to its network. */
async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [ReferenceRecord, Saga] });
  const reference = referenceOf(ComputeInstance, 'i1');
  await recordReference(
    store,
    usedKinds.network,
    { name: 'n1', labels: { [labels.organization]: 'o1' } },
    { reference },
  );
  const gates = { letGo: Promise.withResolvers<undefined>(), release: Promise.withResolvers<undefined>() };
  const found = { server: undefined as object | undefined, deleted: [] as string[] };
  const attempt = {
    store,
    world,
    log: silentTelemetry().log,
    instance: { metadata, spec: {} },
    on: { principal: { actor: 'ann', ...scope }, impersonate: false },
    watched: { shows: () => false },
    regionClient: {
      letGo: () => gates.letGo.promise,
      references: listedReferences(store),
      server: () => Promise.resolve(found.server),
      deleteServer: (_on: unknown, id: string) => {
        found.deleted.push(id);
        return Promise.resolve();
      },
    },
    identityClient: { release: () => gates.release.promise, projectReferences: noProjectReferences },
  } as unknown as Attempt;
  return { world, gates, found, removal: removeServer(attempt, { type: 'none' }) };
}

it('is complete only after the reference to the network and the charge are released', async () => {
  const { world, gates, removal } = await stage();
  let over = false;
  void removal.then(() => (over = true));
  await world.settle();
  expect(over).toBe(false);
  gates.letGo.resolve(undefined);
  await world.settle();
  expect(over).toBe(false);
  gates.release.resolve(undefined);
  await world.settle();
  expect(over).toBe(true);
  expect(await removal).toMatchObject({ type: 'done' });
});

it('keeps the charge while the reference to the network cannot be removed', async () => {
  const { gates, removal } = await stage();
  gates.letGo.reject(new Error('region is down'));
  await expect(removal).rejects.toThrow('region is down');
});

it('deletes a server that a late request created before the reference to the network was removed', async () => {
  const { world, gates, found, removal } = await stage();
  await world.settle();
  found.server = { metadata: { id: 'i1', tags: [{ name: linkTag, value: 'i1' }] } };
  gates.letGo.resolve(undefined);
  expect(await removal).toMatchObject({ type: 'yield' });
  expect(found.deleted).toEqual(['i1']);
});
