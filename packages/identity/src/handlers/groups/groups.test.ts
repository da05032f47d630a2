import { describe, expect, it } from 'vitest';

import { together } from '@unikorn/core/testing';

import { roleIdOf } from '../../access/index.ts';
import { Group } from '../../kinds/index.ts';
import { acme, text, wire, wires } from '../tenancy.fixture.ts';

const tags = [{ name: 'terraform.nscale.com/8f4e', value: '2026-01-01T00:00:00Z' }];

function group(spec: object, metadata: object = {}) {
  return { metadata: { name: 'devs', ...metadata }, spec: { serviceAccountIDs: [], roleIDs: [], ...spec } };
}

describe('groups', () => {
  it('are provisioned immediately and returned as they were written, with empty lists', async () => {
    const { admin } = await acme();
    const created = await admin('POST', '/groups', group({}, { description: 'our developers', tags }));
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: {
          name: 'devs',
          description: 'our developers',
          tags,
          provisioningStatus: 'provisioned',
          healthStatus: 'healthy',
          createdBy: 'admin@acme.com',
        },
        spec: { subjects: [], userIDs: [], serviceAccountIDs: [], roleIDs: [] },
      },
    });
    expect((await admin('GET', `/groups/${wire(created).metadata.id}`)).body).toEqual(created.body);
    expect(wires(await admin('GET', '/groups')).map(({ metadata }) => metadata.id)).toContain(
      wire(created).metadata.id,
    );
  });

  it('show users by id and by subject, whichever was written', async () => {
    const { admin, adminId } = await acme();
    const subjects = [{ id: 'admin@acme.com', issuer: 'https://cloud.example.com/identity', email: 'admin@acme.com' }];
    const byId = await admin('POST', '/groups', group({ userIDs: [adminId] }));
    expect(wire(byId).spec).toMatchObject({ userIDs: [adminId], subjects });
    const bySubject = await admin(
      'POST',
      '/groups',
      group({
        subjects: [{ id: 'Admin@ACME.com', issuer: 'https://cloud.example.com/identity', email: 'admin@acme.com' }],
      }),
    );
    expect(wire(bySubject).spec).toMatchObject({ userIDs: [adminId], subjects });
  });

  it.each([
    ['the public URL', 'https://cloud.example.com/identity'],
    ['the word of older versions', 'uni'],
  ])(
    'show the public URL as the issuer of the platform’s users in every response, if %s was written',
    async (_what, issuer) => {
      const { admin, store } = await acme();
      const shown = [{ id: 'admin@acme.com', issuer: 'https://cloud.example.com/identity' }];
      const created = wire(await admin('POST', '/groups', group({ subjects: [{ id: 'admin@acme.com', issuer }] })));
      const { id } = created.metadata;
      const listed = wires(await admin('GET', '/groups')).find(({ metadata }) => metadata.id === id);
      const read = wire(await admin('GET', `/groups/${id}`));
      for (const answer of [created, listed, read]) expect(answer?.spec['subjects']).toEqual(shown);
      // The response can be sent back unchanged, and changes nothing.
      expect((await admin('PUT', `/groups/${id}`, group({ subjects: shown }))).status).toBe(200);
      expect(wire(await admin('GET', `/groups/${id}`)).spec['subjects']).toEqual(shown);
      // The public URL may change; what is stored must not name it.
      expect((await store.get(Group, id))?.spec.subjects).toEqual([{ id: 'admin@acme.com', issuer: 'uni' }]);
    },
  );

  it('are refused with both subjects and user ids', async () => {
    const { admin, adminId } = await acme();
    expect(
      await admin(
        'POST',
        '/groups',
        group({ userIDs: [adminId], subjects: [{ id: 'admin@acme.com', issuer: 'uni' }] }),
      ),
    ).toMatchObject({ status: 400, body: { error_description: 'cannot provide both subjects and userIDs' } });
  });

  it('keep subjects of other issuers, which have no effect', async () => {
    const { admin } = await acme();
    const subjects = [{ id: 'admin@acme.com', issuer: 'https://elsewhere.example.com' }];
    expect(wire(await admin('POST', '/groups', group({ subjects }))).spec).toMatchObject({ subjects, userIDs: [] });
  });

  it('refuse members and roles that do not exist', async () => {
    const { admin, adminId, found } = await acme();
    const foreign = await found.serviceAccount(await found.organization());
    await found.user('stranger@rival.com');
    const refused = [
      group({ userIDs: ['f0000000-0000-4000-8000-000000000000'] }),
      group({ subjects: [{ id: 'stranger@rival.com', issuer: 'uni' }] }),
      group({ serviceAccountIDs: [foreign.id] }),
      group({ roleIDs: ['../../roles'] }),
      group({ userIDs: [adminId], subjects: [{ id: 'admin@acme.com', issuer: 'uni' }] }),
      group({}, { name: '<script>' }),
      group({}, { name: 'naïve' }),
    ];
    for (const body of refused)
      expect(await admin('POST', '/groups', body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('accept only roles whose permissions the caller has and that are not protected', async () => {
    const { admin, as, found, organizationId } = await acme();
    const roles = (name: string) => group({ roleIDs: [roleIdOf(name)] });
    for (const name of ['administrator', 'auditor', 'user', 'reader'])
      expect((await admin('POST', '/groups', roles(name))).status).toBe(201);
    for (const name of ['platform-administrator', 'platform-reader', 'compute-service'])
      expect((await admin('POST', '/groups', roles(name))).status).toBe(403);
    const auditor = await found.robot(organizationId, ['auditor']);
    expect((await as(auditor.token)('POST', '/groups', roles('reader'))).status).toBe(403);
  });

  it('can be changed only by callers who could grant all their roles', async () => {
    const { as, found, organizationId } = await acme({
      configuration: {
        roles: [
          {
            name: 'clerk',
            scopes: { organization: [{ name: 'identity:groups', operations: ['create', 'read', 'update'] }] },
          },
        ],
      },
    });
    const clerk = await found.robot(organizationId, ['clerk']);
    const powerful = await found.group(organizationId, ['administrator']);
    const call = as(clerk.token);
    expect(
      (
        await call(
          'PUT',
          `/groups/${powerful}`,
          group({ roleIDs: [roleIdOf('administrator')], serviceAccountIDs: [clerk.id] }),
        )
      ).status,
    ).toBe(403);
    expect(
      (
        await call(
          'PUT',
          `/groups/${clerk.groupId}`,
          group({ roleIDs: [roleIdOf('clerk')], serviceAccountIDs: [clerk.id] }),
        )
      ).status,
    ).toBe(200);
  });

  it('are replaced as a whole: omitted fields are cleared', async () => {
    const { admin, adminId } = await acme();
    const { metadata } = wire(
      await admin(
        'POST',
        '/groups',
        group({ userIDs: [adminId], roleIDs: [roleIdOf('reader')] }, { description: 'old', tags }),
      ),
    );
    expect(await admin('PUT', `/groups/${metadata.id}`, group({}, { name: 'ops' }))).toMatchObject({
      status: 200,
      body: undefined,
    });
    const after = wire(await admin('GET', `/groups/${metadata.id}`));
    expect(after.spec).toEqual({ subjects: [], userIDs: [], serviceAccountIDs: [], roleIDs: [] });
    expect(after.metadata).toMatchObject({ name: 'ops', createdBy: 'admin@acme.com', modifiedBy: 'admin@acme.com' });
    expect(after.metadata).not.toHaveProperty('tags');
    expect(after.metadata).not.toHaveProperty('description');
  });

  it('are unlinked from their projects when they are deleted', async () => {
    const { admin, found, organizationId } = await acme();
    const doomed = await found.group(organizationId, ['user']);
    const kept = await found.group(organizationId, ['user']);
    const project = await found.project(organizationId, [doomed, kept]);
    expect(await admin('DELETE', `/groups/${doomed}`)).toMatchObject({ status: 200, body: undefined });
    expect((await admin('GET', `/groups/${doomed}`)).status).toBe(404);
    expect(wire(await admin('GET', `/projects/${project}`)).spec).toEqual({ groupIDs: [kept] });
    expect((await admin('DELETE', `/groups/${doomed}`)).status).toBe(404);
  });

  it('of another organization are not found, and an invalid path is refused before the token is checked', async () => {
    const { admin, call, found, path } = await acme();
    const foreign = await found.group(await found.organization(), ['user']);
    expect((await admin('GET', `/groups/${foreign}`)).status).toBe(404);
    const bad = await call('GET', `${path}/groups/nonsense`);
    expect(bad.status).toBe(400);
    expect(text(bad)).toContain('invalid path/query element');
  });

  it('with two concurrent changes get only one of them', async () => {
    const { admin, found, organizationId } = await acme({ around: together(Group, 2) });
    const id = await found.group(organizationId, []);
    const answers = await Promise.all([
      admin('PUT', `/groups/${id}`, group({}, { name: 'a' })),
      admin('PUT', `/groups/${id}`, group({}, { name: 'b' })),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
