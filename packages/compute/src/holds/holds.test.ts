import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { ReferenceRecord } from '@unikorn/core/references';
import { isWrite, type Around } from '@unikorn/core/testing';
import { Project } from '@unikorn/identity/kinds';
import { Network, SecurityGroup, Server, SSHCertificateAuthority } from '@unikorn/region/kinds';

import { mentioning, reasonOf, seen, startInstances, type Instances } from '../handlers/instances/instances.fixture.ts';
import { ComputeInstance } from '../kinds/index.ts';

const untouched: Around = (_call, happen) => happen();
let around = untouched;
let compute: Instances;
beforeAll(async () => {
  compute = await startInstances({ around: (call, happen) => around(call, happen) });
});
afterAll(() => compute.stop());

const region = (method: 'POST' | 'DELETE', path: string, body?: object) =>
  compute.request(method, `/region/api/v2/${path}`, body ? { body } : {});
const held = async (id: string) =>
  (await compute.store.list(ReferenceRecord)).items
    .filter(({ spec }) => spec.reference.endsWith(id))
    .map(({ spec }) => `${spec.used.kind.replace(/\..*/, '')} ${spec.used.id}${spec.protects ? ' protected' : ''}`)
    .toSorted();

async function whileDown(work: () => Promise<void>): Promise<void> {
  await compute.operator(compute.regionId).turn({ service: 'down' });
  try {
    await work();
  } finally {
    await compute.operator(compute.regionId).turn({ service: 'up' });
  }
}

const remove = async (id: string) => {
  await compute.ask('DELETE', `/${id}`);
  await compute.gone(id);
};

describe('a resource that an instance uses', () => {
  it('cannot be deleted from the moment the instance is accepted, although it has no server yet', async () => {
    const networkId = await compute.openNetwork('early');
    const group = seen(
      await region('POST', 'securitygroups', { metadata: { name: 'group' }, spec: { networkId, rules: [] } }),
    ).metadata.id;
    const authority = await compute.authority();
    around = (call, happen) =>
      call.verb === 'create' && call.kind === Server
        ? Promise.reject(new Problem('storage_unavailable', 'no server can be stored'))
        : happen();
    const made = await compute.create('early', {
      networkId,
      networking: { securityGroups: [group] },
      sshCertificateAuthorityId: authority,
    });
    expect(made.status).toBe(201);
    const { id } = seen(made).metadata;
    for (const path of [`networks/${networkId}`, `securitygroups/${group}`, `sshcertificateauthorities/${authority}`]) {
      expect(await region('DELETE', path), path).toMatchObject({
        status: 403,
        body: { error_description: mentioning(`is in use by instance early (${id}): delete it first`) },
      });
    }
    expect((await compute.store.get(ComputeInstance, id))?.metadata.deletionTimestamp).toBeUndefined();
    around = untouched;
    await compute.until(id, 'provisioned');
    await remove(id);
    expect(await held(id)).toEqual([]);
    for (const path of [`securitygroups/${group}`, `networks/${networkId}`, `sshcertificateauthorities/${authority}`])
      expect((await region('DELETE', path)).status, path).toBe(202);
    await compute.eventually(
      () => compute.store.get(Network, networkId),
      (network) => network === undefined,
    );
  });

  it('cannot be deleted at any moment of the creation of the instance', async () => {
    let writes = 0;
    for (let moment = 1, reached = true; reached; moment++) {
      const networkId = await compute.openNetwork(`raced-${moment}`);
      let deletion: Promise<unknown> | undefined;
      writes = 0;
      around = async (call, happen) => {
        if (isWrite(call) && !deletion && ++writes === moment) {
          deletion = Promise.resolve();
          deletion = region('DELETE', `networks/${networkId}`);
          await deletion;
        }
        return happen();
      };
      const answer = await compute.create('raced', { networkId });
      around = untouched;
      reached = deletion !== undefined;
      const instance =
        answer.status === 201 ? await compute.store.get(ComputeInstance, seen(answer).metadata.id) : undefined;
      const network = await compute.store.get(Network, networkId);
      if (answer.status === 201) {
        expect(instance?.metadata.deletionTimestamp, `moment ${moment}`).toBeUndefined();
        expect(network?.metadata.deletionTimestamp, `moment ${moment}`).toBeUndefined();
        await remove(seen(answer).metadata.id);
      } else {
        expect(answer.status, `moment ${moment}: ${reasonOf(answer)}`).toBeOneOf([400, 404, 409, 422]);
      }
      if (network && network.metadata.deletionTimestamp === undefined)
        expect((await region('DELETE', `networks/${networkId}`)).status).toBe(202);
      await compute.eventually(
        () => compute.store.get(Network, networkId),
        (left) => left === undefined,
      );
      expect(
        (await compute.store.list(ReferenceRecord)).items.filter(({ spec }) => spec.used.id === networkId),
      ).toEqual([]);
    }
    expect(writes).toBeGreaterThan(4);
  });

  it('changes with it: new references are added immediately, and old ones are removed when the machine no longer uses them', async () => {
    const [first, second] = [await compute.securityGroup('first'), await compute.securityGroup('second')];
    const { networkId } = compute;
    const { id } = seen(await compute.create('moving', { networking: { securityGroups: [first] } })).metadata;
    await compute.until(id, 'provisioned');
    await whileDown(async () => {
      expect((await compute.update(id, 'moving', { networking: { securityGroups: [second] } })).status).toBe(202);
      expect(await held(id)).toEqual([
        `networks ${networkId}`,
        ...[first, second].toSorted().map((group) => `securitygroups ${group}`),
      ]);
      expect((await region('DELETE', `securitygroups/${second}`)).status).toBe(403);
    });
    await compute.eventually(
      () => held(id),
      (now) => now.length === 2,
    );
    expect(await held(id)).toEqual([`networks ${networkId}`, `securitygroups ${second}`]);
    expect((await region('DELETE', `securitygroups/${first}`)).status).toBe(202);
    await remove(id);
    expect(await held(id)).toEqual([]);
  });

  it('costs one write when an instance without groups is created, and one when it is deleted', async () => {
    const writes: string[] = [];
    around = (call, happen) => {
      if (isWrite(call) && call.kind === ReferenceRecord) writes.push(call.verb);
      return happen();
    };
    const { id } = seen(await compute.create('cheap')).metadata;
    await compute.until(id, 'provisioned');
    await remove(id);
    around = untouched;
    expect(writes).toEqual(['create', 'delete']);
  });

  it('has no reference of an instance that was refused', async () => {
    const before = (await compute.store.list(ReferenceRecord)).items;
    await compute.limit({ servers: 0 });
    expect((await compute.create('refused')).status).toBe(403);
    await compute.limit({ servers: 1000 });
    expect((await compute.store.list(ReferenceRecord)).items).toEqual(before);
  });
});

describe('a protected instance', () => {
  const project = (method: 'DELETE', query = '') =>
    compute.request(
      method,
      `/identity/api/v1/organizations/${compute.organizationId}/projects/${compute.projectId}${query}`,
    );
  const organization = (query = '') =>
    compute.request('DELETE', `/identity/api/v1/organizations/${compute.organizationId}${query}`, {
      token: compute.operatorToken,
    });

  it('protects its network, project and organization, by name, until its protection ends', async () => {
    const { networkId, projectId } = compute;
    const { id } = seen(await compute.create('precious', { deletionProtection: true })).metadata;
    expect(await held(id)).toEqual([`networks ${networkId} protected`, `projects ${projectId} protected`]);
    const refusal = {
      status: 409,
      body: {
        error: 'conflict',
        error_description: mentioning(`because instance precious (${id}) is protected against deletion`),
      },
    };
    expect(await region('DELETE', `networks/${networkId}`)).toMatchObject(refusal);
    expect(await project('DELETE')).toMatchObject(refusal);
    expect(await organization()).toMatchObject(refusal);
    expect(await compute.request('DELETE', `/region/api/v2/networks/${networkId}?ignoreProtection=true`)).toMatchObject(
      { status: 403, body: { error_description: mentioning('is in use by instance precious') } },
    );
    expect((await compute.store.get(Project, projectId))?.metadata).toMatchObject({
      annotations: expect.not.objectContaining({
        'unikorn-cloud.org/deletion': expect.anything() as unknown,
      }) as unknown,
    });
    await compute.until(id, 'provisioned');
    expect((await compute.update(id, 'precious', { deletionProtection: false })).status).toBe(202);
    expect(await held(id)).toEqual([`networks ${networkId}`]);
    expect((await region('DELETE', `networks/${networkId}`)).status).toBe(403);
    expect((await compute.update(id, 'precious', { deletionProtection: true })).status).toBe(202);
    expect(await held(id)).toEqual([`networks ${networkId} protected`, `projects ${projectId} protected`]);
    expect((await compute.update(id, 'precious', { deletionProtection: false })).status).toBe(202);
    await remove(id);
    expect(await held(id)).toEqual([]);
  });
});

describe('a deletion that takes instances with it', () => {
  it('deletes protected ones only on request, waits for them, and their history shows who deleted the parent', async () => {
    const tenant = await compute.openTenant();
    const made = await tenant.create('doomed', { deletionProtection: true });
    const { id, projectId, organizationId } = seen(made).metadata;
    await tenant.until(id, 'provisioned');
    const path = `/identity/api/v1/organizations/${String(organizationId)}/projects/${String(projectId)}`;
    expect((await compute.request('DELETE', path, { token: compute.operatorToken })).status).toBe(409);
    expect(
      (await compute.request('DELETE', `${path}?ignoreProtection=true`, { token: compute.operatorToken })).status,
    ).toBe(202);
    await compute.eventually(
      () => compute.store.get(Project, String(projectId)),
      (left) => left === undefined,
    );
    expect(await compute.store.get(ComputeInstance, id)).toBeUndefined();
    expect((await compute.store.list(ReferenceRecord)).items.filter(({ spec }) => spec.reference.endsWith(id))).toEqual(
      [],
    );
    const { body } = await compute.call('GET', `/api/v2/instances/${id}/history`, { token: compute.operatorToken });
    const begun = (body as readonly { readonly action: string; readonly outcome: string }[]).find(
      ({ action, outcome }) => action === 'deletion' && outcome === 'begun',
    );
    expect(begun).toMatchObject({
      actor: 'operator@example.com',
      message: expect.stringMatching(/^deleted because project .+ was deleted by operator@example\.com$/) as string,
    });
  });

  it('also deletes the security groups and authorities', async () => {
    for (const kind of [SecurityGroup, SSHCertificateAuthority])
      expect(
        (await compute.store.list(kind)).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
      ).toEqual([]);
  });
});
