import { describe, expect, it } from 'vitest';

import { GlobalRoleBinding, ServiceAccount } from '../../kinds/index.ts';
import { signInVouched } from '../../testing/index.ts';
import { acme, text } from '../tenancy.fixture.ts';

const path = '/api/v1/globalroles';
const root = 'user:root@example.com';
const eve = 'eve@example.com';

async function platform(
  globalBindings: Readonly<Record<string, readonly string[]>> = { 'root@example.com': ['platform-administrator'] },
) {
  const started = await acme({ configuration: { globalBindings } });
  await started.found.user('root@example.com');
  const grant = (subject: string, roles: readonly string[], token = root) =>
    started.call('PUT', `${path}/${encodeURIComponent(subject)}`, { token, body: { roles } });
  const revoke = (subject: string, token = root) =>
    started.call('DELETE', `${path}/${encodeURIComponent(subject)}`, { token });
  const organizations = async (token: string) =>
    (await started.call('GET', `/api/v1/organizations/${started.organizationId}`, { token })).status;
  return { ...started, grant, revoke, organizations };
}

describe('roles over the platform', () => {
  it('are granted to users and revoked, with immediate effect', async () => {
    const { call, grant, revoke, organizations } = await platform();
    expect(await grant(' EVE@example.com', ['platform-reader'])).toMatchObject({
      status: 200,
      body: { subject: eve, roles: ['platform-reader'], source: 'granted' },
    });
    expect(await organizations(`user:${eve}`)).toBe(200);
    expect(
      (
        await call('POST', '/api/v1/organizations', {
          token: `user:${eve}`,
          body: { metadata: { name: 'x' }, spec: { organizationType: 'adhoc' } },
        })
      ).status,
    ).toBe(403);
    await grant(eve, ['platform-administrator']);
    expect(
      (
        await call('POST', '/api/v1/organizations', {
          token: `user:${eve}`,
          body: { metadata: { name: 'x' }, spec: { organizationType: 'adhoc' } },
        })
      ).status,
    ).toBe(202);
    expect((await revoke(eve)).status).toBe(200);
    expect(await organizations(`user:${eve}`)).toBe(403);
    expect((await revoke(eve)).status).toBe(404);
  });

  it('are granted to service accounts, and deleted with them', async () => {
    const { grant, found, organizationId, organizations, store, world } = await platform();
    const other = await found.organization();
    const robot = await found.serviceAccount(other);
    expect(await organizations(robot.token)).toBe(403);
    expect((await grant(robot.id, ['platform-reader'])).status).toBe(200);
    expect(await organizations(robot.token)).toBe(200);
    await store.delete(ServiceAccount, robot.id);
    await world.advance(3600_000);
    expect(await store.get(GlobalRoleBinding, robot.id)).toBeUndefined();
    expect(organizationId).not.toBe(other);
  });

  it('are listed with their source', async () => {
    const { call, grant } = await platform({
      'root@example.com': ['platform-administrator'],
      'watcher@example.com': ['platform-reader'],
    });
    await grant(eve, ['platform-reader']);
    expect((await call('GET', path, { token: root })).body).toEqual([
      { subject: eve, roles: ['platform-reader'], source: 'granted' },
      { subject: 'root@example.com', roles: ['platform-administrator'], source: 'configuration' },
      { subject: 'watcher@example.com', roles: ['platform-reader'], source: 'configuration' },
    ]);
  });

  it('are written and revoked only in the version that the caller read, if it names one', async () => {
    const { call, grant, revoke } = await platform({
      'root@example.com': ['platform-administrator'],
      'watcher@example.com': ['platform-reader'],
    });
    const at = `${path}/${eve}`;
    const write = (tag: string, roles: readonly string[]) =>
      call('PUT', at, { token: root, headers: { 'if-match': tag }, body: { roles } });
    const end = (tag: string) => call('DELETE', at, { token: root, headers: { 'if-match': tag } });
    await grant(eve, ['platform-reader']);
    const first = await call('GET', at, { token: root });
    expect(first.body).toEqual({ subject: eve, roles: ['platform-reader'], source: 'granted' });
    const tag = String(first.headers['etag']);
    expect((await write(tag, ['platform-administrator'])).status).toBe(200);
    for (const stale of [await write(tag, ['platform-reader']), await end(tag)])
      expect([stale.status, text(stale)]).toEqual([412, expect.stringContaining('If-Match')]);
    const second = await call('GET', at, { token: root });
    expect(second.body).toMatchObject({ roles: ['platform-administrator'] });
    const current = String(second.headers['etag']);
    expect((await end(current)).status).toBe(200);
    expect((await write(current, ['platform-reader'])).status).toBe(412);
    expect((await revoke(eve)).status).toBe(404);
    for (const nothing of [at, `${path}/watcher@example.com`])
      expect((await call('GET', nothing, { token: root })).status).toBe(404);
  });

  it('add to those of the configuration, which the API does not change', async () => {
    const { call, grant, revoke, found } = await platform({
      'root@example.com': ['platform-administrator'],
      [eve]: ['platform-reader'],
    });
    await found.user(eve);
    await grant(eve, ['platform-administrator']);
    const create = () =>
      call('POST', '/api/v1/organizations', {
        token: `user:${eve}`,
        body: { metadata: { name: 'x' }, spec: { organizationType: 'adhoc' } },
      });
    expect((await create()).status).toBe(202);
    await revoke(eve);
    expect((await create()).status).toBe(403);
    expect((await call('GET', '/api/v1/organizations', { token: `user:${eve}` })).body).toHaveLength(2);
    const refused = await revoke(eve);
    expect([refused.status, text(refused)]).toEqual([409, expect.stringContaining('configuration')]);
  });

  it('always keep one subject that can grant them', async () => {
    const { grant, revoke, call } = await platform({ 'root@example.com': ['platform-administrator'] });
    await grant(eve, ['platform-administrator']);
    expect((await grant(eve, ['platform-reader'], `user:${eve}`)).status).toBe(200);
    expect((await revoke('root@example.com')).status).toBe(409);
    expect((await call('GET', path, { token: root })).status).toBe(200);
  });

  it('cannot be changed by tenants or by platform readers', async () => {
    const { grant, revoke, call, found } = await platform({
      'root@example.com': ['platform-administrator'],
      'watcher@example.com': ['platform-reader'],
    });
    await found.user('watcher@example.com');
    for (const token of ['user:admin@acme.com', 'user:watcher@example.com'])
      expect([(await grant(eve, ['platform-reader'], token)).status, (await revoke(eve, token)).status]).toEqual([
        403, 403,
      ]);
    expect((await call('GET', path, { token: 'user:admin@acme.com' })).status).toBe(403);
    expect((await call('GET', path, { token: 'user:watcher@example.com' })).status).toBe(200);
  });

  it('cannot be roles of services or tenants, undefined roles, or for unknown accounts', async () => {
    const { grant } = await platform();
    for (const roles of [['region-service'], ['administrator'], ['nonsense'], []])
      expect(await grant(eve, roles)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    for (const subject of ['f0000000-0000-4000-8000-000000000000', 'a@b@c'])
      expect(await grant(subject, ['platform-reader'])).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
  });

  it('end logins that an organization vouched for', async () => {
    const { grant, found, organizationId, call, store, world } = await platform();
    await found.user(eve, organizationId);
    await world.settle();
    const token = await signInVouched({ store, world }, eve, organizationId);
    expect((await call('GET', '/api/v1/acl', { token })).status).toBe(200);
    await grant(eve, ['platform-reader']);
    expect((await call('GET', '/api/v1/acl', { token })).status).toBe(401);
  });
});
