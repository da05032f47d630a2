import { describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';
import { together } from '@unikorn/core/testing';

import { Organization } from '../../kinds/index.ts';
import { platformOrganizationId, platformToken } from '../../platform.ts';
import { acme, wire, wires } from '../tenancy.fixture.ts';

const platform = {
  configuration: {
    globalBindings: { 'root@example.com': ['platform-administrator'], 'watcher@example.com': ['platform-reader'] },
  },
};
const path = '/api/v1/organizations';

async function withPlatform(options = {}) {
  const started = await acme({ ...platform, ...options });
  await started.found.user('root@example.com');
  await started.found.user('watcher@example.com');
  const root = 'user:root@example.com';
  return { ...started, root };
}

function organization(spec: object = { organizationType: 'adhoc' }, metadata: object = {}) {
  return { metadata: { name: 'globex', ...metadata }, spec };
}

describe('organizations', () => {
  it('are created and deleted by the platform, and changed by their administrators', async () => {
    const { admin, call, root, organizationId, store } = await withPlatform();
    expect((await call('POST', path, { token: 'user:admin@acme.com', body: organization() })).status).toBe(403);
    const created = await call('POST', path, {
      token: root,
      body: organization(undefined, { tags: [{ name: 'tier', value: 'gold' }] }),
    });
    expect(created).toMatchObject({
      status: 202,
      body: {
        metadata: {
          name: 'globex',
          tags: [{ name: 'tier', value: 'gold' }],
          provisioningStatus: 'pending',
          createdBy: 'root@example.com',
        },
        spec: { organizationType: 'adhoc' },
      },
    });
    await modify(store, Organization, wire(created).metadata.id, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), 'test/held'] },
    }));
    expect(await admin('PUT', '', organization(undefined, { name: 'acme-corp' }))).toMatchObject({
      status: 200,
      body: undefined,
    });
    expect(wire(await admin('GET', '')).metadata).toMatchObject({
      id: organizationId,
      name: 'acme-corp',
      modifiedBy: 'admin@acme.com',
    });
    expect((await admin('DELETE', '')).status).toBe(403);
    expect(await call('DELETE', `${path}/${wire(created).metadata.id}`, { token: root })).toMatchObject({
      status: 202,
      body: undefined,
    });
    expect(wire(await call('GET', `${path}/${wire(created).metadata.id}`, { token: root })).metadata).toMatchObject({
      provisioningStatus: 'deprovisioning',
    });
    expect((await call('DELETE', `${path}/f0000000-0000-4000-8000-000000000000`, { token: root })).status).toBe(404);
  });

  it('are tenants: the organization of the platform is listed only on request, and can still be used', async () => {
    const { call, root, store, world, organizationId } = await withPlatform();
    await platformToken({ store, world });
    const named = async (query = '', token = root) =>
      wires(await call('GET', `${path}${query}`, { token }))
        .map(({ metadata }) => metadata['name'])
        .sort();
    expect(await named()).toEqual(['acme']);
    expect(await named('?include=platform')).toEqual(['acme', 'platform']);
    expect(await named('?include=platform', 'user:admin@acme.com')).toEqual(['acme']);
    expect((await call('GET', `${path}?include=everything`, { token: root })).status).toBe(400);
    expect(await call('GET', `${path}/${platformOrganizationId}`, { token: root })).toMatchObject({
      status: 200,
      body: { metadata: { name: 'platform' } },
    });
    expect(organizationId).not.toBe(platformOrganizationId);
  });

  it('return the login settings, which only organizations with a domain have', async () => {
    const { admin } = await acme();
    const spec = {
      organizationType: 'domain',
      domain: 'acme.com',
      providerScope: 'global',
      providerID: 'p',
      googleCustomerID: 'g',
    };
    await admin('PUT', '', organization(spec));
    expect(wire(await admin('GET', '')).spec).toEqual(spec);
    await admin('PUT', '', organization({ ...spec, organizationType: 'adhoc' }));
    expect(wire(await admin('GET', '')).spec).toEqual({ organizationType: 'adhoc' });
    expect((await admin('PUT', '', organization({ organizationType: 'domain' }))).status).toBe(400);
    expect((await admin('PUT', '', organization({ organizationType: 'secret' }))).status).toBe(400);
  });

  it('may claim the same domain, until one of them has verified it', async () => {
    const { admin, call, root } = await withPlatform();
    const domain = (name: string) => organization({ organizationType: 'domain', domain: name });
    const taken = {
      status: 409,
      body: { error: 'conflict', error_description: expect.stringContaining('spec.domain') as string },
    };
    expect((await admin('PUT', '', domain('acme.com'))).status).toBe(200);
    const other = wire(await call('POST', path, { token: root, body: domain('ACME.com') })).metadata.id;
    expect(await call('POST', `${path}/${other}/domain/verification`, { token: root })).toMatchObject({
      status: 200,
      body: { verified: true },
    });
    expect(await admin('POST', '/domain/verification')).toMatchObject({ status: 409 });
    // An existing claim can still be written, and has no effect on others.
    expect((await admin('PUT', '', domain('Acme.com'))).status).toBe(200);
    expect((await admin('PUT', '', organization())).status).toBe(200);
    expect(await admin('PUT', '', domain('aCME.com'))).toMatchObject(taken);
    expect((await call('PUT', `${path}/${other}`, { token: root, body: domain('globex.com') })).status).toBe(200);
    expect((await admin('PUT', '', domain('acme.com'))).status).toBe(200);
  });

  it('verify a domain with a DNS record, and must verify another one again', async () => {
    const records = new Map<string, readonly string[]>();
    const { admin, organizationId } = await acme({ textRecords: (name) => Promise.resolve(records.get(name) ?? []) });
    const domain = (name: string) => organization({ organizationType: 'domain', domain: name });
    expect(await admin('POST', '/domain/verification')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    await admin('PUT', '', domain('Acme.com'));
    const record = { name: '_unikorn.acme.com', type: 'TXT', value: `unikorn-organization=${organizationId}` };
    expect(await admin('POST', '/domain/verification')).toMatchObject({
      status: 200,
      body: { domain: 'Acme.com', verified: false, record },
    });
    records.set(record.name, ['v=spf1 -all', 'unikorn-organization=another']);
    expect(await admin('POST', '/domain/verification')).toMatchObject({ body: { verified: false } });
    expect(wire(await admin('GET', '')).status).toEqual({ domainVerified: false });
    records.set(record.name, ['v=spf1 -all', record.value]);
    expect(await admin('POST', '/domain/verification')).toMatchObject({ body: { verified: true } });
    await admin('PUT', '', domain('acme.com'));
    expect(wire(await admin('GET', '')).status).toEqual({ domainVerified: true });
    await admin('PUT', '', domain('globex.com'));
    expect(wire(await admin('GET', '')).status).toEqual({ domainVerified: false });
  });

  it('that are foreign to the caller are refused in the same way, whether they exist or not', async () => {
    const { call, found } = await acme();
    const foreign = await found.organization();
    const [there, absent] = await Promise.all(
      [foreign, 'f0000000-0000-4000-8000-000000000000'].map((id) =>
        call('GET', `${path}/${id}`, { token: 'user:admin@acme.com' }),
      ),
    );
    expect(there?.status).toBe(403);
    expect({ ...(there?.body as object), trace_id: '' }).toEqual({ ...(absent?.body as object), trace_id: '' });
  });

  it('with two concurrent changes, while their controller adds its finalizer, get only one of them', async () => {
    const { admin } = await acme({ around: together(Organization, 3) });
    const answers = await Promise.all(['a', 'b'].map((name) => admin('PUT', '', organization(undefined, { name }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('the list of organizations', () => {
  it('shows users their own organizations, and the platform all', async () => {
    const { call, found, organizationId, root } = await withPlatform();
    const other = await found.organization();
    const suspended = await found.organization();
    await found.user('admin@acme.com', other);
    await found.user('admin@acme.com', suspended, 'suspended');
    const robot = await found.serviceAccount(other);
    const ids = async (token: string) => wires(await call('GET', path, { token })).map(({ metadata }) => metadata.id);
    expect(await ids('user:admin@acme.com')).toEqual([organizationId, other].sort());
    expect(await ids(robot.token)).toEqual([other]);
    expect(await ids(root)).toHaveLength(3);
    expect(await ids('user:watcher@example.com')).toHaveLength(3);
  });

  it('of another user is for callers who may read all users', async () => {
    const { call, found, organizationId, root } = await withPlatform();
    await found.user('jane@acme.com', organizationId);
    const of = (email: string, token: string) => call('GET', `${path}?email=${encodeURIComponent(email)}`, { token });
    expect((await of('jane@acme.com', 'user:admin@acme.com')).status).toBe(403);
    expect((await of('nobody@acme.com', 'user:admin@acme.com')).status).toBe(403);
    expect(wires(await of('Admin@acme.com', 'user:admin@acme.com'))).toHaveLength(1);
    expect(wires(await of('JANE@acme.com', root)).map(({ metadata }) => metadata.id)).toEqual([organizationId]);
    expect((await of('nobody@acme.com', root)).status).toBe(404);
  });

  it('omits a deleted organization whose membership still exists', async () => {
    const { call, found, store } = await acme();
    const gone = await found.organization();
    await found.user('admin@acme.com', gone);
    await store.delete(Organization, gone);
    expect(wires(await call('GET', path, { token: 'user:admin@acme.com' }))).toHaveLength(1);
  });
});
