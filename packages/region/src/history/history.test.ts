import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { HistoryEntry } from '@unikorn/core/history';
import { isWrite } from '@unikorn/core/testing';

import { openTenant, wire, type Tenant, type Wire } from '../handlers/network-resources.fixture.ts';
import { GoneResource, ResourceHistory } from '../kinds/index.ts';
import { publicKeys } from '../sshca/public-key.fixture.ts';
import { startRegion, type RunningRegion } from '../testing/index.ts';

let region: RunningRegion;
let tenant: Tenant;
let writes = 0;

beforeAll(async () => {
  region = await startRegion({
    around: (call, happen) => {
      if (isWrite(call) && (call.kind === ResourceHistory || call.kind === GoneResource)) writes++;
      return happen();
    },
  });
  tenant = await openTenant(region);
});
afterAll(() => region.stop());

async function historyOf(path: string, token = tenant.token) {
  const { status, body } = await region.call('GET', `/api/v2/${path}/history`, { token });
  return { status, entries: body as readonly HistoryEntry[] };
}

const told = (entries: readonly HistoryEntry[], type: HistoryEntry['type']) =>
  entries.filter((entry) => entry.type === type).map(({ action, outcome }) => `${action} ${outcome}`);

/** Creates, changes and deletes something, and says where it was. */
async function lived(collection: string, made: Wire, change: object): Promise<string> {
  const path = `${collection}/${made.metadata.id}`;
  await tenant.provisioned(path);
  expect((await tenant.ask('PUT', path, { metadata: { name: 'web' }, spec: change })).status).toBe(202);
  await tenant.provisioned(path);
  expect((await tenant.ask('DELETE', path)).status).toBe(202);
  await tenant.gone(path);
  return path;
}

const rule = { direction: 'ingress', protocol: 'tcp', port: 22, cidr: '0.0.0.0/0' };
const listener = {
  name: 'web',
  protocol: 'tcp',
  port: 443,
  pool: { members: [{ address: '10.0.0.130', port: 8443 }] },
};

describe('the history of', () => {
  it('a network has who created, changed and deleted it, what changed, and how it was provisioned', async () => {
    const id = await tenant.network();
    const path = `networks/${id}`;
    await tenant.ask('PUT', path, { metadata: { name: 'web' }, spec: { dnsNameservers: ['9.9.9.9'] } });
    await tenant.ask('PUT', path, { metadata: { name: 'web' }, spec: { dnsNameservers: ['not an address'] } });
    await tenant.ask('DELETE', path);
    await tenant.gone(path);
    await region.world.advance(5_000);
    const { entries } = await historyOf(path);
    expect(told(entries, 'intent')).toEqual(['create accepted', 'update accepted', 'delete accepted']);
    expect(told(entries, 'saga')).toEqual(['charge done', 'putIdentity done', 'putNetwork done']);
    expect(told(entries, 'transition')).toEqual(
      expect.arrayContaining(['provisioning Provisioned', 'deletion begun', 'deletion gone']),
    );
    const [created, updated] = entries.filter(({ type }) => type === 'intent');
    expect(created?.actor).toMatch(/./);
    expect(updated).toMatchObject({
      actor: created?.actor,
      changes: [{ field: 'spec.dnsNameservers', action: 'in-place' }],
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    });
  });

  it('a security group, a load balancer and file storage is kept, and readable when they are gone', async () => {
    const networkId = await tenant.network();
    const { storageClassId } = region;
    const nfs = { storageType: { NFS: { rootSquash: true } } };
    const paths = [
      await lived('securitygroups', wire(await tenant.create('securitygroups', { networkId, rules: [] })), {
        rules: [rule],
      }),
      await lived('loadbalancers', wire(await tenant.create('loadbalancers', { networkId, listeners: [listener] })), {
        listeners: [{ ...listener, pool: { members: [] } }],
      }),
      await lived(
        'filestorage',
        wire(
          await tenant.create('filestorage', {
            ...tenant.scope,
            regionId: tenant.regionId,
            storageClassId,
            sizeGiB: 10,
            ...nfs,
          }),
        ),
        { sizeGiB: 20, ...nfs },
      ),
    ];
    await region.world.advance(5_000);
    const stranger = await region.found.robot(await region.found.organization(), ['administrator']);
    for (const path of paths) {
      const { status, entries } = await historyOf(path);
      expect(status).toBe(200);
      expect(told(entries, 'intent')).toEqual(['create accepted', 'update accepted', 'delete accepted']);
      expect(told(entries, 'transition')).toContain('deletion gone');
      expect((await historyOf(path, stranger.token)).status).toBe(404);
    }
  });

  it('an SSH certificate authority is kept, ends with the removal, and the authority has an explanation', async () => {
    const made = wire(
      await tenant.create('sshcertificateauthorities', { ...tenant.scope, publicKey: publicKeys.ed25519 }),
    );
    const path = `sshcertificateauthorities/${made.metadata.id}`;
    const { body } = await tenant.ask('GET', `${path}/explain`);
    expect(body).toMatchObject({ ready: true, nodes: [{ kind: 'sshCertificateAuthority', state: 'ready' }] });
    expect((await tenant.ask('DELETE', path)).status).toBe(202);
    await tenant.gone(path);
    const { entries } = await historyOf(path);
    const steps = entries.map(({ action, outcome }) => `${action} ${outcome}`);
    expect(steps.toSorted()).toEqual(['create accepted', 'delete accepted', 'deletion begun', 'deletion gone']);
    expect([steps[0], steps.at(-1)]).toEqual(['create accepted', 'deletion gone']);
    const activity = await region.call('GET', '/api/v2/activity?limit=1', { token: tenant.token });
    expect(activity.body).toMatchObject([{ action: 'delete', resource: { kind: 'ssh-certificate-authority' } }]);
  });

  it('a resource costs one write for its creation and at most two for a change', async () => {
    await region.world.advance(10_000);
    writes = 0;
    const id = await tenant.network();
    await region.world.advance(10_000);
    expect(writes).toBe(1);
    await tenant.ask('PUT', `networks/${id}`, { metadata: { name: 'web' }, spec: { dnsNameservers: ['9.9.9.9'] } });
    await region.world.advance(10_000);
    expect(writes).toBeLessThanOrEqual(3);
  });

  it('a server has what operators did and failures only: compute records the rest with the instance', async () => {
    const id = await tenant.server(await tenant.network());
    const path = `servers/${id}`;
    const ask = (method: 'GET' | 'POST', verb: string) =>
      region.call(method, `/api/v2/${path}/${verb}`, { token: region.operatorToken });
    await region.eventually(
      () => ask('GET', 'consoleoutput'),
      ({ status }) => status === 200,
    );
    await region.world.advance(10_000);
    expect((await historyOf(path, region.operatorToken)).status).toBe(200);
    writes = 0;
    expect((await ask('POST', 'stop')).status).toBe(202);
    await region.world.advance(60_000);
    expect(writes).toBe(1);
    const { entries } = await historyOf(path, region.operatorToken);
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(['create accepted', 'stop accepted']);
  });
});
