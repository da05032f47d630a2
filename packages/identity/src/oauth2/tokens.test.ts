import { createHash } from 'node:crypto';

import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Artifact, OAuth2Client } from '../kinds/oauth2.ts';
import {
  alice,
  authorizationUrl,
  codeOf,
  consoleClient,
  issuer,
  logIn,
  password,
  startLogin,
  tokensOf,
  verifier,
  type RunningLogin,
} from './oauth2.fixture.ts';

let login: RunningLogin;

beforeEach(async () => {
  login = await startLogin();
});

afterEach(() => login.stop());

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('a code', () => {
  it('is redeemed by exactly one of many concurrent requests', async () => {
    const code = codeOf(await logIn(login.browser()));
    const answers = await Promise.all(Array.from({ length: 8 }, () => login.clerk.redeem(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status !== 200).every(({ body }) => body.error === 'invalid_grant')).toBe(
      true,
    );
  });

  it('that is used again revokes its tokens', async () => {
    const code = codeOf(await logIn(login.browser()));
    const { body } = await login.clerk.redeem(code);
    expect(await login.clerk.redeem(code)).toMatchObject(invalidGrant);
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    expect(await login.clerk.refresh(body.refresh_token)).toMatchObject(invalidGrant);
  });

  it('expires after a minute', async () => {
    const code = codeOf(await logIn(login.browser()));
    await login.world.advance(61_000);
    expect(await login.clerk.redeem(code)).toMatchObject(invalidGrant);
  });

  it.each([
    ['another verifier', { code_verifier: `${verifier}x` }, 400, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'https://evil.example.com' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    [
      "the digest of the secret in the secret's place",
      { client_secret: 'f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b' },
      401,
      'invalid_client',
    ],
    ['another client', { client_id: 'cli', client_secret: '' }, 400, 'invalid_grant'],
    ['an unknown client', { client_id: 'stranger' }, 401, 'invalid_client'],
    ['a tampered code', { code: 'AAAA' }, 400, 'invalid_grant'],
  ])('with %s is refused in the form of the contract', async (_what, changes, status, error) => {
    const code = codeOf(await logIn(login.browser()));
    const answer = await login.clerk.redeem(code, changes);
    expect(answer).toMatchObject({ status, body: { error } });
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('is redeemed with the secret in a header too', async () => {
    const code = codeOf(await logIn(login.browser()));
    const authorization = `Basic ${Buffer.from(`${consoleClient.id}:${consoleClient.secret}`).toString('base64')}`;
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: consoleClient.redirectUris[0],
      code_verifier: verifier,
    };
    expect((await login.clerk.post('/oauth2/v2/token', form, { authorization })).status).toBe(200);
  });
});

describe('a refresh token', () => {
  it('can be used once, and gives new tokens and an ID token', async () => {
    const first = await tokensOf(login);
    const second = await login.clerk.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(second.body.id_token).toEqual(expect.any(String));
    const third = await login.clerk.refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
    expect((await login.clerk.userinfo(third.body.access_token)).status).toBe(200);
  });

  it('that is used again revokes the whole login', async () => {
    const first = await tokensOf(login);
    const second = (await login.clerk.refresh(first.refresh_token)).body;
    expect(await login.clerk.refresh(first.refresh_token)).toMatchObject(invalidGrant);
    expect(await login.clerk.refresh(second.refresh_token)).toMatchObject(invalidGrant);
    expect((await login.clerk.userinfo(second.access_token)).status).toBe(401);
    expect((await login.clerk.userinfo(first.access_token)).status).toBe(401);
  });

  it('used concurrently gives at most one pair, which is revoked too', async () => {
    const first = await tokensOf(login);
    const answers = await Promise.all(Array.from({ length: 6 }, () => login.clerk.refresh(first.refresh_token)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const { body } of winners) expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
  });

  it('of another login is not affected', async () => {
    const [mine, other] = [await tokensOf(login), await tokensOf(login)];
    await login.clerk.refresh(mine.refresh_token);
    await login.clerk.refresh(mine.refresh_token);
    expect((await login.clerk.refresh(other.refresh_token)).status).toBe(200);
  });

  it('is valid for its own client only, and expires after two weeks', async () => {
    const { refresh_token: token } = await tokensOf(login);
    expect(
      await login.clerk.token({ grant_type: 'refresh_token', refresh_token: token, client_id: 'cli' }),
    ).toMatchObject(invalidGrant);
    await login.world.advance(14 * 24 * 3600_000);
    expect(await login.clerk.refresh(token)).toMatchObject(invalidGrant);
  });
});

describe('an access token', () => {
  it('has a holder and an expiry', async () => {
    const organizationId = await login.found.organization();
    await login.found.user(alice, organizationId);
    await login.world.settle();
    const { access_token: token } = await tokensOf(login);
    expect(await login.oauth2.tokenVerifier.verify(token)).toMatchObject({
      subject: alice,
      accountType: 'user',
      organizationIds: [organizationId],
      expiresAt: login.world.now() + 3600_000,
    });
  });

  it('ends after an hour', async () => {
    const { access_token: token } = await tokensOf(login);
    await login.world.advance(3600_000);
    expect(await login.oauth2.tokenVerifier.verify(token)).toBeUndefined();
  });

  it('cannot be used as another kind of token', async () => {
    const { refresh_token: refresh, id_token: id } = await tokensOf(login);
    for (const token of [refresh, id, '', 'AAAA', '☃', 'x'.repeat(10_000)])
      expect(await login.oauth2.tokenVerifier.verify(token)).toBeUndefined();
  });

  it('is valid in every process, and revoked in every process', async () => {
    const { access_token: token } = await tokensOf(login);
    const other = login.create();
    expect(await other.tokenVerifier.verify(token)).toMatchObject({ subject: alice });
    const revoked = await login.clerk.post('/oauth2/v2/revocation', {
      token,
      client_id: consoleClient.id,
      client_secret: consoleClient.secret,
    });
    expect(revoked.status).toBe(200);
    expect(await other.tokenVerifier.verify(token)).toBeUndefined();
  });

  it('cannot be revoked by another client', async () => {
    const { access_token: token } = await tokensOf(login);
    await login.clerk.post('/oauth2/v2/revocation', { token, client_id: 'cli' });
    expect(await login.oauth2.tokenVerifier.verify(token)).toMatchObject({ subject: alice });
  });
});

describe('a stored application', () => {
  it('works like one of the configuration, from its creation to its deletion', async () => {
    const redirectUri = 'https://stored.example.com/back';
    const url = authorizationUrl({ client_id: 'stored', redirect_uri: redirectUri });
    const secretDigest = createHash('sha256').update('stored-secret').digest('hex');
    expect((await login.browser().get(url)).status).toBe(400);
    await login.store.create(OAuth2Client, {
      metadata: { name: 'stored' },
      spec: { redirectUris: [redirectUri], secretDigest },
    });
    const code = codeOf(await logIn(login.browser(), alice, password, url));
    const changes = { client_id: 'stored', client_secret: 'stored-secret', redirect_uri: redirectUri };
    const { status, body } = await login.clerk.redeem(code, changes);
    expect(status).toBe(200);
    await login.store.delete(OAuth2Client, 'stored');
    expect(await login.clerk.refresh(body.refresh_token, changes)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });
});

describe('the token endpoint', () => {
  it.each([
    ['nothing', '', 'invalid_request'],
    [
      'a grant we do not have',
      `grant_type=password&client_id=console&client_secret=console-secret`,
      'unsupported_grant_type',
    ],
    [
      'a repeated grant',
      `grant_type=refresh_token&grant_type=refresh_token&client_id=console&client_secret=console-secret`,
      'invalid_request',
    ],
    [
      'a repeated code',
      `grant_type=authorization_code&code=a&code=b&redirect_uri=x&client_id=console&client_secret=console-secret`,
      'invalid_request',
    ],
    ['a huge form', `grant_type=refresh_token&refresh_token=${'x'.repeat(100_000)}`, 'invalid_request'],
  ])('given %s returns an error with the reason', async (_what, form, error) => {
    const answer = await login.clerk.post('/oauth2/v2/token', form);
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(typeof answer.body.error_description).toBe('string');
  });

  it('accepts only forms', async () => {
    expect(await login.clerk.post('/oauth2/v2/token', '{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('can be called from a browser at another origin, and not with GET', async () => {
    const preflight = await login.server.inject({
      method: 'OPTIONS',
      url: '/identity/oauth2/v2/token',
      headers: { origin: 'https://console.example.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight).toMatchObject({ statusCode: 204, headers: { 'access-control-allow-origin': '*' } });
    expect((await login.clerk.post('/oauth2/v2/token', '')).headers['access-control-allow-origin']).toBe('*');
    expect((await login.server.inject('/identity/oauth2/v2/token')).statusCode).toBe(405);
  });
});

describe('keys', () => {
  const verifies = async (token: string) => {
    const jwks = (await login.server.inject('/identity/oauth2/v2/jwks')).json<JSONWebKeySet>();
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    return jwtVerify(token, createLocalJWKSet(jwks), { issuer });
  };

  it('rotate without ending logins', async () => {
    const before = await tokensOf(login);
    const { protectedHeader: old } = await verifies(before.id_token);
    await login.world.advance(90 * 24 * 3600_000 + 1800_000);
    const announced = await tokensOf(login);
    expect((await verifies(announced.id_token)).protectedHeader.kid).toBe(old.kid);
    await login.world.advance(3600_000);
    const refreshed = (await login.clerk.refresh(announced.refresh_token)).body;
    expect((await verifies(refreshed.id_token)).protectedHeader.kid).not.toBe(old.kid);
    await verifies(announced.id_token);
    expect((await login.clerk.userinfo(refreshed.access_token)).status).toBe(200);
  });
});

describe('what has expired', () => {
  it('is removed', async () => {
    await tokensOf(login);
    await login.browser().get(authorizationUrl());
    expect((await login.store.list(OAuth2Artifact)).items.length).toBeGreaterThan(4);
    await login.world.advance(15 * 24 * 3600_000);
    expect((await login.store.list(OAuth2Artifact)).items).toHaveLength(0);
  });
});

describe('the first administrator', () => {
  it('gets a password once, which logs them in', async () => {
    const generated = await login.oauth2.bootstrapAdministrator({ subject: 'Admin@Example.com' });
    expect(generated).toMatch(/^[\w-]{24}$/);
    expect(await login.oauth2.bootstrapAdministrator({ subject: 'admin@example.com' })).toBeUndefined();
    expect((await logIn(login.browser(), 'admin@example.com', generated)).location).toContain('code=');
  });

  it('may have a chosen password, if it is long enough', async () => {
    await expect(
      login.oauth2.bootstrapAdministrator({ subject: 'admin@example.com', password: 'short' }),
    ).rejects.toThrow('12 to 256');
    expect(await login.oauth2.bootstrapAdministrator({ subject: 'admin@example.com', password })).toBe(password);
  });
});
