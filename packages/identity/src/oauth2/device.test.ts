import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Artifact } from '../kinds/index.ts';
import type { Browser } from './browser.fixture.ts';
import {
  alice,
  consoleClient,
  issuer,
  nativeClient,
  password,
  startLogin,
  type RunningLogin,
} from './oauth2.fixture.ts';

let login: RunningLogin;

beforeEach(async () => {
  login = await startLogin();
});

afterEach(() => login.stop());

const page = `${issuer}/oauth2/v2/device`;
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
}

async function codes(changes: Readonly<Record<string, string>> = {}) {
  const { status, headers, body } = await login.clerk.post('/oauth2/v2/device_authorization', {
    client_id: nativeClient.id,
    scope: 'openid email profile',
    ...changes,
  });
  return { status, headers, body: body as unknown as DeviceCode & { readonly error?: string } };
}

function poll(deviceCode: string) {
  return login.clerk.token({ grant_type: deviceGrant, device_code: deviceCode, client_id: nativeClient.id });
}

/** Enters the code, and confirms the device. */
async function type(browser: Browser, userCode: string) {
  const confirmation = await browser.submitPage(await browser.get(page), { user_code: userCode });
  return { confirmation, away: await browser.submitPage(confirmation, { confirm: 'yes' }) };
}

describe('a device without a browser', () => {
  it('is logged in by a user who enters its code elsewhere', async () => {
    const { status, body } = await codes();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${body.user_code}`,
      expires_in: 600,
    });
    expect(await poll(body.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });

    const browser = login.browser();
    const { confirmation, away } = await type(browser, body.user_code.toLowerCase().replace('-', ' '));
    expect(confirmation.body).toContain(body.user_code);
    expect(confirmation.body).toContain('<strong>cli</strong>');
    expect(away.location).toContain('/oauth2/v2/login/');
    const done = await browser.follow(await browser.submit(away.location ?? '', { email: alice, password }));
    expect(done.body).toContain('The device is logged in');

    await login.world.advance(5000);
    const { body: tokens } = await poll(body.device_code);
    expect((await login.clerk.userinfo(tokens.access_token)).body['sub']).toBe(alice);
    expect(
      (await login.clerk.refresh(tokens.refresh_token, { client_id: nativeClient.id, client_secret: '' })).status,
    ).toBe(200);
  });

  it('finds the endpoint in discovery, which does not list its grant because the contract does not have it', async () => {
    const document = (await login.server.inject('/identity/.well-known/openid-configuration')).json<
      Record<string, unknown>
    >();
    expect(document['device_authorization_endpoint']).toBe(`${issuer}/oauth2/v2/device_authorization`);
  });

  it('gets nothing if the user cancels, or does not log in', async () => {
    const browser = login.browser();
    const { body } = await codes();
    const confirmation = await browser.submitPage(await browser.get(page), { user_code: body.user_code });
    expect((await browser.submitPage(confirmation, { abort: 'yes' })).body).toContain('The device was not logged in');
    expect(await poll(body.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    const { body: other } = await codes();
    await type(browser, other.user_code);
    expect(await poll(other.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    await login.world.advance(600_000);
    expect((await poll(other.device_code)).status).toBe(400);
  });

  it('gets tokens once', async () => {
    const browser = login.browser();
    const { body } = await codes();
    const { away } = await type(browser, body.user_code);
    await browser.follow(await browser.submit(away.location ?? '', { email: alice, password }));
    const { body: tokens } = await poll(body.device_code);
    await login.world.advance(5000);
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
    expect((await login.clerk.userinfo(tokens.access_token)).status).toBe(401);
  });

  it('that polls too often gets slow_down', async () => {
    const { body } = await codes();
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
    expect((await poll(body.device_code)).body.error).toBe('slow_down');
    await login.world.advance(5000);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });

  it('is a native application: others cannot use codes', async () => {
    expect((await codes({ client_id: consoleClient.id, client_secret: consoleClient.secret })).status).toBe(400);
    expect((await codes({ client_id: 'stranger' })).status).toBe(401);
    expect((await codes({ scope: 'x'.repeat(300) })).status).toBe(400);
  });
});

describe('the page for codes', () => {
  it('is like the login page: no script, nothing from other servers, no framing', async () => {
    const { headers, body } = await login.browser().get(page);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('<label for="user_code">');
    expect(body).not.toMatch(/<script|onfocus/);
  });

  it('is valid for the browser that it was sent to', async () => {
    const { body } = await codes();
    const form = await login.browser().get(page);
    for (const stranger of [
      login.browser().submitPage(form, { user_code: body.user_code }),
      login.browser().submit(page, { user_code: body.user_code, confirm: 'yes' }),
      login.browser().get(`${page}/a-login-of-somebody`),
    ]) {
      expect(await stranger).toMatchObject({ status: 303, location: '/identity/oauth2/v2/device' });
    }
    const other = login.browser();
    await other.get(page);
    expect((await other.submitPage(form, { user_code: body.user_code })).status).toBe(403);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });

  it('leaves nothing in the store', async () => {
    const browser = login.browser();
    for (let i = 0; i < 5; i++) await browser.submitPage(await browser.get(page), { user_code: 'WRNG-CODE' });
    expect((await login.store.list(OAuth2Artifact)).items).toEqual([]);
  });

  it('delays clients that guess, and not users with the right code', async () => {
    const browser = login.browser('198.51.100.1');
    for (let i = 0; i < 15; i++)
      expect(
        (await browser.submitPage(await browser.get(page), { user_code: (await codes()).body.user_code })).status,
      ).toBe(200);
    for (let i = 0; i < 10; i++)
      expect(
        (await browser.submitPage(await browser.get(page), { user_code: 'WRNG-CODE', confirm: 'yes' })).status,
      ).toBe(403);
    const refused = await browser.submitPage(await browser.get(page), { user_code: 'WRNG-CODE' });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    const elsewhere = login.browser('198.51.100.2');
    expect((await elsewhere.submitPage(await elsewhere.get(page), { user_code: 'WRNG-CODE' })).status).toBe(403);
  });

  it('reserves a code for the user who entered it first', async () => {
    const { body } = await codes();
    await type(login.browser(), body.user_code);
    const other = login.browser();
    expect((await other.submitPage(await other.get(page), { user_code: body.user_code })).body).toContain(
      'already used',
    );
  });
});

describe('codes', () => {
  it('are limited per address and in total, until they expire', async () => {
    const from = (remoteAddress: string) =>
      login.server.inject({
        method: 'POST',
        url: '/identity/oauth2/v2/device_authorization',
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `client_id=${nativeClient.id}&scope=openid`,
      });
    for (let i = 0; i < 30; i++) expect((await from('198.51.100.1')).statusCode).toBe(200);
    const refused = await from('198.51.100.1');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ error: string }>().error]).toEqual([
      429,
      '600',
      'temporarily_unavailable',
    ]);
    expect((await from('198.51.100.2')).statusCode).toBe(200);
    await login.world.advance(15 * 60_000);
    expect((await login.store.list(OAuth2Artifact)).items).toEqual([]);
    expect((await from('198.51.100.1')).statusCode).toBe(200);
  });

  it('are neither stored nor logged in plain text', async () => {
    const { body } = await codes();
    const stored = JSON.stringify((await login.store.list(OAuth2Artifact)).items);
    for (const secret of [body.device_code, body.user_code, body.user_code.replace('-', '')]) {
      expect(stored).not.toContain(secret);
      expect(login.lines.join('\n')).not.toContain(secret);
    }
  });
});
