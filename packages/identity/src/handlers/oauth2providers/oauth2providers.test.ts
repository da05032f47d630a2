import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Provider } from '../../kinds/oauth2.ts';
import { alice, startLogin, tokensOf, type RunningLogin } from '../../oauth2/oauth2.fixture.ts';

let login: RunningLogin;
let organizationId: string;
let token: string;

beforeEach(async () => {
  login = await startLogin({
    providers: [
      {
        name: 'Google',
        type: 'google',
        issuer: 'https://accounts.google.com',
        clientID: 'global',
        clientSecret: 'global-secret',
      },
    ],
  });
  organizationId = await login.found.organization();
  await login.found.user(alice, organizationId);
  await login.found.group(organizationId, ['administrator'], { users: [alice] });
  await login.world.settle();
  token = (await tokensOf(login)).access_token;
});

afterEach(() => login.stop());

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  bearer: string | undefined = token,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await login.server.inject({
    method,
    url: `/identity/api/v1${path}`,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    ...(body ? { payload: body } : {}),
  });
  return { status: response.statusCode, body: response.body === '' ? undefined : response.json<unknown>() };
}

const written = (spec: object = {}) => ({
  metadata: { name: 'corporate', description: 'ours', tags: [{ name: 'a', value: 'b' }] },
  spec: { issuer: 'https://login.acme.com', clientID: 'unikorn', clientSecret: 'acme-secret', ...spec },
});

async function create() {
  const { status, body } = await call('POST', `/organizations/${organizationId}/oauth2providers`, written());
  expect(status).toBe(201);
  return (body as { metadata: { id: string } }).metadata.id;
}

describe("an organization's login providers", () => {
  it('are created, listed, changed and deleted', async () => {
    const collection = `/organizations/${organizationId}/oauth2providers`;
    expect(await call('GET', collection)).toEqual({ status: 200, body: [] });
    const id = await create();
    expect(await call('GET', collection)).toMatchObject({
      status: 200,
      body: [
        {
          metadata: {
            id,
            name: 'corporate',
            description: 'ours',
            tags: [{ name: 'a', value: 'b' }],
            organizationId,
            provisioningStatus: 'provisioned',
            createdBy: alice,
          },
          spec: { issuer: 'https://login.acme.com', clientID: 'unikorn' },
        },
      ],
    });
    expect(
      await call('PUT', `${collection}/${id}`, { ...written({ clientID: 'other' }), metadata: { name: 'renamed' } }),
    ).toEqual({ status: 200, body: undefined });
    expect(await call('GET', collection)).toMatchObject({
      body: [{ metadata: { name: 'renamed', modifiedBy: alice }, spec: { clientID: 'other' } }],
    });
    expect(await call('DELETE', `${collection}/${id}`)).toEqual({ status: 200, body: undefined });
    expect((await call('DELETE', `${collection}/${id}`)).status).toBe(404);
  });

  it('are read alone, and are not changed over another version', async () => {
    const path = `/organizations/${organizationId}/oauth2providers/${await create()}`;
    expect(await call('GET', path)).toMatchObject({ status: 200, body: { spec: { clientID: 'unikorn' } } });
    const { headers } = await login.server.inject({
      url: `/identity/api/v1${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const change = (clientID: string) =>
      call('PUT', path, written({ clientID }), token, { 'if-match': String(headers.etag) });
    expect((await change('mine')).status).toBe(200);
    expect((await change('theirs')).status).toBe(412);
    expect(await call('GET', path)).toMatchObject({ body: { spec: { clientID: 'mine' } } });
  });

  it('never show their secret, and a change without a secret keeps it', async () => {
    const id = await create();
    const before = (await login.store.get(OAuth2Provider, id))?.spec.sealedClientSecret;
    await call('PUT', `/organizations/${organizationId}/oauth2providers/${id}`, written({ clientSecret: undefined }));
    expect((await login.store.get(OAuth2Provider, id))?.spec.sealedClientSecret).toBe(before);
    await call(
      'PUT',
      `/organizations/${organizationId}/oauth2providers/${id}`,
      written({ clientSecret: 'new-secret' }),
    );
    expect((await login.store.get(OAuth2Provider, id))?.spec.sealedClientSecret).not.toBe(before);
    const read = JSON.stringify([
      await call('GET', `/organizations/${organizationId}/oauth2providers`),
      await call('GET', '/oauth2providers'),
      (await login.store.list(OAuth2Provider)).items,
      login.lines,
    ]);
    expect(read).not.toMatch(/clientSecret":|acme-secret|new-secret|global-secret/);
  });

  it.each([
    'http://login.acme.com',
    'https://login.acme.com/?x=1',
    'javascript:alert(1)',
    'not a url',
    'http://169.254.169.254/',
  ])('cannot be at %s', async (issuer) => {
    expect(await call('POST', `/organizations/${organizationId}/oauth2providers`, written({ issuer }))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('are not accessible for others, whether or not they exist', async () => {
    const id = await create();
    const foreign = await login.found.organization();
    expect((await call('GET', `/organizations/${foreign}/oauth2providers`)).status).toBe(403);
    expect((await call('PUT', `/organizations/${foreign}/oauth2providers/${id}`, written())).status).toBe(403);
    expect(
      (await call('POST', '/organizations/f0000000-0000-4000-8000-000000000000/oauth2providers', written())).status,
    ).toBe(403);
    expect((await call('DELETE', `/organizations/${organizationId}/oauth2providers/not-a-uuid`)).status).toBe(400);
    expect((await call('GET', `/organizations/${organizationId}/oauth2providers`, undefined, 'garbage')).status).toBe(
      401,
    );
  });
});

describe('the login providers of the platform', () => {
  it('are listed for every caller with a token, without those of organizations', async () => {
    await create();
    expect(await call('GET', '/oauth2providers')).toMatchObject({
      status: 200,
      body: [
        {
          metadata: { name: 'Google' },
          spec: { type: 'google', issuer: 'https://accounts.google.com', clientID: 'global' },
        },
      ],
    });
  });

  it('cannot be changed through an organization', async () => {
    const [{ metadata }] = (await call('GET', '/oauth2providers')).body as [{ metadata: { id: string } }];
    expect(
      (await call('PUT', `/organizations/${organizationId}/oauth2providers/${metadata.id}`, written())).status,
    ).toBe(404);
  });
});
