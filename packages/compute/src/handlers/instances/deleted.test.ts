import { afterAll, beforeAll, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { ComputeInstance, GoneInstance } from '../../kinds/index.ts';
import { seen, startInstances, type Instances } from './instances.fixture.ts';

let compute: Instances;

beforeAll(async () => {
  compute = await startInstances();
});
afterAll(() => compute.stop());

const deleted = async (query = '', token = compute.token) => {
  const answer = await compute.call('GET', `/api/v2/deletedinstances${query}`, { token });
  return {
    ...answer,
    names: (answer.body as readonly { readonly metadata: { readonly name: string } }[]).map(
      ({ metadata }) => metadata.name,
    ),
  };
};

async function lived(name: string): Promise<string> {
  const {
    metadata: { id },
  } = seen(await compute.create(name));
  await compute.until(id, 'provisioned');
  await compute.ask('DELETE', `/${id}`);
  await compute.gone(id);
  // Deleted instances are in the order of their deletion.
  await compute.world.advance(1_000);
  return id;
}

it('deleted instances are listed in the order of their deletion, by page, and found by name', async () => {
  const ids = [await lived('one'), await lived('two'), await lived('one')];
  const kept = seen(await compute.create('kept')).metadata.id;
  const { names, body } = await deleted();
  expect(names).toEqual(['one', 'two', 'one']);
  expect(body).toMatchObject(
    ids.map((id) => ({
      metadata: { id, organizationId: compute.organizationId, projectId: compute.projectId },
      spec: compute.wanted,
      status: { networkId: compute.networkId, regionId: compute.regionId },
    })),
  );
  const [
    {
      metadata: { creationTime, deletionTime },
    },
  ] = body as readonly [{ readonly metadata: { readonly creationTime: string; readonly deletionTime: string } }];
  expect(Date.parse(deletionTime)).toBeGreaterThanOrEqual(Date.parse(creationTime));
  const page = await deleted('?limit=2');
  expect(page.names).toEqual(['one', 'two']);
  expect((await deleted(`?limit=2&continue=${encodeURIComponent(String(page.headers['continue']))}`)).names).toEqual([
    'one',
  ]);
  expect((await deleted('?name=one')).names).toEqual(['one', 'one']);
  expect((await deleted('?search=TW')).names).toEqual(['two']);
  expect((await deleted(`?search=${ids[1]}`)).names).toEqual(['two']);
  expect((await deleted(`?networkID=${kept}`)).names).toEqual([]);
});

it('deleted instances are shown only to callers who could read them', async () => {
  await lived('private');
  const stranger = await compute.found.robot(await compute.found.organization(), ['administrator']);
  const colleague = await compute.found.robot(compute.organizationId, ['reader']);
  expect((await deleted('', stranger.token)).names).toEqual([]);
  expect((await deleted('', colleague.token)).names).toEqual([]);
  expect((await deleted('?name=private')).names).toEqual(['private']);
});

it('an instance that an operator removed without its controller is listed too', async () => {
  const {
    metadata: { id },
  } = seen(await compute.create('forced'));
  await compute.until(id, 'provisioned');
  await modify(compute.store, ComputeInstance, id, (instance) => ({
    ...instance,
    metadata: { ...instance.metadata, finalizers: [] },
  }));
  await compute.store.delete(ComputeInstance, id);
  await compute.eventually(
    async () => (await deleted('?name=forced')).names,
    (names) => names.length === 1,
  );
  expect((await compute.store.list(GoneInstance)).items.at(-1)?.spec.entries.map(({ action }) => action)).toContain(
    'deletion',
  );
});
