import { describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { Organization, OrganizationUser } from '../../kinds/index.ts';
import { signInVouched } from '../../testing/index.ts';
import { acme, wire, wires } from '../tenancy.fixture.ts';

const alice = 'alice@acme.com';
const user = (subject: string, more: object = {}) => ({ spec: { subject, state: 'active', groupIDs: [], ...more } });
const platform = { configuration: { globalBindings: { 'root@example.com': ['platform-administrator'] } } };

/** A user whose organization lets them in through its own provider, and another organization with an administrator. */
async function rivals() {
  const started = await acme(platform);
  const { found, organizationId, store, world } = started;
  await found.user(alice, organizationId);
  await found.group(organizationId, ['auditor'], { users: [alice] });
  const rival = await found.organization();
  const boss = await found.robot(rival, ['administrator']);
  await world.settle();
  const token = await signInVouched({ store, world }, alice, organizationId);
  return { ...started, rival, boss, token, rivalPath: `/api/v1/organizations/${rival}` };
}

describe('a tenant and the users of another tenant', () => {
  it.each(['active', 'pending', 'suspended'])('cannot lock them out by adding them, %s', async (state) => {
    const { call, path, rivalPath, boss, token } = await rivals();
    expect((await call('GET', `${path}/users`, { token })).status).toBe(200);
    const added = await call('POST', `${rivalPath}/users`, { token: boss.token, body: user(alice, { state }) });
    expect(added).toMatchObject({ status: 201, body: { spec: { state }, status: { acceptance: 'open' } } });
    expect((await call('GET', `${path}/users`, { token })).status).toBe(200);
    const { id } = wire(added).metadata;
    expect((await call('PUT', `${rivalPath}/users/${id}`, { token: boss.token, body: user(alice) })).status).toBe(200);
    expect((await call('GET', `${path}/users`, { token })).status).toBe(200);
    expect(await call('GET', `${rivalPath}/users`, { token: boss.token })).toMatchObject({
      body: [{ status: { acceptance: 'open' } }],
    });
  });

  it('cannot lock them out by claiming their domain', async () => {
    const { call, rivalPath, boss, admin, path, token } = await rivals();
    const domain = { metadata: { name: 'acme' }, spec: { organizationType: 'domain', domain: 'acme.com' } };
    expect((await call('PUT', rivalPath, { token: boss.token, body: domain })).status).toBe(200);
    expect((await admin('PUT', '', domain)).status).toBe(200);
    expect((await call('GET', `${path}/users`, { token })).status).toBe(200);
  });

  it('cannot see their other memberships or act there by vouching for them', async () => {
    const { call, store, world, rival, boss, rivalPath, organizationId, path } = await rivals();
    await call('POST', `${rivalPath}/users`, { token: boss.token, body: user(alice) });
    // The provider of the other organization claims that this is Alice. She has not accepted the membership of acme
    // either.
    await modify(
      store,
      OrganizationUser,
      wires(await call('GET', `${path}/users`, { token: 'user:admin@acme.com' })).find(
        ({ spec }) => spec['subject'] === alice,
      )?.metadata.id ?? '',
      (member) => ({ ...member, spec: { ...member.spec, acceptance: 'open' as const } }),
    );
    await world.settle();
    const token = await signInVouched({ store, world }, alice, rival);
    for (const query of ['', `?email=${alice}`])
      expect(
        wires(await call('GET', `/api/v1/organizations${query}`, { token })).map(({ metadata }) => metadata.id),
      ).toEqual([rival]);
    expect((await call('GET', `${path}/users`, { token })).status).toBe(403);
    expect(organizationId).not.toBe(rival);
  });

  it('cannot vouch for them after they have accepted a membership elsewhere', async () => {
    const { call, store, world, rival, boss, rivalPath } = await rivals();
    await call('POST', `${rivalPath}/users`, { token: boss.token, body: user(alice) });
    const token = await signInVouched({ store, world }, alice, rival);
    expect((await call('GET', '/api/v1/organizations', { token })).status).toBe(401);
  });
});

describe('a membership', () => {
  it('is effective after the user has accepted it', async () => {
    const { admin, found, call, path, organizationId, store, world } = await acme();
    const auditors = await found.group(organizationId, ['auditor']);
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com', { groupIDs: [auditors] }))).metadata;
    await world.settle();
    const before = await store.get(OrganizationUser, id);
    expect(before?.spec.acceptance).toBe('open');
    // Logs in, which accepts it.
    expect((await call('GET', `${path}/users`, { token: 'user:jane@acme.com' })).status).toBe(200);
    await modify(store, OrganizationUser, id, (member) => ({
      ...member,
      spec: { ...member.spec, acceptance: 'declined' as const },
    }));
    await world.settle();
    expect((await call('GET', `${path}/users`, { token: 'user:jane@acme.com' })).status).toBe(403);
  });

  it('needs no consent if the platform or the owner of the domain creates it', async () => {
    const { call, path, admin, store, organizationId, found } = await acme(platform);
    await found.user('root@example.com');
    expect(
      await call('POST', `${path}/users`, { token: 'user:root@example.com', body: user('jane@elsewhere.com') }),
    ).toMatchObject({ status: 201, body: { status: { acceptance: 'accepted' } } });
    expect(await admin('POST', '/users', user('joe@acme.com'))).toMatchObject({
      body: { status: { acceptance: 'open' } },
    });
    await modify(store, Organization, organizationId, (organization) => ({
      ...organization,
      spec: { ...organization.spec, domain: 'acme.com', verifiedDomain: 'acme.com' },
    }));
    expect(await admin('POST', '/users', user('Jim@ACME.com'))).toMatchObject({
      body: { status: { acceptance: 'accepted' } },
    });
    expect(await admin('POST', '/users', user('jim@acme.com.evil.example'))).toMatchObject({
      body: { status: { acceptance: 'open' } },
    });
  });
});
