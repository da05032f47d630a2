import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { annotations, labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import type { Around } from '@unikorn/core/testing';
import { together } from '@unikorn/core/testing';

import { SecurityGroup, Server } from '../../kinds/index.ts';
import { networkBody, startRegion, type RunningRegion } from '../../testing/index.ts';
import { idsOf, nowhere, openTenant, reasonOf, wire, type Tenant } from '../network-resources.fixture.ts';

const ssh = { direction: 'ingress', protocol: 'tcp', port: 22, prefix: '10.1.2.3/8' };
const right = (verb: 'update' | 'delete') => ({
  name: `may-${verb}`,
  scopes: { organization: [{ name: 'region:securitygroups:v2', operations: ['read' as const, verb] }] },
});

/** The interposed calls between the services and their store at the moment. */
const nothing: Around = (_call, happen) => happen();
let between = nothing;
let running: RunningRegion;
let tenant: Tenant;
let networkId: string;
beforeAll(async () => {
  running = await startRegion({
    around: (call, happen) => between(call, happen),
    identityConfiguration: { roles: [right('update'), right('delete')] },
  });
  tenant = await openTenant(running);
  networkId = await tenant.network();
});
afterAll(() => running.stop());

/** A group in the network of the tenant. */
async function made(rules: readonly object[] = [], metadata?: object): Promise<string> {
  return wire(await tenant.create('securitygroups', { networkId, rules }, metadata)).metadata.id;
}

function changed(
  id: string,
  change: {
    readonly name?: string;
    readonly rules?: readonly object[];
    readonly token?: string;
    readonly headers?: Record<string, string>;
  } = {},
) {
  const { name = 'web', rules = [], token = tenant.token, headers = {} } = change;
  return running.call('PUT', `/api/v2/securitygroups/${id}`, {
    token,
    headers,
    body: { metadata: { name }, spec: { rules } },
  });
}

describe('a security group', () => {
  it('belongs to the project and region of its network, and is created in the cloud', async () => {
    const tags = [{ name: 'a', value: 'b' }];
    const created = await tenant.create('securitygroups', { networkId, rules: [ssh] }, { tags });
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: { ...tenant.scope, tags, provisioningStatus: 'pending' },
        spec: { rules: [ssh] },
        status: { regionId: tenant.regionId, networkId },
      },
    });
    const { id } = wire(created).metadata;
    expect(await tenant.provisioned(`securitygroups/${id}`)).toMatchObject({ metadata: { healthStatus: 'healthy' } });
    const seen = await tenant.cloud.securityGroups.observe(await tenant.identityOf(networkId), { id });
    expect(seen).toMatchObject({
      state: 'present',
      observed: { rules: [{ ports: { start: 22, end: 22 }, cidr: '10.1.2.3/8' }] },
    });
  });

  it('is replaced by an update, which keeps its author and its pause and clears what it omits', async () => {
    const { store } = running;
    const id = await made([ssh], { description: 'mine', tags: [{ name: 'a', value: 'b' }] });
    await tenant.provisioned(`securitygroups/${id}`);
    const before = await store.get(SecurityGroup, id);
    if (before)
      await store.update(SecurityGroup, { metadata: before.metadata, spec: { ...before.spec, pause: false } });
    const answer = await changed(id, { name: 'other' });
    expect(answer).toMatchObject({
      status: 202,
      body: { metadata: { name: 'other', modifiedBy: expect.any(String) as string }, spec: { rules: [] } },
    });
    for (const cleared of ['description', 'tags']) expect(wire(answer).metadata).not.toHaveProperty(cleared);
    const after = await store.get(SecurityGroup, id);
    expect(after?.spec).toEqual({ rules: [], pause: false });
    expect(after?.metadata.labels).toEqual({ ...before?.metadata.labels, [labels.name]: 'other' });
    expect(after?.metadata.annotations?.[annotations.creator]).toBe(
      before?.metadata.annotations?.[annotations.creator],
    );
    const identity = await tenant.identityOf(networkId);
    await running.eventually(
      () => tenant.cloud.securityGroups.observe(identity, { id }),
      (seen) => seen.state === 'present' && seen.observed.rules.length === 0,
    );
  });

  it('can be changed by callers with the right to update, and not by those who may only delete it', async () => {
    const id = await made();
    const as = async (role: string) =>
      changed(id, { token: (await running.found.robot(tenant.scope.organizationId, [role])).token });
    expect([(await as('may-update')).status, (await as('may-delete')).status]).toEqual([202, 403]);
  });

  it('cannot be created without the rights to read the network and to create, or in a network that is being deleted', async () => {
    expect((await tenant.create('securitygroups', { networkId: nowhere, rules: [] })).status).toBe(404);
    expect((await tenant.create('securitygroups', { networkId: 'web', rules: [] })).status).toBe(400);
    const stranger = await openTenant(running);
    expect((await stranger.create('securitygroups', { networkId, rules: [] })).status).toBe(404);
    const reader = await running.found.robot(tenant.scope.organizationId, ['auditor']);
    const body = { metadata: { name: 'web' }, spec: { networkId, rules: [] } };
    expect((await running.call('POST', '/api/v2/securitygroups', { token: reader.token, body })).status).toBe(403);
    const leaving = await tenant.network('10.1.0.0/24');
    await tenant.turn({ service: 'down' });
    await tenant.ask('DELETE', `networks/${leaving}`);
    expect(await tenant.create('securitygroups', { networkId: leaving, rules: [] })).toMatchObject({
      status: 422,
      body: { error_description: `network ${leaving} is being deleted` },
    });
    await tenant.turn({ service: 'up' });
  });

  it('is refused with the path of an invalid rule, and if there are too many rules', async () => {
    expect(
      reasonOf(await tenant.create('securitygroups', { networkId, rules: [ssh, { ...ssh, protocol: 'icmp' }] })),
    ).toContain('spec.rules.1.port');
    expect((await tenant.create('securitygroups', { networkId, rules: [{ ...ssh, protocol: 'sctp' }] })).status).toBe(
      400,
    );
    expect(
      (await tenant.create('securitygroups', { networkId, rules: Array.from({ length: 257 }, () => ssh) })).status,
    ).toBe(400);
    const id = await made();
    expect((await changed(id, { rules: [{ ...ssh, port: 0 }] })).status).toBe(400);
  });

  it('is listed for callers who may read it, filtered by network and tag', async () => {
    const lister = await openTenant(running);
    const [one, other] = [await lister.network(), await lister.network('10.1.0.0/24')];
    const tagged = wire(
      await lister.create('securitygroups', { networkId: one, rules: [] }, { tags: [{ name: 'tier', value: 'web' }] }),
    ).metadata.id;
    const plain = wire(await lister.create('securitygroups', { networkId: other, rules: [] })).metadata.id;
    expect(idsOf(await lister.ask('GET', 'securitygroups'))).toEqual([tagged, plain].sort());
    expect(idsOf(await lister.ask('GET', `securitygroups?networkID=${other}&regionID=${lister.regionId}`))).toEqual([
      plain,
    ]);
    expect(idsOf(await lister.ask('GET', 'securitygroups?tag=tier%3Dweb'))).toEqual([tagged]);
    expect(idsOf(await lister.ask('GET', `securitygroups?organizationID=${tenant.scope.organizationId}`))).toEqual([]);
    expect((await tenant.ask('GET', `securitygroups/${plain}`)).status).toBe(404);
  });

  it('is changed by one of two concurrent requests', async () => {
    const id = await made();
    await tenant.provisioned(`securitygroups/${id}`);
    between = together(SecurityGroup, 2);
    const answers = await Promise.all([changed(id, { name: 'a' }), changed(id, { name: 'b' })]);
    between = nothing;
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });

  it('is not changed by a request with an old version', async () => {
    const id = await made();
    await tenant.provisioned(`securitygroups/${id}`);
    const headers = { 'if-match': String((await tenant.ask('GET', `securitygroups/${id}`)).headers['etag']) };
    expect([
      (await changed(id, { name: 'a', headers })).status,
      (await changed(id, { name: 'b', headers })).status,
    ]).toEqual([202, 412]);
  });
});

describe('deleting a security group', () => {
  it('is refused while a server uses it, and names the server; afterwards it succeeds, also in the cloud', async () => {
    const id = await made([ssh]);
    const user = await tenant.server(networkId, { securityGroups: [id] });
    const remove = () => tenant.ask('DELETE', `securitygroups/${id}`);
    expect(await remove()).toMatchObject({
      status: 403,
      body: {
        error: 'forbidden',
        error_description: `security group web (${id}) is in use by server ${user}: delete it first`,
      },
    });
    await running.store.delete(Server, user);
    await running.eventually(
      () => running.store.get(Server, user),
      (server) => server === undefined,
    );
    expect((await remove()).status).toBe(202);
    await tenant.gone(`securitygroups/${id}`);
    expect((await remove()).status).toBe(404);
    expect(await tenant.cloud.securityGroups.observe(await tenant.identityOf(networkId), { id })).toEqual({
      state: 'absent',
    });
  });

  it('directly in the store waits for the servers, allows no changes meanwhile, and continues at once when they are gone', async () => {
    const { store, world, eventually } = running;
    const id = await made([ssh]);
    const user = await tenant.server(networkId, { securityGroups: [id] });
    await store.delete(SecurityGroup, id);
    await tenant.until(`securitygroups/${id}`, ({ body }) =>
      JSON.stringify(body).includes(`still used by server ${user}`),
    );
    expect((await tenant.ask('DELETE', `securitygroups/${id}`)).status).toBe(202);
    expect(await changed(id)).toMatchObject({
      status: 400,
      body: { error_description: `security group ${id} is being deleted` },
    });
    await store.delete(Server, user);
    await eventually(
      () => store.get(Server, user),
      (server) => server === undefined,
    );
    const before = world.now();
    await tenant.gone(`securitygroups/${id}`);
    expect(world.now() - before).toBeLessThan(1_000);
  });

  it('continues when a server no longer uses it', async () => {
    const { store, eventually } = running;
    const id = await made([ssh]);
    const user = await tenant.server(networkId, { securityGroups: [id] });
    await eventually(
      () => store.get(Server, user),
      (server) => server?.status?.privateIP !== undefined,
    );
    await store.delete(SecurityGroup, id);
    await tenant.until(`securitygroups/${id}`, ({ body }) => JSON.stringify(body).includes('still used by'));
    await modify(store, Server, user, (server) => ({ ...server, spec: { ...server.spec, securityGroups: [] } }));
    await tenant.gone(`securitygroups/${id}`);
    expect(await tenant.cloud.securityGroups.observe(await tenant.identityOf(networkId), { id })).toEqual({
      state: 'absent',
    });
  });

  it('happens with its network', async () => {
    const home = await tenant.network('10.2.0.0/24');
    const { id } = wire(await tenant.create('securitygroups', { networkId: home, rules: [] })).metadata;
    expect((await tenant.ask('DELETE', `networks/${home}`)).status).toBe(202);
    await tenant.gone(`networks/${home}`);
    expect((await tenant.ask('GET', `securitygroups/${id}`)).status).toBe(404);
  });
});

describe('in a cloud that fails, a security group', () => {
  it('is created, changed and deleted, and leaves nothing behind', async () => {
    const unlucky = await openTenant(running, 'a region of its own');
    const home = await unlucky.network();
    const identity = await unlucky.identityOf(home);
    await unlucky.turn({ errorRate: 0.3, lostResponseRate: 0.3 });
    const { id } = wire(await unlucky.create('securitygroups', { networkId: home, rules: [] })).metadata;
    await unlucky.provisioned(`securitygroups/${id}`);
    await unlucky.ask('PUT', `securitygroups/${id}`, { metadata: { name: 'web' }, spec: { rules: [ssh] } });
    await unlucky.turn({ errorRate: 0, lostResponseRate: 0 });
    const rulesOf = (seen: Awaited<ReturnType<typeof unlucky.cloud.securityGroups.list>>) =>
      seen.map(({ presence }) => presence.observed.rules.length);
    expect(
      rulesOf(
        await running.eventually(
          () => unlucky.cloud.securityGroups.list(identity),
          (seen) => rulesOf(seen).includes(1),
        ),
      ),
    ).toEqual([1]);
    await unlucky.turn({ errorRate: 0.3, lostResponseRate: 0.3 });
    await unlucky.ask('DELETE', `securitygroups/${id}`);
    await unlucky.gone(`securitygroups/${id}`);
    await unlucky.turn({ errorRate: 0, lostResponseRate: 0 });
    expect(await unlucky.cloud.securityGroups.list(identity)).toEqual([]);
  });

  it('waits until its network is prepared in the cloud, and is then created at once', async () => {
    const unlucky = await openTenant(running, 'a region of its own');
    await unlucky.turn({ service: 'down' });
    const { id: home } = wire(
      await unlucky.ask('POST', 'networks', networkBody({ ...unlucky.scope, regionId: unlucky.regionId })),
    ).metadata;
    const { id } = wire(await unlucky.create('securitygroups', { networkId: home, rules: [] })).metadata;
    const waiting = await unlucky.until(`securitygroups/${id}`, ({ body }) =>
      JSON.stringify(body).includes('out of service'),
    );
    expect(wire(waiting).metadata).toMatchObject({
      provisioningStatus: 'provisioning',
      provisioningStatusDetail: { reason: 'DependencyNotReady' },
    });
    await unlucky.turn({ service: 'up' });
    await unlucky.provisioned(`networks/${home}`);
    const before = running.world.now();
    await unlucky.provisioned(`securitygroups/${id}`);
    expect(running.world.now() - before).toBeLessThan(1_000);
  });

  it('waits for a cloud that is out of service, and says so', async () => {
    const unlucky = await openTenant(running, 'a region of its own');
    const home = await unlucky.network();
    await unlucky.turn({ service: 'down' });
    const { id } = wire(await unlucky.create('securitygroups', { networkId: home, rules: [] })).metadata;
    await unlucky.until(`securitygroups/${id}`, ({ body }) => JSON.stringify(body).includes('out of service'));
    await unlucky.turn({ service: 'up' });
    await unlucky.provisioned(`securitygroups/${id}`);
  });
});
