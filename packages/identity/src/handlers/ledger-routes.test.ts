import { beforeEach, describe, expect, it } from 'vitest';

import { ReferenceRecord } from '@unikorn/core/references';

import { Project } from '../kinds/project.ts';
import { allocationIdOf } from '../kinds/quota.ts';
import {
  absentId,
  foreignId,
  organizationId,
  projectId,
  siblingId,
  startLedgerRoutes,
  type Holder,
} from './ledger-routes.fixture.ts';

type Routes = Awaited<ReturnType<typeof startLedgerRoutes>>;

let routes: Routes;
beforeEach(async () => {
  routes = await startLedgerRoutes();
});

const instance = 'instances.compute.unikorn-cloud.org';
const idOf = (id: string) => allocationIdOf(organizationId, { kind: instance, id });

function body(id: string, committed: number, kind = 'servers') {
  return {
    metadata: { name: 'undefined' },
    spec: { kind: instance, id, allocations: [{ kind, committed, reserved: 0 }] },
  };
}

const quotas = `${organizationId}/quotas`;
const allocations = `${organizationId}/projects/${projectId}/allocations`;
const charge = (id: string, committed: number, kind?: string, path = allocations) =>
  routes.call('service', 'POST', path, body(id, committed, kind));
const description = (pattern: string) => ({ error_description: expect.stringContaining(pattern) as string });

async function quotaOf(kind: string, holder: Holder = 'auditor', query = '') {
  const { body: answer } = await routes.call(holder, 'GET', `${quotas}${query}`);
  return (answer as { quotas: readonly { kind: string }[] }).quotas.find((quota) => quota.kind === kind);
}

describe('quotas', () => {
  it('contain the unit of sizes', async () => {
    expect(await quotaOf('volume')).toMatchObject({ description: expect.stringContaining('in GiB') as string });
    expect(await quotaOf('filestorage')).toMatchObject({ description: expect.stringContaining('in bytes') as string });
  });

  it('are listed by kind with the usage, also before the first charge', async () => {
    const { body: answer } = await routes.call('member', 'GET', quotas);
    expect((answer as { quotas: readonly { kind: string }[] }).quotas.map(({ kind }) => kind)).toEqual([
      'clusters',
      'filestorage',
      'gpus',
      'loadbalancers',
      'networks',
      'publicips',
      'servers',
      'volume',
    ]);
    await charge('i', 3);
    expect(await quotaOf('servers')).toEqual({
      kind: 'servers',
      quantity: 10,
      used: 3,
      free: 7,
      committed: 3,
      reserved: 0,
      default: 10,
      format: 'decimal',
      displayName: 'Servers',
      description: 'Virtual and bare-metal machines',
    });
  });

  it('are changed by permitted callers, and omitted kinds stay unchanged', async () => {
    expect((await routes.call('auditor', 'PUT', quotas, { quotas: [] })).status).toBe(403);
    expect((await routes.call('platform', 'PUT', quotas, { quotas: [{ kind: 'servers', quantity: 4 }] })).status).toBe(
      200,
    );
    expect((await routes.call('platform', 'PUT', quotas, { quotas: [{ kind: 'gpus', quantity: 1 }] })).status).toBe(
      200,
    );
    expect([await quotaOf('servers'), await quotaOf('gpus')]).toMatchObject([{ quantity: 4 }, { quantity: 1 }]);
  });

  it.each([
    [
      'an unknown kind',
      [{ kind: 'floatingips', quantity: 1 }],
      'body.quotas.0.kind: must be one of clusters, filestorage',
    ],
    [
      'a kind named twice',
      [
        { kind: 'gpus', quantity: 1 },
        { kind: 'gpus', quantity: 2 },
      ],
      'named twice',
    ],
    ['a negative number', [{ kind: 'gpus', quantity: -1 }], 'body.quotas.0.quantity'],
    ['a fraction', [{ kind: 'gpus', quantity: 0.5 }], 'body.quotas.0.quantity'],
    ['a kind of the prototype', [{ kind: 'constructor', quantity: 1 }], 'must be one of'],
  ])('%s is refused', async (_, wanted, message) => {
    expect(await routes.call('platform', 'PUT', quotas, { quotas: wanted })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', ...description(message) },
    });
  });

  it('are not changed over limits that the caller has not seen; usage in between does not matter', async () => {
    const { etag } = await routes.call('platform', 'GET', `${quotas}?include=allocations`);
    const change = (quantity: number) =>
      routes.call('platform', 'PUT', quotas, { quotas: [{ kind: 'servers', quantity }] }, { 'if-match': String(etag) });
    await charge('i', 3);
    expect((await change(20)).status).toBe(200);
    expect(await change(30)).toMatchObject({ status: 412, body: { error: 'conflict' } });
    expect(await quotaOf('servers')).toMatchObject({ quantity: 20 });
  });

  it('cannot be set below the usage', async () => {
    await charge('i', 6);
    expect(await routes.call('platform', 'PUT', quotas, { quotas: [{ kind: 'servers', quantity: 5 }] })).toMatchObject({
      status: 403,
      body: {
        error: 'forbidden',
        error_description: expect.stringContaining('the limit of servers cannot be 5') as string,
      },
    });
  });

  it('of a foreign organization are forbidden whether it exists or not', async () => {
    const answers = await Promise.all(
      [organizationId, absentId].map((id) => routes.call('stranger', 'GET', `${id}/quotas`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect((await routes.call('platform', 'GET', `${absentId}/quotas`)).status).toBe(404);
  });

  it('show in one call the resources that use them, in projects that the caller may read', async () => {
    await charge('mine', 2);
    await charge('theirs', 3, 'servers', `${organizationId}/projects/${siblingId}/allocations`);
    const share = (id: string, project: string, committed: number) => ({
      id: idOf(id),
      projectId: project,
      resource: { kind: instance, id },
      committed,
      reserved: 0,
    });
    expect(await quotaOf('servers', 'member', '?include=allocations')).toMatchObject({
      used: 5,
      allocations: [share('mine', projectId, 2)],
    });
    const seen = await quotaOf('servers', 'auditor', '?include=allocations');
    expect((seen as unknown as { allocations: unknown[] }).allocations).toHaveLength(2);
    expect(seen).toMatchObject({ allocations: expect.arrayContaining([share('theirs', siblingId, 3)]) as unknown });
    expect(await quotaOf('gpus', 'auditor', '?include=allocations')).toMatchObject({ allocations: [] });
    expect(await quotaOf('servers', 'auditor')).not.toHaveProperty('allocations');
    expect((await routes.call('auditor', 'GET', `${quotas}?include=secrets`)).status).toBe(400);
  });
});

describe('allocations', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await charge('i', 2);
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: {
          id: idOf('i'),
          name: 'undefined',
          organizationId,
          projectId,
          createdBy: 'service',
          provisioningStatus: 'provisioned',
        },
        spec: { kind: instance, id: 'i' },
      },
    });
    const path = `${allocations}/${idOf('i')}`;
    expect(await routes.call('service', 'GET', path)).toMatchObject({ status: 200, body: created.body });
    expect(await routes.call('service', 'PUT', path, body('i', 5))).toMatchObject({
      status: 200,
      body: { spec: { allocations: [{ kind: 'servers', committed: 5, reserved: 0 }] } },
    });
    expect(await quotaOf('servers')).toMatchObject({ used: 5 });
    expect(await routes.call('service', 'DELETE', path)).toEqual({ status: 202, body: undefined });
    expect(await quotaOf('servers')).toMatchObject({ used: 0 });
    expect(
      (
        await Promise.all([
          routes.call('service', 'GET', path),
          routes.call('service', 'PUT', path, body('i', 5)),
          routes.call('service', 'DELETE', path),
        ])
      ).map(({ status }) => status),
    ).toEqual([404, 404, 404]);
  });

  it('of one resource are a single one, for any number of charges with any amounts', async () => {
    const [first, again] = [await charge('i', 2), await charge('i', 2)];
    expect(again).toEqual(first);
    expect((await charge('i', 4)).status).toBe(201);
    expect(await quotaOf('servers')).toMatchObject({ used: 4 });
  });

  it('beyond the quota are forbidden, with kind, requested total and limit', async () => {
    expect(await charge('i', 11)).toMatchObject({
      status: 403,
      body: { error: 'forbidden', error_description: 'total servers allocation of 11 would exceed quota limit of 10' },
    });
    expect((await charge('i', 1, 'volume')).status).toBe(403);
  });

  it.each([
    ['an unknown kind', body('i', 1, 'floatingips'), 'must be one of'],
    ['a negative amount', body('i', -1), 'committed'],
    ['more than a number holds', body('i', 2 ** 60), 'committed'],
    ['a resource that cannot be a label', body('../i', 1), 'body.spec.id'],
    ['no allocations', { metadata: { name: 'undefined' }, spec: { kind: instance, id: 'i' } }, 'allocations'],
  ])('with %s are refused and charge nothing', async (_, wrong, message) => {
    expect(await routes.call('service', 'POST', allocations, wrong)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', ...description(message) },
    });
    expect(await quotaOf('servers')).toMatchObject({ used: 0 });
  });

  it('cannot be changed to another resource', async () => {
    await charge('i', 2);
    expect((await routes.call('service', 'PUT', `${allocations}/${idOf('i')}`, body('j', 2))).status).toBe(400);
  });

  it('check permissions before existence, and never apply to another project', async () => {
    await charge('i', 2);
    expect((await routes.call('stranger', 'POST', allocations, body('j', 1))).status).toBe(403);
    expect(
      (await routes.call('stranger', 'GET', `${foreignId}/projects/${projectId}/allocations/${idOf('i')}`)).status,
    ).toBe(404);
    expect((await routes.call('member', 'GET', `${allocations}/${idOf('i')}`)).status).toBe(403);
    expect(
      (await routes.call('service', 'GET', `${organizationId}/projects/${siblingId}/allocations/${idOf('i')}`)).status,
    ).toBe(404);
    expect(
      (await routes.call('service', 'POST', `${organizationId}/projects/${absentId}/allocations`, body('j', 1))).status,
    ).toBe(404);
    expect((await charge('i', 2, 'servers', `${organizationId}/projects/${siblingId}/allocations`)).status).toBe(409);
  });

  it('are refused in a project that is being deleted, except changes of existing ones', async () => {
    await charge('i', 2);
    await routes.store.delete(Project, projectId);
    expect(await charge('j', 1)).toMatchObject({ status: 400, body: description('is being deleted') });
    expect((await charge('i', 1)).status).toBe(201);
    expect((await routes.call('service', 'DELETE', `${allocations}/${idOf('i')}`)).status).toBe(202);
  });
});

describe('references to a project', () => {
  const reference = `identities.region.unikorn-cloud.org%2F${absentId}`;
  const path = `${organizationId}/projects/${projectId}/references/${reference}`;

  it('are added and removed, and both can be repeated', async () => {
    for (const status of [201, 201])
      expect(await routes.call('service', 'PUT', path)).toEqual({ status, body: undefined });
    expect((await routes.store.list(ReferenceRecord)).items.map(({ spec }) => spec)).toEqual([
      { used: { kind: Project.id, id: projectId }, reference: `identities.region.unikorn-cloud.org/${absentId}` },
    ]);
    for (const status of [204, 204])
      expect(await routes.call('service', 'DELETE', path)).toEqual({ status, body: undefined });
    expect((await routes.store.list(ReferenceRecord)).items).toEqual([]);
  });

  it('are refused while the project is being deleted, and can still be removed', async () => {
    await routes.call('service', 'PUT', path);
    await routes.store.delete(Project, projectId);
    expect(
      await routes.call('service', 'PUT', `${organizationId}/projects/${projectId}/references/things.example.org%2Fa`),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request', ...description('being deleted') } });
    expect((await routes.call('service', 'DELETE', path)).status).toBe(204);
  });

  it('check the permission before the project', async () => {
    expect((await routes.call('platform', 'PUT', path)).status).toBe(403);
    expect((await routes.call('service', 'PUT', path.replace(projectId, absentId))).status).toBe(404);
    expect((await routes.call('service', 'DELETE', path.replace(projectId, absentId))).status).toBe(404);
  });

  it.each([
    'unikorn',
    'foregroundDeletion',
    'Things%2Fa',
    'things.example.org%2F',
    'things.example.org%2F..%2Fa',
    '%2Fa',
  ])('that is not valid is refused first: %s', async (wrong) => {
    const { status, body: answer } = await routes.call(
      'stranger',
      'PUT',
      `${organizationId}/projects/${projectId}/references/${wrong}`,
    );
    expect({ status, answer }).toMatchObject({
      status: 400,
      answer: description('invalid path/query element reference'),
    });
  });

  it('never remove references of the platform itself', async () => {
    expect(
      (await routes.call('service', 'DELETE', `${organizationId}/projects/${projectId}/references/unikorn`)).status,
    ).toBe(400);
    expect((await routes.store.get(Project, projectId))?.metadata.finalizers).toEqual(['unikorn']);
  });
});
