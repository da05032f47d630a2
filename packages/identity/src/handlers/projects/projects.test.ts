import { describe, expect, it } from 'vitest';

import { addReference, removeReference } from '@unikorn/core/references';
import { modify } from '@unikorn/core/store';
import { together } from '@unikorn/core/testing';

import { Organization, Project } from '../../kinds/index.ts';
import { acme, wire, wires } from '../tenancy.fixture.ts';

const reference = 'networks.region.unikorn-cloud.org/f0000000-0000-4000-8000-000000000001';
const tags = [
  { name: 'terraform.nscale.com/8f4e', value: 'now' },
  { name: 'team', value: '' },
];

function project(groupIDs: readonly string[] = [], metadata: object = {}) {
  return { metadata: { name: 'web', ...metadata }, spec: { groupIDs } };
}

describe('projects', () => {
  it('are accepted, pending, and returned as they were written', async () => {
    const { admin, organizationId } = await acme();
    const created = await admin('POST', '/projects', project([], { tags, description: 'the web shop' }));
    expect(created).toMatchObject({
      status: 202,
      body: {
        metadata: {
          name: 'web',
          description: 'the web shop',
          tags,
          organizationId,
          provisioningStatus: 'pending',
          createdBy: 'admin@acme.com',
        },
        spec: { groupIDs: [] },
      },
    });
    const read = wire(await admin('GET', `/projects/${wire(created).metadata.id}`));
    expect(read).toMatchObject({ metadata: { tags }, spec: { groupIDs: [] } });
    expect(read.metadata).not.toHaveProperty('projectId');
  });

  it.each(['compute.unikorn-cloud.org/instance-id', 'images.unikorn-cloud.org:source'])(
    'cannot have the reserved tag %s',
    async (name) => {
      const { admin } = await acme();
      expect(await admin('POST', '/projects', project([], { tags: [{ name, value: 'x' }] }))).toMatchObject({
        status: 400,
        body: { error_description: expect.stringContaining(name) as string },
      });
    },
  );

  it('are found with a selector in the list, by callers whose roles include them', async () => {
    const { admin, as, found, organizationId } = await acme();
    const robot = await found.robot(organizationId, ['user']);
    const own = wire(await admin('POST', '/projects', project([robot.groupId]))).metadata.id;
    const sibling = wire(await admin('POST', '/projects', project())).metadata.id;
    expect(wires(await as(robot.token)('GET', '/projects')).map(({ metadata }) => metadata.id)).toEqual([own]);
    expect(wires(await admin('GET', '/projects')).map(({ metadata }) => metadata.id)).toEqual([own, sibling].sort());
    expect((await as(robot.token)('GET', `/projects/${own}`)).status).toBe(200);
    expect((await as(robot.token)('GET', `/projects/${sibling}`)).status).toBe(403);
    const stranger = await found.robot(await found.organization(), ['administrator']);
    expect(await as(stranger.token)('GET', '/projects')).toMatchObject({ status: 200, body: [] });
  });

  it('refuse groups that do not exist, and keep existing links', async () => {
    const { admin, found, store, organizationId } = await acme();
    const foreign = await found.group(await found.organization(), []);
    for (const id of [foreign, 'f0000000-0000-4000-8000-000000000000', '../groups'])
      expect((await admin('POST', '/projects', project([id]))).status).toBe(400);
    const group = await found.group(organizationId, []);
    const { metadata } = wire(await admin('POST', '/projects', project([group, group])));
    expect(wire(await admin('GET', `/projects/${metadata.id}`)).spec).toEqual({ groupIDs: [group] });
    const stored = await store.get(Project, metadata.id);
    if (stored) await store.update(Project, { metadata: stored.metadata, spec: { groupIDs: ['gone'] } });
    expect((await admin('PUT', `/projects/${metadata.id}`, project(['gone', group]))).status).toBe(200);
  });

  it('are linked only to groups whose permissions the caller has', async () => {
    const { as, found, organizationId } = await acme({
      configuration: {
        roles: [
          {
            name: 'clerk',
            scopes: { organization: [{ name: 'identity:projects', operations: ['create', 'read', 'update'] }] },
          },
        ],
      },
    });
    const clerk = as((await found.robot(organizationId, ['clerk'])).token);
    const users = await found.group(organizationId, ['user']);
    expect((await clerk('POST', '/projects', project([users]))).status).toBe(403);
    const id = wire(await clerk('POST', '/projects', project())).metadata.id;
    expect((await clerk('PUT', `/projects/${id}`, project([users]))).status).toBe(403);
    expect((await clerk('PUT', `/projects/${id}`, project([], { name: 'renamed' }))).status).toBe(200);
  });

  it('are provisioned by the controller, and stay deprovisioning while they have references', async () => {
    const { admin, store, world } = await acme();
    const { id } = wire(await admin('POST', '/projects', project())).metadata;
    await world.until(
      async () => wire(await admin('GET', `/projects/${id}`)).metadata['provisioningStatus'] === 'provisioned',
    );
    await addReference({ store, world }, Project, { name: id }, { reference });
    expect(await admin('DELETE', `/projects/${id}`)).toMatchObject({ status: 202, body: undefined });
    expect(wire(await admin('GET', `/projects/${id}`)).metadata).toMatchObject({
      provisioningStatus: 'deprovisioning',
      deletionTime: expect.any(String) as string,
    });
    expect((await admin('DELETE', `/projects/${id}`)).status).toBe(202);
    await removeReference(store, Project, id, reference);
    await world.until(async () => (await admin('GET', `/projects/${id}`)).status === 404);
    expect((await admin('DELETE', `/projects/${id}`)).status).toBe(404);
  });

  it('stay provisioned during a change, even before their controller has seen it', async () => {
    let isAsleep = false;
    const { admin, world } = await acme({
      around: (call, happen) =>
        isAsleep && call.verb === 'updateStatus' && call.kind === Project
          ? Promise.reject(new Error('the controller has not processed it yet'))
          : happen(),
    });
    const { id } = wire(await admin('POST', '/projects', project())).metadata;
    const status = async () => wire(await admin('GET', `/projects/${id}`)).metadata['provisioningStatus'];
    await world.until(async () => (await status()) === 'provisioned');
    isAsleep = true;
    expect((await admin('PUT', `/projects/${id}`, project([], { tags }))).status).toBe(200);
    expect(wire(await admin('GET', `/projects/${id}`)).metadata).toMatchObject({
      tags,
      provisioningStatus: 'provisioned',
    });
  });

  it('refuse changes while they are being deleted, as organizations do', async () => {
    const { admin, store, world, organizationId } = await acme();
    const { id } = wire(await admin('POST', '/projects', project())).metadata;
    await addReference({ store, world }, Project, { name: id }, { reference });
    await admin('DELETE', `/projects/${id}`);
    expect(await admin('PUT', `/projects/${id}`, project([], { name: 'late' }))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `project ${id} is being deleted` },
    });
    expect(wire(await admin('GET', `/projects/${id}`)).metadata).toMatchObject({ name: 'web' });
    await modify(store, Organization, organizationId, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), 'test/held'] },
    }));
    await store.delete(Organization, organizationId);
    expect(await admin('PUT', '', { metadata: { name: 'late' }, spec: { organizationType: 'adhoc' } })).toMatchObject({
      status: 400,
      body: { error_description: `organization ${organizationId} is being deleted` },
    });
  });

  it('are refused in an organization that is being deleted or does not exist', async () => {
    const { admin, call, store, found, organizationId } = await acme({
      configuration: { globalBindings: { 'root@example.com': ['platform-administrator'] } },
    });
    await found.user('root@example.com');
    const nowhere = await call('POST', '/api/v1/organizations/f0000000-0000-4000-8000-000000000000/projects', {
      token: 'user:root@example.com',
      body: project(),
    });
    expect(nowhere.status).toBe(404);
    await modify(store, Organization, organizationId, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), 'test/held'] },
    }));
    await store.delete(Organization, organizationId);
    expect(await admin('POST', '/projects', project())).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('being deleted') as string },
    });
  });

  it('with two concurrent changes, while their controller adds its finalizer, get only one of them', async () => {
    const { admin, found, organizationId } = await acme({ around: together(Project, 3) });
    const id = await found.project(organizationId);
    const answers = await Promise.all(['a', 'b'].map((name) => admin('PUT', `/projects/${id}`, project([], { name }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('are created once for repeated requests with the same key', async () => {
    const { call, path, admin } = await acme();
    const create = () =>
      call('POST', `${path}/projects`, {
        token: 'user:admin@acme.com',
        body: project(),
        headers: { 'idempotency-key': 'one' },
      });
    const first = await create();
    expect((await create()).body).toEqual(first.body);
    expect(wires(await admin('GET', '/projects'))).toHaveLength(1);
  });
});
