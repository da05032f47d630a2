import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Client } from '../../kinds/index.ts';
import { startIdentity, type Call, type Method, type RunningIdentity } from '../../testing/index.ts';

const root = 'root@example.com';
const token = `user:${root}`;
const reader = 'reader@example.com';
const callback = 'https://app.example.com/callback';
const path = '/api/v1/oauth2clients';

let identity: RunningIdentity;

beforeEach(async () => {
  identity = await startIdentity({
    configuration: { globalBindings: { [root]: ['platform-administrator'], [reader]: ['platform-reader'] } },
  });
  for (const subject of [root, reader]) await identity.found.user(subject);
  await identity.world.settle();
});

afterEach(() => identity.stop());

interface Client {
  readonly metadata: { readonly id: string; readonly name: string };
  readonly spec: { readonly type: string; readonly redirectUris: readonly string[]; readonly loginUri?: string };
  readonly status: { readonly secret?: string };
}

async function call(method: Method, url: string, options: Call) {
  const { status, body } = await identity.call(method, url, options);
  return { status, body: body as Client };
}

async function register(spec: object = { redirectUris: [callback] }, name = 'console'): Promise<Client> {
  const { status, body } = await call('POST', path, { token, body: { metadata: { name }, spec } });
  expect(status).toBe(201);
  return body;
}

/** The response to the start of a login to the application. */
function begin(clientId: string, redirectUri = callback) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  return identity.server.inject(`/identity/oauth2/v2/authorization?${query.toString()}`);
}

function redeem(clientId: string, secret: string) {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'unknown',
    client_id: clientId,
    client_secret: secret,
    redirect_uri: callback,
  });
  return identity.server.inject({
    method: 'POST',
    url: '/identity/oauth2/v2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  });
}

describe('an application that is registered', () => {
  it('can be used for logins immediately, and not after its deletion', async () => {
    const { metadata } = await register();
    expect((await begin(metadata.id)).statusCode).toBe(303);
    expect((await begin(metadata.id, `${callback}/`)).statusCode).toBe(400);
    expect((await call('DELETE', `${path}/${metadata.id}`, { token })).status).toBe(200);
    expect((await begin(metadata.id)).statusCode).toBe(400);
  });

  it('can change its redirect address with immediate effect', async () => {
    const { metadata } = await register();
    const elsewhere = 'https://new.example.com/callback';
    const changed = await call('PUT', `${path}/${metadata.id}`, {
      token,
      body: { metadata: { name: 'renamed' }, spec: { redirectUris: [elsewhere] } },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { metadata: { name: 'renamed' }, spec: { type: 'confidential', redirectUris: [elsewhere] } },
    });
    expect([(await begin(metadata.id)).statusCode, (await begin(metadata.id, elsewhere)).statusCode]).toEqual([
      400, 303,
    ]);
  });

  it('gets a secret that is shown once, stored as a digest, and replaced with immediate effect', async () => {
    const { metadata, status } = await register();
    const secret = status.secret ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify((await identity.store.list(OAuth2Client)).items)).not.toContain(secret);
    expect(await call('GET', `${path}/${metadata.id}`, { token })).toMatchObject({ status: 200, body: { status: {} } });
    expect(JSON.stringify((await call('GET', path, { token })).body)).not.toContain(secret);
    // With the right secret the error is about the code; with a wrong one it is about the secret.
    expect([
      (await redeem(metadata.id, secret)).json<{ error: string }>().error,
      (await redeem(metadata.id, 'wrong')).json<{ error: string }>().error,
    ]).toEqual(['invalid_grant', 'invalid_client']);
    const rotated = await call('POST', `${path}/${metadata.id}/rotate`, { token });
    expect(rotated.status).toBe(200);
    expect([
      (await redeem(metadata.id, secret)).json<{ error: string }>().error,
      (await redeem(metadata.id, rotated.body.status.secret ?? '')).json<{ error: string }>().error,
    ]).toEqual(['invalid_client', 'invalid_grant']);
  });

  it.each(['public', 'native'])('that is %s has no secret to show or replace', async (type) => {
    const { metadata, spec, status } = await register({ type, redirectUris: ['http://127.0.0.1/callback'] });
    expect([spec.type, status.secret]).toEqual([type, undefined]);
    expect(await call('POST', `${path}/${metadata.id}/rotate`, { token })).toMatchObject({
      status: 400,
      body: { error_description: `the application is ${type} and has no secret` },
    });
    expect((await begin(metadata.id, 'http://127.0.0.1:50123/callback')).statusCode).toBe(
      type === 'native' ? 303 : 400,
    );
  });

  it('keeps the type that it was registered with', async () => {
    const { metadata } = await register();
    expect(
      await call('PUT', `${path}/${metadata.id}`, {
        token,
        body: { metadata: { name: 'x' }, spec: { type: 'public', redirectUris: [callback] } },
      }),
    ).toMatchObject({ status: 400 });
  });

  it.each([
    [
      'a redirect over plain http',
      { redirectUris: ['http://app.example.com/callback'] },
      'body.spec.redirectUris.0: must begin with https://',
    ],
    [
      'a redirect with a fragment',
      { redirectUris: [callback, `${callback}#x`] },
      'body.spec.redirectUris.1: must not have a fragment',
    ],
    ['a redirect that is no URL', { redirectUris: ['app'] }, 'body.spec.redirectUris.0: must be an absolute URL'],
    [
      'a redirect to a script',
      { redirectUris: ['javascript:alert(1)'] },
      'body.spec.redirectUris.0: must begin with https://',
    ],
    [
      'a redirect with a password',
      { redirectUris: ['https://u:p@app.example.com/'] },
      'body.spec.redirectUris.0: must not contain a user name or password',
    ],
    [
      'an unsafe login page',
      { redirectUris: [callback], loginUri: 'http://app.example.com/login' },
      'body.spec.loginUri: must begin with https://',
    ],
    [
      'an unsafe page after logging out',
      { redirectUris: [callback], postLogoutRedirectUris: ['ftp://x'] },
      'body.spec.postLogoutRedirectUris.0: must begin with https://',
    ],
    [
      'a native program elsewhere',
      { type: 'native', redirectUris: [callback] },
      'body.spec.redirectUris.0: a native application must use a loopback address',
    ],
  ])('may not have %s', async (_what, spec, message) => {
    expect(await call('POST', path, { token, body: { metadata: { name: 'x' }, spec } })).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining(message) as string },
    });
  });

  it.each([
    ['no redirect', []],
    ['too many redirects', Array.from({ length: 21 }, (_, i) => `${callback}/${i}`)],
    ['a redirect that is too long', [`${callback}/${'x'.repeat(1024)}`]],
  ])('with %s is refused', async (_what, redirectUris) => {
    expect(
      (await call('POST', path, { token, body: { metadata: { name: 'x' }, spec: { redirectUris } } })).status,
    ).toBe(400);
  });

  it('is refused at the limit of applications', async () => {
    for (let i = 0; i < 256; i++)
      await identity.store.create(OAuth2Client, {
        metadata: { name: `client-${i}` },
        spec: { redirectUris: [callback] },
      });
    expect(
      await call('POST', path, { token, body: { metadata: { name: 'x' }, spec: { redirectUris: [callback] } } }),
    ).toMatchObject({
      status: 403,
      body: { error_description: expect.stringContaining('limit of 256 applications') as string },
    });
  });

  it('belongs to the platform: only platform readers see it', async () => {
    const { metadata } = await register();
    const readers = `user:${reader}`;
    expect((await call('GET', `${path}/${metadata.id}`, { token: readers })).status).toBe(200);
    expect((await call('DELETE', `${path}/${metadata.id}`, { token: readers })).status).toBe(403);
    const organizationId = await identity.found.organization();
    const robot = await identity.found.robot(organizationId, ['administrator']);
    await identity.world.settle();
    for (const [method, url] of [
      ['GET', path],
      ['GET', `${path}/${metadata.id}`],
      ['DELETE', `${path}/${metadata.id}`],
    ] as const)
      expect((await call(method, url, { token: robot.token })).status).toBe(403);
  });
});
