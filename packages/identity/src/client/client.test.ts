import { describe, expect, it } from 'vitest';

import { parsePrincipal } from '@unikorn/core/access';
import { httpCalls, type HttpChannel } from '@unikorn/core/calls';
import { labels } from '@unikorn/core/resource';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { everyOne } from '@unikorn/core/testing/carriers';

import { Project } from '../kinds/project.ts';
import { Allocation, QuotaLedger } from '../kinds/quota.ts';
import { stage } from './client.fixture.ts';
import { identityClient, type IdentityClient, type ResourceCharge } from './index.ts';

type Stage = Awaited<ReturnType<typeof stage>>;

const implementations: readonly { readonly name: string; readonly bind: (scene: Stage) => IdentityClient }[] = [
  { name: 'in the same process', bind: ({ inProcess }) => inProcess },
  { name: 'over HTTP', bind: ({ overHttp }) => overHttp },
];

const absentId = 'f0000000-0000-4000-8000-000000000001';
const reference = `identities.region.unikorn-cloud.org/${absentId}`;

describe.each(implementations)('identity $name', ({ bind }) => {
  async function setting() {
    const scene = await stage('unikorn-region');
    const organizationId = await scene.found.organization();
    const scope = { organizationId, projectId: await scene.found.project(organizationId) };
    const principal = { actor: 'jane@example.com', organizationId, projectId: scope.projectId };
    const charge = (id: string, networks: number): ResourceCharge => ({
      scope,
      resource: { kind: 'networks.region.unikorn-cloud.org', id },
      amounts: { networks: { committed: networks, reserved: 0 } },
    });
    return { ...scene, client: bind(scene), scope, principal, charge };
  }

  it('charges a resource once, in the name of the service and its principal', async () => {
    const { client, principal, charge, store, scope } = await setting();
    const first = await client.charge(principal, charge('n', 2));
    expect(await client.charge(principal, charge('n', 2))).toEqual(first);
    const allocation = await store.get(Allocation, first.allocationId);
    expect(allocation?.metadata.annotations).toMatchObject({
      'unikorn-cloud.org/creator': 'unikorn-region',
      'principal.unikorn-cloud.org/creator': 'jane@example.com',
    });
    expect(allocation?.metadata.labels).toMatchObject({
      [labels.project]: scope.projectId,
      [labels.principalProject]: scope.projectId,
      [labels.resourceId]: 'n',
    });
    expect((await store.get(QuotaLedger, scope.organizationId))?.status?.totals).toEqual({
      networks: { committed: 2, reserved: 0 },
    });
  });

  it('charges the project of the principal, if a service creates the resource in another project', async () => {
    const { client, charge, store, scope, found } = await setting();
    const payer = await found.organization();
    const principal = { actor: 'jane@example.com', organizationId: payer, projectId: await found.project(payer) };
    const { allocationId } = await client.charge(principal, charge('n', 2));
    expect((await store.get(Allocation, allocationId))?.metadata.labels).toMatchObject({
      [labels.organization]: payer,
      [labels.project]: principal.projectId,
    });
    expect((await store.get(QuotaLedger, scope.organizationId))?.status?.totals).toBeUndefined();
    await client.release(principal, scope, charge('n', 0).resource);
    expect((await store.list(Allocation)).items).toEqual([]);
  });

  it('lists the charges of one kind of resources with the charged project, for services only', async () => {
    const scene = await setting();
    const { client, principal, charge, scope } = scene;
    await client.charge(principal, charge('n', 2));
    await client.charge(principal, {
      ...charge('m', 1),
      resource: { kind: 'loadbalancers.region.unikorn-cloud.org', id: 'm' },
    });
    expect(await everyOne(client.allocations({}, 'networks.region.unikorn-cloud.org'))).toMatchObject([
      {
        resource: { kind: 'networks.region.unikorn-cloud.org', id: 'n' },
        scope,
        amounts: [{ kind: 'networks', committed: 2, reserved: 0 }],
      },
    ]);
    const request = { method: 'GET', url: '/identity/api/v1/allocations' } as const;
    const headers = {
      authorization: `Bearer ${(await scene.found.robot(scope.organizationId, ['administrator'])).token}`,
    };
    expect((await scene.server.inject({ ...request, headers })).statusCode).toBe(403);
  });

  it('lists the references to projects by user and by kind, with the claims of sagas', async () => {
    const scene = await stage('unikorn-compute');
    const client = bind(scene);
    const organizationId = await scene.found.organization();
    const scope = { organizationId, projectId: await scene.found.project(organizationId) };
    const other = `instances.compute.unikorn-cloud.org/${scope.projectId}`;
    const user = `instances.compute.unikorn-cloud.org/${absentId}`;
    await client.addProjectReference({}, scope, { reference: user, protects: true, claim: 'run-1' });
    await client.addProjectReference({}, scope, { reference: other });
    await client.addProjectReference({}, scope, { reference });
    const held = { ...scope, user, protects: true, claims: ['run-1'] };
    expect(await everyOne(client.projectReferences({}, { user }))).toEqual([held]);
    const all = await everyOne(client.projectReferences({}, { userKind: 'instances.compute.unikorn-cloud.org' }));
    expect(all).toHaveLength(2);
    expect(all).toEqual(expect.arrayContaining([held, { ...scope, user: other, protects: false, claims: [] }]));
  });

  it('returns the message of an exceeded quota unchanged', async () => {
    const { client, principal, charge } = await setting();
    await expect(client.charge(principal, charge('n', 6))).rejects.toMatchObject({
      status: 403,
      message: 'total networks allocation of 6 would exceed quota limit of 5',
    });
  });

  it('releases a charge, and accepts a repeated release', async () => {
    const { client, principal, charge, store, scope } = await setting();
    await client.charge(principal, charge('n', 5));
    await client.release(principal, scope, charge('n', 0).resource);
    await client.release(principal, scope, charge('n', 0).resource);
    await client.release(principal, { ...scope, projectId: absentId }, charge('n', 0).resource);
    expect((await store.list(Allocation)).items).toEqual([]);
    expect(await client.charge(principal, charge('m', 5))).toBeDefined();
  });

  it('returns the remaining quota to compute', async () => {
    const scene = await stage('unikorn-compute');
    const client = bind(scene);
    const organizationId = await scene.found.organization();
    const scope = { organizationId, projectId: await scene.found.project(organizationId) };
    const principal = { actor: 'jane@example.com', ...scope };
    await client.charge(principal, {
      scope,
      resource: { kind: 'computeinstances.compute.unikorn-cloud.org', id: 'i' },
      amounts: { servers: { committed: 3, reserved: 0 } },
    });
    expect(await client.free(principal, organizationId)).toMatchObject({ servers: 7, gpus: 40, publicips: 5 });
    await expect(client.free({ actor: 'jane@example.com' }, absentId)).rejects.toMatchObject({ status: 404 });
  });

  it('returns the projects of an organization', async () => {
    const { client, principal, scope, store } = await setting();
    const name = (await store.get(Project, scope.projectId))?.metadata.labels?.[labels.name];
    expect(await client.project(principal, scope)).toEqual({ ...scope, name, deleting: false });
    expect(await client.project(principal, { ...scope, projectId: absentId })).toBeUndefined();
    expect(await client.project(principal, { ...scope, organizationId: absentId })).toBeUndefined();
    await client.addProjectReference(principal, scope, { reference });
    await store.delete(Project, scope.projectId);
    expect(await client.project(principal, scope)).toMatchObject({ deleting: true });
  });

  it('prevents the deletion of a project that has references', async () => {
    const { client, principal, scope, store, world } = await setting();
    await client.addProjectReference(principal, scope, { reference });
    await client.addProjectReference(principal, scope, { reference });
    await store.delete(Project, scope.projectId);
    await expect(client.addProjectReference(principal, scope, { reference: `${reference}2` })).rejects.toMatchObject({
      status: 400,
    });
    await client.removeProjectReference(principal, scope, reference);
    await world.until(async () => (await store.get(Project, scope.projectId)) === undefined);
    await client.removeProjectReference(principal, scope, reference);
    await expect(client.addProjectReference(principal, scope, { reference })).rejects.toMatchObject({ status: 404 });
  });
});

describe('identity over HTTP', () => {
  const principal = { actor: 'jane@example.com', organizationId: absentId, projectId: absentId };
  const scope = { organizationId: absentId, projectId: absentId };

  it('gets the principal of a call', async () => {
    const { overHttp, requests } = await stage('unikorn-region');
    await overHttp.project(principal, scope);
    expect(parsePrincipal(requests[0]?.headers['x-principal'] ?? '')).toEqual(principal);
    expect(requests[0]?.headers).not.toHaveProperty('x-impersonate');
  });

  const answering = (status: number, text: string) => () => Promise.resolve({ status, text, headers: {} });

  it.each<[string, HttpChannel['send']]>([
    ['does not answer', () => Promise.reject(new Error('connect ECONNREFUSED'))],
    ['fails', answering(500, '{"error":"server_error","error_description":"secret"}')],
    ['does not let this service in', answering(401, '{"error":"access_denied","error_description":"no"}')],
    ['is not identity', answering(404, '<html>')],
    ['answers nonsense', answering(201, '[]')],
  ])('that %s is a server error, without details', async (_, send) => {
    const channel: HttpChannel = {
      send,
      stream: () => Promise.reject(new Error('nothing is watched here')),
      open: () => Promise.reject(new Error('no line is opened here')),
      close: () => Promise.resolve(),
    };
    const client = identityClient(
      httpCalls({ service: 'identity', channel, world: virtualWorld(), telemetry: silentTelemetry() }),
    );
    const charging = client.charge(principal, { scope, resource: { kind: 'networks', id: 'n' }, amounts: {} });
    await expect(charging).rejects.toMatchObject({
      code: 'unavailable',
      message: 'identity is not available at the moment: try again',
    });
  });
});
