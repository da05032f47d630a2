import { describe, expect, it } from 'vitest';

import { together } from '@unikorn/core/testing';

import { ServiceAccount } from '../../kinds/index.ts';
import { acme, over, wire, wires, type Wire } from '../tenancy.fixture.ts';

function account(groupIDs: readonly string[] = [], metadata: object = {}) {
  return { metadata: { name: 'ci', ...metadata }, spec: { groupIDs } };
}

function tokenOf({ status }: Wire): string {
  return String(status?.['accessToken']);
}

describe('service accounts', () => {
  it('get a token that is shown once and stored nowhere', async () => {
    const { admin, as, found, store, organizationId } = await acme();
    const auditors = await found.group(organizationId, ['auditor']);
    const created = await admin('POST', '/serviceaccounts', account([auditors], { tags: [{ name: 'a', value: 'b' }] }));
    expect(created).toMatchObject({
      status: 201,
      body: {
        metadata: { name: 'ci', tags: [{ name: 'a', value: 'b' }], createdBy: 'admin@acme.com' },
        spec: { groupIDs: [auditors] },
        status: { expiry: '2026-04-01T00:00:00Z' },
      },
    });
    const token = tokenOf(wire(created));
    expect(token).toMatch(/^uksa_[A-Za-z0-9_-]{43}$/);
    expect((await as(token)('GET', '/serviceaccounts')).status).toBe(200);
    const everything = JSON.stringify([
      wires(await admin('GET', '/serviceaccounts')),
      (await store.list(ServiceAccount)).items,
    ]);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(token.slice(5));
    expect(everything).not.toContain('accessToken');
  });

  it('have tokens with the configured lifetime', async () => {
    const { admin } = await acme({ configuration: { serviceAccountTokenLifetime_ms: 24 * 3600_000 } });
    const created = await admin('POST', '/serviceaccounts', account());
    expect(created).toMatchObject({ body: { status: { expiry: '2026-01-02T00:00:00Z' } } });
    expect(await admin('POST', `/serviceaccounts/${wire(created).metadata.id}/rotate`)).toMatchObject({
      body: { status: { expiry: '2026-01-02T00:00:00Z' } },
    });
  });

  it('that rotate lose their old token immediately', async () => {
    const { admin, as, call, path } = await acme();
    const made = wire(await admin('POST', '/serviceaccounts', account([], { description: 'builds' })));
    const rotated = await admin('POST', `/serviceaccounts/${made.metadata.id}/rotate`);
    expect(rotated).toMatchObject({
      status: 200,
      body: { metadata: { id: made.metadata.id, name: 'ci', description: 'builds', modifiedBy: 'admin@acme.com' } },
    });
    expect((await call('GET', `${path}/serviceaccounts`, { token: tokenOf(made) })).status).toBe(401);
    expect((await as(tokenOf(wire(rotated)))('GET', '/serviceaccounts')).status).toBe(200);
  });

  it('can read and rotate only themselves without a role', async () => {
    const { admin, as, call, found } = await acme();
    const self = wire(await admin('POST', '/serviceaccounts', account()));
    const other = wire(await admin('POST', '/serviceaccounts', account()));
    const itself = as(tokenOf(self));
    expect(wires(await itself('GET', '/serviceaccounts')).map(({ metadata }) => metadata.id)).toEqual([
      self.metadata.id,
    ]);
    expect(wires(await itself('GET', `/serviceaccounts?search=${other.metadata.id}`))).toEqual([]);
    expect(wires(await admin('GET', `/serviceaccounts?search=${other.metadata.id}`))).toHaveLength(1);
    expect((await itself('POST', `/serviceaccounts/${other.metadata.id}/rotate`)).status).toBe(403);
    expect((await itself('PUT', `/serviceaccounts/${self.metadata.id}`, account())).status).toBe(403);
    expect((await itself('DELETE', `/serviceaccounts/${self.metadata.id}`)).status).toBe(403);
    const elsewhere = `/api/v1/organizations/${await found.organization()}/serviceaccounts`;
    expect((await call('GET', elsewhere, { token: tokenOf(self) })).status).toBe(403);
    expect((await call('POST', `${elsewhere}/${self.metadata.id}/rotate`, { token: tokenOf(self) })).status).toBe(403);
    expect((await itself('POST', `/serviceaccounts/${self.metadata.id}/rotate`)).status).toBe(200);
  });

  it('keep their token when they are changed, and show their new groups', async () => {
    const { admin, as, found, organizationId } = await acme();
    const [one, two] = [await found.group(organizationId, []), await found.group(organizationId, ['auditor'])];
    const made = wire(await admin('POST', '/serviceaccounts', account([one])));
    const changed = await admin('PUT', `/serviceaccounts/${made.metadata.id}`, account([two], { name: 'cd' }));
    expect(changed).toMatchObject({ status: 200, body: { metadata: { name: 'cd' }, spec: { groupIDs: [two] } } });
    expect(wire(changed).status).not.toHaveProperty('accessToken');
    expect((await as(tokenOf(made))('GET', '/groups')).status).toBe(200);
  });

  it('cannot be added to groups that grant more than the caller has', async () => {
    const { as, found, store, adminGroup, organizationId } = await acme({
      configuration: {
        roles: [
          {
            name: 'clerk',
            scopes: { organization: [{ name: 'identity:serviceaccounts', operations: ['create', 'read', 'update'] }] },
          },
        ],
      },
    });
    const clerk = await found.robot(organizationId, ['clerk']);
    const call = as(clerk.token);
    expect((await call('POST', '/serviceaccounts', account([adminGroup]))).status).toBe(403);
    expect((await call('PUT', `/serviceaccounts/${clerk.id}`, account([clerk.groupId, adminGroup]))).status).toBe(403);
    expect((await call('PUT', `/serviceaccounts/${clerk.id}`, account([clerk.groupId]))).status).toBe(200);
    expect((await store.list(ServiceAccount)).items).toHaveLength(1);
  });

  it('that are deleted are removed from their groups and refused immediately', async () => {
    const { admin, as, found, organizationId } = await acme();
    const group = await found.group(organizationId, []);
    const made = wire(await admin('POST', '/serviceaccounts', account([group])));
    expect(await admin('DELETE', `/serviceaccounts/${made.metadata.id}`)).toMatchObject({
      status: 200,
      body: undefined,
    });
    expect((await as(tokenOf(made))('GET', '/serviceaccounts')).status).toBe(401);
    expect(wire(await admin('GET', `/groups/${group}`)).spec).toMatchObject({ serviceAccountIDs: [] });
    expect((await admin('POST', `/serviceaccounts/${made.metadata.id}/rotate`)).status).toBe(404);
  });

  it('are refused when their token was tampered with', async () => {
    const { admin, as } = await acme();
    const token = tokenOf(wire(await admin('POST', '/serviceaccounts', account())));
    for (const bad of [`${token}x`, token.slice(0, -1), token.toUpperCase(), 'uksa_', `${token.slice(0, -2)}AA`])
      expect((await as(bad)('GET', '/serviceaccounts')).status, bad).toBe(401);
  });

  it('with two concurrent rotations get only one of them', async () => {
    const { admin, found, organizationId } = await acme({ around: together(ServiceAccount, 2) });
    const { id } = await found.serviceAccount(organizationId);
    const answers = await Promise.all([1, 2].map(() => admin('POST', `/serviceaccounts/${id}/rotate`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('are read alone, and are not changed over another version of them or of their groups', async () => {
    const { admin, as, found, organizationId } = await acme();
    const group = await found.group(organizationId, []);
    const made = wire(await admin('POST', '/serviceaccounts', account()));
    const path = `/serviceaccounts/${made.metadata.id}`;
    const first = await admin('GET', path);
    expect(first).toMatchObject({ status: 200, body: { metadata: { name: 'ci' }, spec: { groupIDs: [] } } });
    expect(await as(tokenOf(made))('GET', path), 'it may read itself').toMatchObject({ status: 200, body: first.body });
    const change = (description: string, seen: typeof first) =>
      admin('PUT', path, account([], { description }), over(seen));
    expect((await change('mine', first)).status).toBe(200);
    expect((await change('theirs', first)).status).toBe(412);
    const second = await admin('GET', path);
    await admin('PUT', `/groups/${group}`, {
      metadata: { name: 'new' },
      spec: { serviceAccountIDs: [made.metadata.id], roleIDs: [] },
    });
    expect((await change('theirs', second)).status).toBe(412);
    expect(wire(await admin('GET', path))).toMatchObject({
      metadata: { description: 'mine' },
      spec: { groupIDs: [group] },
    });
  });

  it('accept no idempotency key, because the stored response would contain a token', async () => {
    const { call, path, store } = await acme();
    const answer = await call('POST', `${path}/serviceaccounts`, {
      token: 'user:admin@acme.com',
      body: account(),
      headers: { 'idempotency-key': 'k' },
    });
    expect(answer.status).toBe(400);
    expect((await store.list(ServiceAccount)).items).toEqual([]);
  });
});
