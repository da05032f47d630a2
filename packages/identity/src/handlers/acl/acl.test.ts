import { describe, expect, it } from 'vitest';

import { encodePrincipal, type Acl } from '@unikorn/core/access';

import { certificateHeaders } from '../../testing/index.ts';
import { acme, wires } from '../tenancy.fixture.ts';

function names(endpoints: readonly { readonly name: string }[] | undefined): readonly string[] {
  return (endpoints ?? []).map(({ name }) => name);
}

describe('the access list', () => {
  it('contains the permissions of the caller, and also in the old form under an organization', async () => {
    const { call, found, organizationId, path } = await acme();
    const robot = await found.robot(organizationId, ['user']);
    const project = await found.project(organizationId, [robot.groupId]);
    const whole = (await call('GET', '/api/v1/acl', { token: robot.token })).body as Acl;
    expect(Object.keys(whole)).toEqual(['organizations']);
    expect(whole.organizations?.map(({ id, projects }) => [id, projects?.map((entry) => entry.id)])).toEqual([
      [organizationId, [project]],
    ]);
    expect(names(whole.organizations?.[0]?.endpoints)).toContain('identity:quotas');
    const scoped = (await call('GET', `${path}/acl`, { token: robot.token })).body;
    expect(scoped).toEqual({
      ...whole,
      organization: { id: organizationId, endpoints: whole.organizations?.[0]?.endpoints },
      projects: whole.organizations?.[0]?.projects,
    });
  });

  it('of a user under one organization omits the others, and is empty for a foreign one', async () => {
    const { call, found, path } = await acme();
    const other = await found.organization();
    await found.user('admin@acme.com', other);
    await found.group(other, ['auditor'], { users: ['admin@acme.com'] });
    const token = 'user:admin@acme.com';
    expect(((await call('GET', '/api/v1/acl', { token })).body as Acl).organizations).toHaveLength(2);
    expect(((await call('GET', `${path}/acl`, { token })).body as Acl).organizations).toHaveLength(1);
    expect(await call('GET', `/api/v1/organizations/${await found.organization()}/acl`, { token })).toMatchObject({
      status: 200,
      body: {},
    });
  });

  it('of a service account is always that of its own organization', async () => {
    const { call, found, organizationId } = await acme();
    const robot = await found.robot(organizationId, ['auditor']);
    const answer = await call('GET', `/api/v1/organizations/${await found.organization()}/acl`, { token: robot.token });
    expect((answer.body as Acl).organizations?.map(({ id }) => id)).toEqual([organizationId]);
    expect(answer.body).not.toHaveProperty('organization');
  });

  it('of a subject with platform-wide roles contains only the global part', async () => {
    const { call, found, organizationId } = await acme({
      configuration: { globalBindings: { 'Root@Example.com': ['platform-reader'] } },
    });
    await found.user('root@example.com', organizationId);
    await found.group(organizationId, ['administrator'], { users: ['root@example.com'] });
    const acl = (await call('GET', '/api/v1/acl', { token: 'user:root@example.com' })).body as Acl;
    expect(Object.keys(acl)).toEqual(['global']);
    expect(acl.global).toContainEqual({ name: 'identity:organizations', operations: ['read'] });
  });

  it('needs only a valid token', async () => {
    const { call, path } = await acme();
    for (const tail of ['/api/v1/acl', `${path}/acl`]) {
      expect((await call('GET', tail)).status).toBe(401);
      expect((await call('GET', tail, { token: 'nonsense' })).status).toBe(401);
    }
  });
});

describe('services', () => {
  const asService = (
    commonName: Parameters<typeof certificateHeaders>[0],
    principal: object,
    more: Record<string, string> = {},
  ) => ({ headers: { ...certificateHeaders(commonName), 'x-principal': encodePrincipal(principal), ...more } });

  it('have the global part of the role of their certificate', async () => {
    const { call, found, organizationId, path } = await acme();
    const project = await found.project(organizationId);
    const acl = (await call('GET', '/api/v1/acl', asService('unikorn-compute', { actor: 'jane@acme.com' })))
      .body as Acl;
    expect(Object.keys(acl)).toEqual(['global']);
    expect((await call('GET', `${path}/projects/${project}`, asService('unikorn-compute', {}))).status).toBe(200);
    expect((await call('GET', `${path}/groups`, asService('unikorn-compute', {}))).status).toBe(403);
    expect((await call('GET', '/api/v1/acl', asService('unikorn-stranger', {}))).status).toBe(401);
  });

  it('that impersonate have the permissions that both have, for users and service accounts', async () => {
    const { call, found, organizationId } = await acme();
    const robot = await found.robot(organizationId, ['user']);
    const project = await found.project(organizationId, [robot.groupId]);
    const principal = { actor: robot.id, type: 'service', organizationIds: [organizationId] };
    const acl = (await call('GET', '/api/v1/acl', asService('unikorn-compute', principal, { 'x-impersonate': 'true' })))
      .body as Acl;
    expect(acl.global).toBeUndefined();
    expect(names(acl.organizations?.[0]?.endpoints)).toEqual([
      'identity:quotas',
      'region:regions',
      'region:flavors',
      'region:images',
    ]);
    expect(acl.organizations?.[0]?.projects).toEqual([
      {
        id: project,
        endpoints: expect.arrayContaining([{ name: 'region:networks:v2', operations: ['read'] }]) as unknown,
      },
    ]);
    const asUser = { actor: 'Admin@acme.com', type: 'user' };
    const admin = (await call('GET', '/api/v1/acl', asService('unikorn-compute', asUser, { 'x-impersonate': 'true' })))
      .body as Acl;
    expect(names(admin.organizations?.[0]?.endpoints)).toContain('region:networks:v2');
    expect(names(admin.organizations?.[0]?.endpoints)).not.toContain('identity:groups');
    expect(
      wires(
        await call('GET', '/api/v1/organizations', asService('unikorn-compute', asUser, { 'x-impersonate': 'true' })),
      ),
    ).toHaveLength(1);
  });

  it.each([{ actor: 'unikorn-region', type: 'system' }, { actor: 'unikorn-region' }])(
    'cannot impersonate %j',
    async (principal) => {
      const { call } = await acme();
      expect(
        (await call('GET', '/api/v1/acl', asService('unikorn-compute', principal, { 'x-impersonate': 'true' }))).status,
      ).toBe(403);
    },
  );
});

describe('roles', () => {
  it('show their permissions by scope', async () => {
    const { admin } = await acme({
      configuration: { roles: [{ name: 'wide', scopes: { global: [{ name: 'x', operations: ['read'] }] } }] },
    });
    const roles = (await admin('GET', '/roles')).body as readonly {
      readonly metadata: { readonly name: string };
      readonly scopes: Readonly<Record<string, Acl['global']>>;
    }[];
    const scopesOf = (name: string) => roles.find(({ metadata }) => metadata.name === name)?.scopes ?? {};
    expect(scopesOf('wide')).toEqual({ global: [{ name: 'x', operations: ['read'] }] });
    expect(scopesOf('user')).not.toHaveProperty('global');
    expect(scopesOf('user')['organization']).toContainEqual({ name: 'identity:quotas', operations: ['read'] });
    expect(scopesOf('user')['project']).toContainEqual({
      name: 'compute:instances',
      operations: ['create', 'read', 'update', 'delete'],
    });
    expect(scopesOf('reader')['project']).toContainEqual({ name: 'compute:instances', operations: ['read'] });
  });

  it('are listed by name without protected ones, and show which the caller may grant', async () => {
    const { admin, as, found, organizationId } = await acme({
      configuration: {
        roles: [
          { name: 'secret', protected: true, scopes: {} },
          { name: 'wide', description: 'more than we have', scopes: { global: [{ name: 'x', operations: ['read'] }] } },
        ],
      },
    });
    const listed = async (call: typeof admin) =>
      wires(await call('GET', '/roles')).map((role) => [
        role.metadata['name'],
        (role as unknown as { grantable: boolean }).grantable,
      ]);
    expect(await listed(admin)).toEqual([
      ['administrator', true],
      ['auditor', true],
      ['reader', true],
      ['user', true],
      ['wide', false],
    ]);
    const auditor = await found.robot(organizationId, ['auditor']);
    expect(await listed(as(auditor.token))).toEqual([
      ['administrator', false],
      ['auditor', true],
      ['reader', true],
      ['user', false],
      ['wide', false],
    ]);
  });
});
