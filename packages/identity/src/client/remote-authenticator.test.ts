import { describe, expect, it } from 'vitest';

import type { Credentials, Principal } from '@unikorn/core/access';
import { allowsOrganization, allowsProject, clientCertificate } from '@unikorn/core/access';
import type { HttpChannel } from '@unikorn/core/calls';
import { modify } from '@unikorn/core/store';

import { Group } from '../kinds/group.ts';
import { ServiceAccount } from '../kinds/index.ts';
import { certificateHeaders } from '../testing/index.ts';
import { stage } from './client.fixture.ts';
import { remoteAuthenticator, serviceRights } from './index.ts';

const jane = 'jane@example.com';

/** Region's view of a member of an organization who is an administrator there. */
async function setting() {
  const scene = await stage('unikorn-region');
  const { found, world } = scene;
  const organizationId = await found.organization();
  await found.user(jane, organizationId);
  const groupId = await found.group(organizationId, ['administrator'], { users: [jane] });
  await world.settle();
  const token: Credentials = { type: 'token', token: await scene.signIn(jane) };
  let reachable = true;
  const channel: HttpChannel = {
    ...scene.channel,
    send: (request) => (reachable ? scene.channel.send(request) : Promise.reject(new Error('connect ECONNREFUSED'))),
  };
  const authenticator = remoteAuthenticator({ channel, world, services: serviceRights() });
  const count = (part: string) => scene.requests.filter(({ path }) => path.includes(part)).length;
  return {
    ...scene,
    authenticator,
    token,
    organizationId,
    groupId,
    count,
    cut: (cut: boolean) => {
      reachable = !cut;
    },
  };
}

function service(principal: Principal, impersonate: boolean, commonName = 'unikorn-compute'): Credentials {
  return { type: 'certificate', commonName, principal, impersonate };
}

describe('a token', () => {
  it('is exchanged for its holder and their permissions', async () => {
    const { authenticator, token, organizationId } = await setting();
    const caller = await authenticator.authenticate(token, { organizationId });
    expect(caller).toMatchObject({
      subject: jane,
      accountType: 'user',
      principal: { actor: jane, type: 'user', organizationId, organizationIds: [organizationId] },
    });
    const acl = await authenticator.access(caller, { organizationId });
    expect(allowsOrganization(acl, 'region:networks:v2', 'create', organizationId)).toBe(true);
    expect(acl).not.toHaveProperty('organization');
  });

  it('is verified again only after the cached result has expired', async () => {
    const { authenticator, token, organizationId, world, count, store, groupId } = await setting();
    const look = async () =>
      authenticator.access(await authenticator.authenticate(token, { organizationId }), { organizationId });
    await Promise.all([look(), look()]);
    await world.advance(1_500);
    await modify(store, Group, groupId, (group) => ({ ...group, spec: { ...group.spec, subjects: [] } }));
    expect(allowsOrganization(await look(), 'region:networks:v2', 'create', organizationId)).toBe(true);
    expect([count('/oauth2/v2/token'), count('/acl')]).toEqual([1, 1]);
    await world.advance(500);
    expect(allowsOrganization(await look(), 'region:networks:v2', 'create', organizationId)).toBe(false);
    expect([count('/oauth2/v2/token'), count('/acl')]).toEqual([2, 2]);
  });

  it('that is revoked is refused after two seconds', async () => {
    const { authenticator, found, organizationId, world, store } = await setting();
    const robot = await found.robot(organizationId, ['administrator']);
    await world.settle();
    const credentials: Credentials = { type: 'token', token: robot.token };
    const look = () => authenticator.authenticate(credentials, { organizationId });
    await look();
    await store.delete(ServiceAccount, robot.id);
    expect(await look()).toMatchObject({ subject: robot.id });
    await world.advance(2_000);
    await expect(look()).rejects.toMatchObject({ code: 'access_denied' });
  });

  it('that is not valid is denied, and one without access to an organization is forbidden', async () => {
    const { authenticator, token, found } = await setting();
    await expect(
      authenticator.authenticate({ type: 'token', token: 'user:nobody@example.com' }, {}),
    ).rejects.toMatchObject({ code: 'access_denied' });
    await expect(
      authenticator.authenticate(token, { organizationId: await found.organization() }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is refused with a server error while identity cannot be reached, and the failure is not cached', async () => {
    const { authenticator, token, organizationId, cut, world } = await setting();
    cut(true);
    await expect(authenticator.authenticate(token, { organizationId })).rejects.toMatchObject({ code: 'unavailable' });
    cut(false);
    const caller = await authenticator.authenticate(token, { organizationId });
    await authenticator.access(caller, { organizationId });
    cut(true);
    await world.advance(60_000);
    await expect(authenticator.access(caller, { organizationId })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('of one user is not confused with that of another', async () => {
    const { authenticator, token, organizationId, found, world, signIn } = await setting();
    await found.user('joe@acme.com', organizationId);
    await world.settle();
    const joe: Credentials = { type: 'token', token: await signIn('joe@acme.com') };
    for (const [presented, subject] of [
      [token, jane],
      [joe, 'joe@acme.com'],
      [token, jane],
    ] as const)
      expect(await authenticator.authenticate(presented, { organizationId })).toMatchObject({ subject });
  });

  it('is verified again for every project, because it may have access to only one of them', async () => {
    const { authenticator, token, organizationId, found, world, count } = await setting();
    const projects = [await found.project(organizationId), await found.project(organizationId)];
    await world.settle();
    for (const projectId of [...projects, ...projects])
      expect(await authenticator.authenticate(token, { organizationId, projectId })).toMatchObject({
        principal: { projectId },
      });
    expect(count('/oauth2/v2/token')).toBe(2);
  });

  it('of one organization is not confused with that of another', async () => {
    const { authenticator, token, organizationId, found, world } = await setting();
    const second = await found.organization();
    await found.user(jane, second);
    await world.settle();
    const [here, there] = await Promise.all(
      [organizationId, second].map(async (id) =>
        authenticator.access(await authenticator.authenticate(token, { organizationId: id }), { organizationId: id }),
      ),
    );
    expect(here?.organizations?.map(({ id }) => id)).toEqual([organizationId]);
    expect(there?.organizations ?? []).toEqual([]);
  });
});

describe('a service', () => {
  it('has the permissions of its role, without a call to identity', async () => {
    const { authenticator, requests } = await setting();
    const caller = await authenticator.authenticate(service({ actor: jane }, false), {});
    expect(await authenticator.access(caller, {})).toEqual({ global: serviceRights().get('unikorn-compute') });
    expect(requests).toEqual([]);
  });

  it('that impersonates a user has the permissions that both have', async () => {
    const { authenticator, organizationId } = await setting();
    const caller = await authenticator.authenticate(service({ actor: jane, type: 'user' }, true), {});
    const acl = await authenticator.access(caller, {});
    expect(allowsOrganization(acl, 'region:networks:v2', 'read', organizationId)).toBe(true);
    expect(allowsOrganization(acl, 'region:networks:v2', 'create', organizationId)).toBe(false);
    expect(allowsOrganization(acl, 'region:servers', 'create', organizationId)).toBe(false);
  });

  it('that impersonates two users with the same name gets separate results', async () => {
    const { authenticator, found, organizationId, world } = await setting();
    const robot = await found.robot(organizationId, ['user']);
    const projectId = await found.project(organizationId, [robot.groupId]);
    await world.settle();
    const ask = async (type: string) =>
      authenticator.access(await authenticator.authenticate(service({ actor: robot.id, type }, true), {}), {});
    const [asUser, asService] = await Promise.all([ask('user'), ask('service')]);
    expect(allowsProject(asUser, 'region:networks:v2', 'read', organizationId, projectId)).toBe(false);
    expect(allowsProject(asService, 'region:networks:v2', 'read', organizationId, projectId)).toBe(true);
  });

  it('cannot impersonate another service, or without a principal', async () => {
    const { authenticator } = await setting();
    for (const principal of [{ actor: 'unikorn-compute', type: 'system' }, { actor: jane }]) {
      const caller = await authenticator.authenticate(service(principal, true), {});
      await expect(authenticator.access(caller, {})).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('that is unknown is denied', async () => {
    const { authenticator } = await setting();
    await expect(
      authenticator.authenticate(service({ actor: jane }, false, 'unikorn-stranger'), {}),
    ).rejects.toMatchObject({ code: 'access_denied' });
  });
});

describe("a service's token", () => {
  it('is valid with its certificate, and cached only for that one', async () => {
    const { authenticator, server, organizationId } = await setting();
    const certificate = clientCertificate(certificateHeaders('unikorn-compute'), 'forwarded');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const issued = await server.inject({
      method: 'POST',
      url: '/identity/oauth2/v2/token',
      headers: { ...form, ...certificateHeaders('unikorn-compute') },
      payload: 'grant_type=client_credentials',
    });
    const token: Credentials = { type: 'token', token: issued.json<{ access_token: string }>().access_token };
    const caller = await authenticator.authenticate(
      { ...token, certificateThumbprint: certificate?.thumbprint ?? '' },
      { organizationId },
    );
    expect(caller).toMatchObject({ subject: 'unikorn-compute', accountType: 'system', impersonating: false });
    expect(await authenticator.access(caller, { organizationId })).toEqual({
      global: serviceRights().get('unikorn-compute'),
    });
    for (const other of [token, { ...token, certificateThumbprint: 'another' }])
      await expect(authenticator.authenticate(other, { organizationId })).rejects.toMatchObject({
        code: 'access_denied',
      });
  });
});

describe('the access list of a principal', () => {
  const ask = async ({ channel }: Awaited<ReturnType<typeof stage>>, headers: Readonly<Record<string, string>>) =>
    (await channel.send({ method: 'GET', path: '/api/v1/acl/principal', headers, repeatable: false })).status;

  it('is for services only, and only for their principals', async () => {
    const scene = await stage('unikorn-region');
    const headers = { 'x-principal': Buffer.from(JSON.stringify({ actor: jane, type: 'user' })).toString('base64url') };
    expect(await ask(scene, headers)).toBe(400);
    expect(await ask(scene, { ...headers, 'x-impersonate': 'true' })).toBe(200);
    expect(await ask(scene, { authorization: 'Bearer nonsense' })).toBe(401);
  });

  it('is not for users', async () => {
    const scene = await setting();
    expect(await ask(scene, { authorization: `Bearer ${await scene.signIn(jane)}` })).toBe(403);
  });
});
