import { describe, expect, it } from 'vitest';

import { modifyStatus } from '@unikorn/core/store';
import { together } from '@unikorn/core/testing';

import { roleIdOf } from '../../access/index.ts';
import { Group, OrganizationUser, User, userIdOf } from '../../kinds/index.ts';
import { acme, over, wire, wires } from '../tenancy.fixture.ts';

function user(subject: string, groupIDs: readonly string[] = [], more: object = {}) {
  return { spec: { subject, state: 'active', groupIDs, ...more } };
}

describe('users', () => {
  it('become members of the organization and of their groups, with immediate effect', async () => {
    const { admin, as, found, organizationId } = await acme();
    const readers = await found.group(organizationId, ['auditor']);
    const created = await admin('POST', '/users', user('Jane@ACME.com', [readers]));
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: { name: 'undefined', organizationId, createdBy: 'admin@acme.com', provisioningStatus: 'provisioned' },
        spec: { subject: 'jane@acme.com', state: 'active', groupIDs: [readers] },
        status: {},
      },
    });
    expect(wire(await admin('GET', `/groups/${readers}`)).spec).toMatchObject({ userIDs: [wire(created).metadata.id] });
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(200);
  });

  it('are listed by subject, with their current groups and last login', async () => {
    const { admin, found, store, organizationId, adminGroup } = await acme();
    await found.user('zoe@acme.com', organizationId);
    await found.user('adam@acme.com', organizationId, 'suspended');
    await modifyStatus(store, User, userIdOf('zoe@acme.com'), (person) => ({
      ...person,
      status: { lastActive: '2026-01-01T00:00:00Z' },
    }));
    const listed = wires(await admin('GET', '/users'));
    expect(listed.map(({ spec }) => [spec['subject'], spec['state'], spec['groupIDs']])).toEqual([
      ['adam@acme.com', 'suspended', []],
      ['admin@acme.com', 'active', [adminGroup]],
      ['zoe@acme.com', 'active', []],
    ]);
    expect(listed[2]?.status).toMatchObject({ lastActive: '2026-01-01T00:00:00Z' });
    const searched = async (text: string) =>
      wires(await admin('GET', `/users?search=${encodeURIComponent(text)}`)).map(({ spec }) => spec['subject']);
    expect(await searched('AD')).toEqual(['adam@acme.com', 'admin@acme.com']);
    expect(await searched(listed[2]?.metadata.id ?? '')).toEqual(['zoe@acme.com']);
    expect((await admin('GET', `/users?search=${'x'.repeat(257)}`)).status).toBe(400);
    await found.user('zoe@acme.com', await found.organization());
    expect(wires(await admin('GET', '/users'))[2]?.status, 'what others saw of her is theirs').not.toHaveProperty(
      'lastActive',
    );
  });

  it('created again keep their state and get the groups of the second request', async () => {
    const { admin, found, store, organizationId } = await acme();
    const [one, two] = [await found.group(organizationId, []), await found.group(organizationId, [])];
    const first = wire(await admin('POST', '/users', user('jane@acme.com', [one], { state: 'suspended' })));
    const second = await admin('POST', '/users', user('JANE@acme.com', [two]));
    expect(second).toMatchObject({
      status: 201,
      body: { metadata: { id: first.metadata.id }, spec: { state: 'suspended', groupIDs: [two] } },
    });
    expect((await store.list(OrganizationUser)).items).toHaveLength(2);
  });

  it('of two organizations are one user with two memberships', async () => {
    const { admin, as, call, found } = await acme();
    const rival = await found.organization();
    const boss = await found.robot(rival, ['administrator']);
    const here = wire(await admin('POST', '/users', user('jane@acme.com')));
    const there = wire(
      await call('POST', `/api/v1/organizations/${rival}/users`, { token: boss.token, body: user('jane@acme.com') }),
    );
    expect(here.metadata.id).not.toBe(there.metadata.id);
    expect((await as(boss.token)('PUT', `/users/${here.metadata.id}`, user('jane@acme.com'))).status).toBe(403);
    expect((await admin('PUT', `/users/${there.metadata.id}`, user('jane@acme.com'))).status).toBe(404);
  });

  it('change state, groups, description and tags together, and nothing else', async () => {
    const { admin, as, found, organizationId } = await acme();
    const auditors = await found.group(organizationId, ['auditor']);
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com', [auditors]))).metadata;
    const tags = [{ name: 'a/b.c', value: 'd' }];
    const changed = await admin('PUT', `/users/${id}`, {
      metadata: { name: 'jane', description: 'on leave', tags },
      ...user('jane@acme.com', [], { state: 'suspended' }),
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        metadata: { id, name: 'jane', description: 'on leave', tags, modifiedBy: 'admin@acme.com' },
        spec: { state: 'suspended', groupIDs: [] },
      },
    });
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(403);
    // Clients of the contract send any subject; the user stays the same.
    expect(await admin('PUT', `/users/${id}`, user('john@acme.com', [auditors]))).toMatchObject({
      status: 200,
      body: { metadata: { id }, spec: { subject: 'jane@acme.com', groupIDs: [auditors] } },
    });
  });

  it('who are suspended keep their groups and have no permissions', async () => {
    const { admin, as, found, organizationId } = await acme();
    const auditors = await found.group(organizationId, ['auditor']);
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com', [auditors]))).metadata;
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(200);
    await admin('PUT', `/users/${id}`, user('jane@acme.com', [auditors], { state: 'suspended' }));
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(403);
    expect((await as('user:jane@acme.com')('GET', '/acl')).body).toEqual({});
  });

  it('who are removed leave their groups, and do not have them when they are added again', async () => {
    const { admin, as, found, store, organizationId } = await acme();
    const auditors = await found.group(organizationId, ['auditor']);
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com', [auditors]))).metadata;
    expect(await admin('DELETE', `/users/${id}`)).toMatchObject({ status: 200, body: undefined });
    expect((await store.get(Group, auditors))?.spec.subjects).toEqual([]);
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(403);
    expect((await admin('DELETE', `/users/${id}`)).status).toBe(404);
    expect(wire(await admin('POST', '/users', user('jane@acme.com'))).spec).toMatchObject({ groupIDs: [] });
  });

  it('cannot be added to groups that grant more than the caller has, or that do not exist', async () => {
    const { as, found, store, adminGroup, organizationId } = await acme({
      configuration: {
        roles: [
          {
            name: 'clerk',
            scopes: { organization: [{ name: 'identity:users', operations: ['create', 'read', 'update'] }] },
          },
        ],
      },
    });
    const clerk = as((await found.robot(organizationId, ['clerk'])).token);
    expect((await clerk('POST', '/users', user('clerk@acme.com', [adminGroup]))).status).toBe(403);
    expect(
      (await clerk('POST', '/users', user('clerk@acme.com', ['f0000000-0000-4000-8000-000000000000']))).status,
    ).toBe(400);
    expect((await store.list(OrganizationUser)).items).toHaveLength(1);
    const { id } = wire(await clerk('POST', '/users', user('clerk@acme.com'))).metadata;
    expect((await clerk('PUT', `/users/${id}`, user('clerk@acme.com', [adminGroup]))).status).toBe(403);
    const kept = wires(await clerk('GET', '/users')).find(({ spec }) => spec['subject'] === 'admin@acme.com');
    expect((await clerk('PUT', `/users/${kept?.metadata.id}`, user('admin@acme.com', [adminGroup]))).status).toBe(200);
  });

  it('are identified by a mail address', async () => {
    const { admin } = await acme();
    const refused = [
      'nobody',
      'a@b@c',
      'jane @acme.com',
      'jane@acme.com\nbcc: all',
      `${'a'.repeat(70)}@acme.com`,
      'jané@acme.com',
      '<script>@acme.com',
      '@acme.com',
      '',
    ];
    for (const subject of refused)
      expect(await admin('POST', '/users', user(subject)), subject).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    expect((await admin('POST', '/users', user("o'neil+test@sub.acme.com"))).status).toBe(201);
  });

  it('with two concurrent changes get only one of them, including groups', async () => {
    const { admin, found, organizationId } = await acme({ around: together(OrganizationUser, 2) });
    const [one, two] = [await found.group(organizationId, []), await found.group(organizationId, [])];
    const id = await found.user('jane@acme.com', organizationId);
    const answers = await Promise.all(
      [one, two].map((group) => admin('PUT', `/users/${id}`, user('jane@acme.com', [group]))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200);
    const jane = wires(await admin('GET', '/users')).find(({ metadata }) => metadata.id === id);
    expect(won && wire(won).spec['groupIDs']).toEqual(jane?.spec['groupIDs']);
    expect(jane?.spec['groupIDs']).toHaveLength(1);
  });

  it('are read alone, and are not changed over another version of them or of their groups', async () => {
    const { admin, as, found, organizationId } = await acme();
    const group = await found.group(organizationId, []);
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com'))).metadata;
    expect((await as('user:jane@acme.com')('GET', `/users/${id}`)).status).toBe(403);
    const first = await admin('GET', `/users/${id}`);
    expect(first).toMatchObject({ status: 200, body: { spec: { subject: 'jane@acme.com', groupIDs: [] } } });
    expect(await admin('GET', `/users/${id}`, undefined, { 'if-none-match': over(first)['if-match'] })).toMatchObject({
      status: 304,
    });
    const change = (state: string, seen: typeof first) =>
      admin('PUT', `/users/${id}`, user('jane@acme.com', [], { state }), over(seen));
    expect((await change('suspended', first)).status).toBe(200);
    expect(await change('active', first)).toMatchObject({ status: 412, body: { error: 'conflict' } });
    const second = await admin('GET', `/users/${id}`);
    await admin('PUT', `/groups/${group}`, {
      metadata: { name: 'new' },
      spec: { userIDs: [id], serviceAccountIDs: [], roleIDs: [] },
    });
    expect((await change('active', second)).status).toBe(412);
    expect(wire(await admin('GET', `/users/${id}`)).spec).toMatchObject({ state: 'suspended', groupIDs: [group] });
  });

  it('stay in a group that they join while a change over a version is being written', async () => {
    let meanwhile = (): Promise<unknown> => Promise.resolve();
    const { admin, found, organizationId } = await acme({
      around: async (call, happen) => {
        if (call.verb === 'update' && call.kind.id === OrganizationUser.id) await meanwhile();
        return happen();
      },
    });
    const [left, joined] = [await found.group(organizationId, []), await found.group(organizationId, [])];
    const { id } = wire(await admin('POST', '/users', user('jane@acme.com', [left]))).metadata;
    const seen = await admin('GET', `/users/${id}`);
    meanwhile = () =>
      admin('PUT', `/groups/${joined}`, {
        metadata: { name: 'joined' },
        spec: { userIDs: [id], serviceAccountIDs: [], roleIDs: [] },
      });
    expect((await admin('PUT', `/users/${id}`, user('jane@acme.com', []), over(seen))).status).toBe(200);
    expect(wire(await admin('GET', `/users/${id}`)).spec).toMatchObject({ groupIDs: [joined] });
  });

  it('have the roles of a group exactly as long as they are in it', async () => {
    const { admin, as, found, organizationId } = await acme();
    const id = await found.user('jane@acme.com', organizationId);
    const body = (userIDs: readonly string[]) => ({
      metadata: { name: 'auditors' },
      spec: { userIDs, serviceAccountIDs: [], roleIDs: [roleIdOf('auditor')] },
    });
    const { metadata } = wire(await admin('POST', '/groups', body([id])));
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(200);
    await admin('PUT', `/groups/${metadata.id}`, body([]));
    expect((await as('user:jane@acme.com')('GET', '/users')).status).toBe(403);
  });
});
