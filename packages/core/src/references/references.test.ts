import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { defineKind } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { finalizers, labels, referenceOf } from '../resource/index.ts';
import { modifyStatus, type Store } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, virtualWorld } from '../testing/index.ts';
import {
  addReference,
  deletionMarkOf,
  ReferenceRecord,
  referencesOfUser,
  referencesTo,
  refuseWhileProtected,
  refuseWhileProtectedIn,
  removeReference,
  requestDeletion,
  type Holder,
} from './index.ts';
import { inEveryOrder } from './interleave.fixture.ts';

const Network = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Network',
  plural: 'networks',
  spec: Type.Object({ count: Type.Integer() }),
  status: { seen: Type.Optional(Type.Integer()) },
});
const Project = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Project',
  plural: 'projects',
  spec: Type.Object({}),
  status: {},
});
const reference = referenceOf(Network, 'user');
const used = { name: 'n', labels: { [labels.name]: 'front', [labels.organization]: 'o', [labels.project]: 'p' } };

async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Network, Project, ReferenceRecord] });
  await store.create(Network, { metadata: { ...used, finalizers: [finalizers.framework] }, spec: { count: 0 } });
  await store.create(Project, { metadata: { name: 'p', finalizers: [finalizers.framework] }, spec: {} });
  const read = async () => {
    const network = await store.get(Network, 'n');
    if (!network) throw new Error('the network is gone');
    return network;
  };
  return {
    world,
    store,
    read,
    network: await read(),
    references: async () => (await store.list(ReferenceRecord)).items,
  };
}

type Stage = Awaited<ReturnType<typeof stage>>;

const adding =
  (holder: Partial<Holder> = {}) =>
  ({ world }: Stage) =>
  (store: Store) =>
    addReference({ store, world }, Network, used, { reference, ...holder });
const deleting =
  ({ world, network }: Stage) =>
  (store: Store) =>
    requestDeletion({ store, world }, Network, network, {
      by: 'jane@acme.com',
      check: async () => {
        if ((await referencesTo(store, Network, 'n', 1)).length > 0) throw new Problem('in_use', 'it is in use');
      },
    });

describe('a reference', () => {
  it('is added once, found from both ends, and removed', async () => {
    const { world, store, references } = await stage();
    for (const name of ['instance web', 'instance web'])
      await addReference({ store, world }, Network, used, { reference, name });
    expect(await references()).toMatchObject([
      {
        spec: { used: { kind: Network.id, id: 'n' }, reference, name: 'instance web' },
        metadata: { labels: { [labels.project]: 'p', [labels.organization]: 'o' } },
      },
    ]);
    expect(await referencesTo(store, Network, 'n', 10)).toEqual(await references());
    expect(await referencesTo(store, Project, 'n', 10)).toEqual([]);
    expect(await referencesOfUser(store, reference, 10)).toEqual(await references());
    for (let twice = 0; twice < 2; twice++) await removeReference(store, Network, 'n', reference);
    expect(await references()).toEqual([]);
  });

  it('writes nothing to the used object, however many references it has', async () => {
    const { world, store, read, network } = await stage();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        addReference({ store, world }, Network, used, { reference: referenceOf(Network, `u${index}`) }),
      ),
    );
    expect(await read()).toEqual(network);
  });

  it('cannot be added to an object that is absent or being deleted, and leaves nothing behind', async () => {
    const { world, store, references } = await stage();
    await expect(addReference({ store, world }, Network, { name: 'absent' }, { reference })).rejects.toMatchObject({
      code: 'not_found',
    });
    await store.delete(Network, 'n');
    await expect(addReference({ store, world }, Network, used, { reference })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'network front (n) is being deleted',
    });
    expect(await references()).toEqual([]);
  });

  it('that existed before stays while the used object is being deleted', async () => {
    const { world, store, references } = await stage();
    await addReference({ store, world }, Network, used, { reference });
    await store.delete(Network, 'n');
    await expect(addReference({ store, world }, Network, used, { reference })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await references()).toHaveLength(1);
  });

  it('cannot be added while an owner of the used object is being deleted', async () => {
    const { world, store, references } = await stage();
    await store.delete(Project, 'p');
    await expect(
      addReference({ store, world }, Network, used, { reference }, [{ kind: Project, name: 'p' }]),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await references()).toEqual([]);
  });
});

describe('claims of concurrent runs for one user', () => {
  it('a run releases its own claim, and no claim of another run', async () => {
    const { world, store, references } = await stage();
    const deps = { store, world };
    for (const claim of ['one', 'two', 'two']) await addReference(deps, Network, used, { reference, claim });
    await removeReference(store, Network, 'n', reference, 'one');
    await removeReference(store, Network, 'n', reference, 'one');
    expect(await references()).toHaveLength(1);
    await removeReference(store, Network, 'n', reference, 'two');
    expect(await references()).toEqual([]);
  });

  it('a reference without claims is not released by a run that found it', async () => {
    const { world, store, references } = await stage();
    await addReference({ store, world }, Network, used, { reference, claim: 'run' });
    await addReference({ store, world }, Network, used, { reference });
    await addReference({ store, world }, Network, used, { reference, claim: 'later' });
    for (const claim of ['run', 'later']) await removeReference(store, Network, 'n', reference, claim);
    expect(await references()).toHaveLength(1);
  });

  it('never remove the reference of the run that succeeds, in any order of the two', async () => {
    const giveUp = (current: Stage) => async (store: Store) => {
      await adding({ claim: 'loser' })(current)(store);
      await removeReference(store, Network, 'n', reference, 'loser');
    };
    const orders = await inEveryOrder(
      stage,
      [adding({ claim: 'winner' }), giveUp],
      async ({ references }, outcomes, order) => {
        expect(
          outcomes.map(({ status }) => status),
          order,
        ).toEqual(['fulfilled', 'fulfilled']);
        expect(await references(), order).toHaveLength(1);
      },
    );
    expect(orders).toBeGreaterThan(10);
  });
});

describe('a request to delete', () => {
  it('and a new user cannot both succeed, in any order of their effects', async () => {
    const orders = await inEveryOrder(
      stage,
      [adding({ claim: 'run' }), deleting],
      async ({ read, references }, [added, deleted], order) => {
        const { metadata } = await read();
        expect([added?.status, deleted?.status], order).not.toEqual(['fulfilled', 'fulfilled']);
        expect((await references()).length, order).toBe(added?.status === 'fulfilled' ? 1 : 0);
        expect(metadata.deletionTimestamp !== undefined, order).toBe(deleted?.status === 'fulfilled');
        if (deleted?.status === 'rejected') expect(deletionMarkOf({ metadata }), order).toBeUndefined();
      },
    );
    expect(orders).toBeGreaterThan(10);
  });

  it('records its caller on the deleted object', async () => {
    const current = await stage();
    await deleting(current)(current.store);
    expect(deletionMarkOf(await current.read())).toMatchObject({ by: 'jane@acme.com' });
  });

  it('and another one of the same object both succeed, in any order of their effects', async () => {
    const orders = await inEveryOrder(stage, [deleting, deleting], async ({ read }, outcomes, order) => {
      expect((await read()).metadata.deletionTimestamp, order).toBeDefined();
      expect(outcomes, order).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    });
    expect(orders).toBeGreaterThan(10);
  });

  it('and another one of an object in use are both refused for that reason, and leave it open', async () => {
    const inUse = async () => {
      const current = await stage();
      await adding()(current)(current.store);
      return current;
    };
    await inEveryOrder(inUse, [deleting, deleting], async ({ read }, outcomes, order) => {
      expect(outcomes, order).toMatchObject([{ reason: { code: 'in_use' } }, { reason: { code: 'in_use' } }]);
      expect(deletionMarkOf(await read()), order).toBeUndefined();
    });
  });

  it('is refused if only the name was changed meanwhile, also if another request closed the object in between', async () => {
    const { store, world, read, network } = await stage();
    const { metadata, spec } = await read();
    await store.update(Network, { metadata: { ...metadata, labels: { ...used.labels, [labels.name]: 'back' } }, spec });
    const never = Promise.withResolvers<undefined>();
    void requestDeletion({ store, world }, Network, await read(), { check: () => never.promise });
    await world.settle();
    await expect(
      requestDeletion({ store, world }, Network, network, { check: () => Promise.resolve() }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('continues if a controller only wrote a status meanwhile', async () => {
    const current = await stage();
    let notes = 3;
    const noisy = interpose(current.store, async (call, happen) => {
      if (call.verb === 'delete' && notes-- > 0)
        await modifyStatus(current.store, Network, 'n', (network) => ({ ...network, status: { seen: notes } }));
      return happen();
    });
    await deleting(current)(noisy);
    expect((await current.read()).metadata.deletionTimestamp).toBeDefined();
  });

  it('is refused after a concurrent change, and leaves the object open', async () => {
    const current = await stage();
    const { store, world } = current;
    const raced = interpose(store, async (call, happen) => {
      const now = call.verb === 'delete' ? await current.read() : undefined;
      if (now?.spec.count === 0) await store.update(Network, { ...now, spec: { count: 1 } });
      return happen();
    });
    await expect(deleting(current)(raced)).rejects.toMatchObject({ code: 'conflict' });
    await addReference({ store, world }, Network, used, { reference });
    await expect(
      requestDeletion({ store, world }, Network, current.network, { check: () => Promise.resolve() }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of a process that died does not close the object forever; if the process still lives, it deletes nothing that is in use by then', async () => {
    const current = await stage();
    const { store, world, read } = current;
    const asleep = Promise.withResolvers<undefined>();
    const drowsy = interpose(store, async (call, happen) => {
      if (call.verb === 'delete') await asleep.promise;
      return happen();
    });
    const deletion = deleting(current)(drowsy);
    await world.settle();
    await expect(addReference({ store, world }, Network, used, { reference })).rejects.toMatchObject({
      code: 'conflict',
      retryAfter_s: 1,
      message: 'network front (n) is about to be deleted: try again in a moment',
    });
    await world.advance(limits.closing_ms + 1);
    await addReference({ store, world }, Network, used, { reference });
    asleep.resolve(undefined);
    await expect(deletion).rejects.toMatchObject({ code: 'conflict' });
    expect((await read()).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('protection', () => {
  it('names the protected objects in its refusal, and only the first of many', async () => {
    const { world, store } = await stage();
    const hold = (id: string, protects: boolean) =>
      addReference({ store, world }, Network, used, {
        reference: referenceOf(Network, id),
        name: `instance ${id}`,
        protects,
      });
    const refusal = () =>
      refuseWhileProtected(store, Network, 'n', 'network front').then(
        () => 'allowed',
        (error: unknown) => (error instanceof Problem ? `${error.code}: ${error.message}` : 'defect'),
      );
    await hold('free', false);
    expect(await refusal()).toBe('allowed');
    await hold('a', true);
    expect(await refusal()).toBe(
      'conflict: network front cannot be deleted, because instance a (a) is protected against deletion: remove the protection first, or set ignoreProtection=true',
    );
    for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) await hold(id, true);
    expect(await refusal()).toMatch(/^conflict: .*(instance . \(.\)(, )?){5} and others are protected/);
    await expect(refuseWhileProtectedIn(store, Network, 'o', 'organization o')).rejects.toMatchObject({
      code: 'conflict',
    });
    await refuseWhileProtectedIn(store, Network, 'another', 'organization another');
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await hold(id, false);
    expect(await refusal()).toBe('allowed');
  });
});
