import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { passing } from '@unikorn/core/testing/carriers';

import { isProviderFailure, openSshPublicKey, type IdentityReference } from '../../provider/index.ts';
import { startIdentityCloud, type Disturbance, type Inventory } from './identities.fixture.ts';
import { OpenstackIdentity } from './kinds.ts';

type Stage = Awaited<ReturnType<typeof startIdentityCloud>>;

let stage: Stage;
beforeEach(async () => {
  stage = await startIdentityCloud();
});
afterEach(() => stage.stop());

const identity: IdentityReference = { id: 'i', organizationId: 'o', projectId: 'p' };
const name = 'unikorn-identity-i';

/** As a controller does: again and again, each time as a new process, as long as asking again may help. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < 10; count++) {
    try {
      return await passing(stage.world, attempt());
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
  }
  throw new Error('it never came through');
}

const ensured = () => insist(() => stage.identities().ensure(identity));
const removed = () => insist(() => stage.identities().remove(identity));

function expectOne({ projects, users, grants, groups, keys, quotas }: Inventory): void {
  expect(projects).toEqual([{ id: expect.any(String) as string, name, tags: ['organization=o', 'project=p'] }]);
  const [project] = projects;
  const [, user, ...others] = users;
  expect([user?.name, others]).toEqual([name, []]);
  expect([...grants].toSorted()).toEqual(
    [
      `${project?.id ?? ''}/region-user/role-manager`,
      `${project?.id ?? ''}/${user?.id ?? ''}/role-member`,
      `${project?.id ?? ''}/${user?.id ?? ''}/role-load-balancer_member`,
    ].toSorted(),
  );
  expect(groups).toMatchObject([{ name, policy: 'soft-anti-affinity', project: project?.id }]);
  expect(keys).toMatchObject([{ name: 'unikorn-openstack-provider', user: user?.id }]);
  expect(quotas).toMatchObject({ compute: { instances: -1, cores: -1 }, network: { port: -1 } });
}

function expectNothing({ projects, users, grants, groups, keys }: Inventory): void {
  expect({ projects, users: users.length, grants: grants.size, groups, keys }).toEqual({
    projects: [],
    users: 1,
    grants: 0,
    groups: [],
    keys: [],
  });
}

/** Breaks each call of some work in each way, one at a time, on a fresh cloud each. */
async function sweep(
  { prepare, work, check }: Record<'prepare' | 'work' | 'check', () => Promise<unknown>>,
  ways: readonly Disturbance[] = ['refused', 'lost'],
) {
  for (const how of ways) {
    for (let call = 1; ; call++) {
      await stage.stop();
      stage = await startIdentityCloud();
      await prepare();
      const before = stage.calls();
      stage.disturb(call, how);
      await work();
      const broken = stage.calls() - before >= call;
      stage.calm();
      await check();
      if (!broken) break;
    }
  }
}

describe('an identity', () => {
  it('is a project with a user, roles, quotas, a key and a server group', async () => {
    const { state, observed } = await ensured();
    expectOne(stage.inventory);
    expect([state, observed]).toEqual(['present', { providerId: stage.inventory.projects[0]?.id }]);
    expect(await stage.identities().observe(identity)).toEqual({ state, observed });
  });

  it('has one server group again where it was made twice, and leaves none', async () => {
    const twin = () => {
      for (const group of stage.inventory.groups.slice(0, 1)) stage.inventory.groups.push({ ...group, id: 'twin' });
    };
    await ensured();
    twin();
    await ensured();
    expectOne(stage.inventory);
    twin();
    await removed();
    expect(stage.inventory.groups).toEqual([]);
  });

  it('has a key whose public half the cloud knows', async () => {
    await ensured();
    const privateKey = await stage.identities().privateKey(identity);
    expect(stage.inventory.keys[0]?.public_key).toBe(openSshPublicKey(privateKey));
  });

  it('has secrets that are sealed wherever they are stored', async () => {
    await ensured();
    const open = await stage.store.get(OpenstackIdentity, identity.id);
    expect(open?.spec).toMatchObject({ password: stage.inventory.users[1]?.password });
    const written = JSON.stringify(await stage.engine.get(OpenstackIdentity, identity.id));
    expect(written).toContain(stage.inventory.projects[0]?.id);
    expect(written).not.toContain(open?.spec.password);
    expect(written).not.toContain('PRIVATE KEY');
  });

  it('is used as its own user and as the region’s user, once it is complete', async () => {
    expect([await stage.identities().managers(identity), await stage.identities().users(identity)]).toEqual([
      undefined,
      undefined,
    ]);
    await ensured();
    const identities = stage.identities();
    const [manager, user] = [await identities.managers(identity), await identities.users(identity)];
    expect([manager?.projectId, user?.projectId]).toEqual(Array<unknown>(2).fill(stage.inventory.projects[0]?.id));
    expect((await manager?.session.holder())?.userId).toBe('region-user');
    expect((await user?.session.holder())?.userId).toBe(stage.inventory.users[1]?.id);
  });

  it('comes to be once, whichever call fails or is not answered', async () => {
    await sweep({
      prepare: () => Promise.resolve(),
      work: ensured,
      check: async () => {
        await ensured();
        expectOne(stage.inventory);
      },
    });
  }, 60_000);

  it('goes without remains, whichever call fails, is not answered, or shows an old list', async () => {
    await sweep(
      {
        prepare: ensured,
        work: removed,
        check: async () => {
          await removed();
          expectNothing(stage.inventory);
        },
      },
      ['refused', 'lost', 'stale'],
    );
  }, 60_000);

  it('that was made only in part goes without remains', async () => {
    for (const how of ['refused', 'lost'] as const) {
      for (let call = 1; call < 30; call++) {
        await stage.stop();
        stage = await startIdentityCloud();
        for (let repetition = 0; repetition < 40; repetition++) stage.disturb(call + repetition, how);
        await passing(stage.world, stage.identities().ensure(identity)).catch(() => undefined);
        stage.calm();
        await removed();
        expectNothing(stage.inventory);
        expect(await stage.store.get(OpenstackIdentity, identity.id)).toBeUndefined();
      }
    }
  }, 60_000);

  it('whose record was lost is adopted, with a new password and a new key', async () => {
    await ensured();
    const before = structuredClone(stage.inventory);
    await stage.store.delete(OpenstackIdentity, identity.id);
    await ensured();
    expectOne(stage.inventory);
    expect(stage.inventory.projects).toEqual(before.projects);
    expect(stage.inventory.users[1]?.id).toBe(before.users[1]?.id);
    expect(stage.inventory.users[1]?.password).not.toBe(before.users[1]?.password);
    expect(stage.inventory.keys[0]?.public_key).not.toBe(before.keys[0]?.public_key);
  });

  it('whose record was lost goes without remains', async () => {
    await ensured();
    await stage.store.delete(OpenstackIdentity, identity.id);
    await removed();
    expectNothing(stage.inventory);
  });

  it('whose project was deleted without us is made again', async () => {
    await ensured();
    stage.inventory.projects = [];
    stage.inventory.groups = [];
    stage.inventory.grants.clear();
    expect(await stage.identities().observe(identity)).toEqual({ state: 'absent' });
    await ensured();
    expectOne(stage.inventory);
  });

  it('is not taken from another tenant', async () => {
    stage.inventory.projects.push({ id: 'x', name, tags: ['organization=other', 'project=p'] });
    await expect(stage.identities().ensure(identity)).rejects.toMatchObject({ kind: 'inconsistent' });
    await expect(stage.identities().remove(identity)).rejects.toMatchObject({ kind: 'inconsistent' });
    expect(stage.inventory.projects).toHaveLength(1);
  });

  it('is not taken for another whose name contains its own', async () => {
    stage.inventory.projects.push({ id: 'x', name: `${name}0`, tags: [] });
    await ensured();
    await removed();
    expect(stage.inventory.projects).toEqual([{ id: 'x', name: `${name}0`, tags: [] }]);
  });

  it('stays while it has resources', async () => {
    await ensured();
    stage.inventory.networks.push({ id: 'n', name: 'network-n', project: stage.inventory.projects[0]?.id ?? '' });
    await expect(stage.identities().remove(identity)).rejects.toMatchObject({ kind: 'in_use' });
    expectOne(stage.inventory);
    stage.inventory.networks = [];
    await removed();
    expectNothing(stage.inventory);
  });

  it('that is removed leaves its project for its snapshots, until the last one is deleted', async () => {
    await ensured();
    const [project] = stage.inventory.projects;
    stage.inventory.images.push({ id: 's', name: 'snapshot', owner: project?.id ?? '' });
    await removed();
    expect(stage.inventory.projects).toEqual([project]);
    expect(stage.inventory.users).toHaveLength(1);
    expect(await stage.identities().observe(identity)).toEqual({ state: 'absent' });
    await stage.identities().releaseProject(identity.id);
    expect(stage.inventory.projects).toEqual([project]);
    stage.inventory.images = [];
    await stage.identities().releaseProject(identity.id);
    expectNothing(stage.inventory);
  });

  it('that is in use keeps its project when a snapshot is deleted', async () => {
    await ensured();
    await stage.identities().releaseProject(identity.id);
    expectOne(stage.inventory);
  });
});

describe('the secret of a region', () => {
  it('that lacks something is told of, and its values are not', async () => {
    const failure: unknown = await stage
      .identities({ password: ' ', 'user-id': '' })
      .ensure(identity)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'permission',
      message: 'the secret of this region has no user-id, password: the platform operator must complete it',
    });
  });

  it('that has an application credential says what to store instead', async () => {
    const { identities } = stage;
    const secret = { password: '', 'application-credential-id': 'i', 'application-credential-secret': 'hidden' };
    const failure: unknown = await identities(secret)
      .ensure(identity)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'permission',
      message: expect.stringMatching(/application credential.*cannot create others.*must store the user/) as string,
    });
    expect(String(failure)).not.toContain('hidden');
  });

  it('that is not accepted is a matter for the operator', async () => {
    await expect(stage.identities({ password: 'old' }).ensure(identity)).rejects.toMatchObject({ kind: 'permission' });
  });
});

describe('a record of the original that is not complete', () => {
  const kept = { projectID: 'former', userID: 'former' };

  it.each([
    ['has no secrets', {}],
    ['has a user without a password', kept],
    ['has no key', { password: 'former-password' }],
  ])('and %s is completed', async (_what, spec) => {
    await stage.store.create(OpenstackIdentity, { metadata: { name: identity.id }, spec });
    await ensured();
    expectOne(stage.inventory);
    const facts = (await stage.store.get(OpenstackIdentity, identity.id))?.spec;
    const [, user] = stage.inventory.users;
    expect(facts).toMatchObject({ userID: user?.id, password: user?.password });
    if ('password' in spec) expect(facts?.password).toBe(spec.password);
    expect(stage.inventory.keys[0]?.public_key).toBe(openSshPublicKey(facts?.sshPrivateKey ?? ''));
  });
});
