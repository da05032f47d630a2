import { createHash } from 'node:crypto';

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { identityKinds, User, userIdOf } from '../kinds/index.ts';
import {
  alice,
  authorizationUrl,
  codeOf,
  consoleClient,
  issuer,
  logIn,
  nativeClient,
  password,
  portalClient,
  publicClient,
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

function suspend(subject: string) {
  return modify(login.store, User, userIdOf(subject), (user) => ({
    ...user,
    spec: { ...user.spec, state: 'suspended' as const },
  }));
}

async function loginPageOf(browser = login.browser(), url = authorizationUrl()) {
  const { location = '' } = await browser.get(url);
  return { browser, location, page: await browser.get(location) };
}

describe('logging in', () => {
  it('gives the web console a valid ID token, without a state', async () => {
    const back = await logIn(login.browser());
    expect(back.location).toMatch(/^https:\/\/console\.example\.com\/oauth2\/callback\?code=/);
    const { status, body } = await login.clerk.redeem(codeOf(back));
    expect(status).toBe(200);
    const jwks = (await login.server.inject('/identity/oauth2/v2/jwks')).json<JSONWebKeySet>();
    const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(jwks), { issuer, audience: consoleClient.id });
    const atHash = createHash('sha512').update(body.access_token).digest().subarray(0, 32).toString('base64url');
    expect(decodeProtectedHeader(body.id_token).alg).toBe('ES512');
    expect(payload).toMatchObject({
      sub: alice,
      email: alice,
      email_verified: true,
      nonce: 'a-nonce',
      at_hash: atHash,
    });
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  });

  it('returns the state, and accepts the request as a form too', async () => {
    const browser = login.browser();
    const form = Object.fromEntries(new URL(authorizationUrl({ state: 'opaque & <state>' })).searchParams);
    const page = await browser.submit(`${issuer}/oauth2/v2/authorization`, form);
    const back = await browser.follow(await browser.submit(page.location ?? '', { email: alice, password }));
    expect(new URL(back.location ?? '').searchParams.get('state')).toBe('opaque & <state>');
  });

  it('records the last activity of the user', async () => {
    await logIn(login.browser());
    expect((await login.store.get(User, userIdOf(alice)))?.status?.lastActive).toBe('2026-01-01T00:00:00Z');
  });

  it('accepts an address in any spelling', async () => {
    expect((await logIn(login.browser(), ' Alice@EXAMPLE.com ')).location).toContain('code=');
  });

  it('shows the login page, also in a browser with a session', async () => {
    const browser = login.browser();
    await logIn(browser);
    expect((await browser.get(authorizationUrl())).location).toContain('/oauth2/v2/login/');
  });

  it('lets another user log in with the same browser, which ends the previous session', async () => {
    await login.found.user('bob@example.com');
    await login.oauth2.setPassword('bob@example.com', password);
    const browser = login.browser();
    const { body: ofAlice } = await login.clerk.redeem(codeOf(await logIn(browser)));
    const goodbye = await logIn(browser, 'bob@example.com');
    const back = await browser.follow(await browser.submitPage(goodbye));
    const { body: ofBob } = await login.clerk.redeem(codeOf(back));
    expect((await login.clerk.userinfo(ofBob.access_token)).body['sub']).toBe('bob@example.com');
    expect((await login.clerk.userinfo(ofAlice.access_token)).status).toBe(401);
    const silent = await login.clerk.redeem(codeOf(await browser.get(authorizationUrl({ prompt: 'none' }))));
    expect((await login.clerk.userinfo(silent.body.access_token)).body['sub']).toBe('bob@example.com');
  });

  it('is silent for a browser with a session if the application requests it, and shows the page on request', async () => {
    const browser = login.browser();
    await logIn(browser);
    expect((await browser.get(authorizationUrl({ prompt: 'none' }))).location).toContain('code=');
    expect((await browser.get(authorizationUrl({ max_age: '3600' }))).location).toContain('code=');
    expect((await browser.get(authorizationUrl({ prompt: 'login' }))).location).toContain('/oauth2/v2/login/');
    expect((await login.browser().get(authorizationUrl({ prompt: 'none' }))).location).toContain(
      'error=login_required',
    );
  });

  it('lets two tabs of one browser log in side by side', async () => {
    const browser = login.browser();
    const [first, second] = [
      await browser.get(authorizationUrl({ state: 'first' })),
      await browser.get(authorizationUrl({ state: 'second' })),
    ];
    for (const [page, state] of [
      [first, 'first'],
      [second, 'second'],
    ] as const) {
      const back = await browser.follow(await browser.submit(page.location ?? '', { email: alice, password }));
      expect(new URL(back.location ?? '').searchParams.get('state')).toBe(state);
    }
  });
});

describe('the login page', () => {
  it('loads nothing from other servers, runs no script and cannot be framed', async () => {
    const { page } = await loginPageOf();
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/console\.example\.com; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.body).not.toMatch(/<script|src=|@import|https?:\/\//);
    expect(page.body).toMatch(/<label for="email">[\s\S]*<label for="password">/);
  });

  it('shows external text only as text', async () => {
    const { page } = await loginPageOf(
      login.browser(),
      authorizationUrl({ login_hint: '"><script>alert(1)</script>' }),
    );
    expect(page.body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it('shows the same message for a wrong password, an unknown address, a suspended user and invalid input', async () => {
    await login.found.user('bob@example.com');
    await login.oauth2.setPassword('bob@example.com', password);
    await suspend('bob@example.com');
    for (const [email, typed] of [
      [alice, 'wrong'],
      ['nobody@example.com', password],
      ['bob@example.com', password],
      ['', ''],
      ['\u{1F984}@☃', '\u0000'],
      [alice, 'x'.repeat(3000)],
    ] as const) {
      const { browser, location } = await loginPageOf();
      const answer = await browser.submit(location, { email, password: typed });
      expect(answer.status).toBe(403);
      expect(answer.body).toContain('<p role="alert" id="problem">the email address or the password is wrong</p>');
      expect(answer.location).toBeUndefined();
    }
  });

  it('treats a form that is too large as empty', async () => {
    const { browser, location } = await loginPageOf();
    expect((await browser.submit(location, { email: alice, password, padding: 'x'.repeat(100_000) })).status).toBe(403);
  });

  it('belongs to the browser that began the login', async () => {
    const { location } = await loginPageOf();
    const other = login.browser();
    expect((await other.get(location)).status).toBe(400);
    const answer = await other.submit(location, { email: alice, password });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('go back to the application');
  });

  it('cannot be used with the cookie of another login, or with one that was changed', async () => {
    const browser = login.browser();
    const first = await browser.get(authorizationUrl());
    const second = await browser.get(authorizationUrl());
    const path = new URL(first.location ?? '', issuer).pathname;
    const ofSecond = browser.cookies
      .filter((cookie) => second.location?.endsWith(cookie.path))
      .map((cookie) => ({ ...cookie, path }));
    const forged = browser.cookies
      .filter((cookie) => cookie.path === path)
      .map((cookie) => ({ ...cookie, value: cookie.name.endsWith('.sig') ? 'AAAA' : cookie.value }));
    for (const cookies of [ofSecond, forged]) {
      expect(cookies.map(({ name }) => name).sort()).toEqual(['_interaction', '_interaction.sig', '_login']);
      const other = login.browser();
      other.cookies.push(...cookies);
      expect((await other.get(first.location ?? '')).status).toBe(400);
    }
  });

  it('expires', async () => {
    const { browser, location } = await loginPageOf();
    await login.world.advance(10 * 60_000 + 1000);
    expect((await browser.submit(location, { email: alice, password })).status).toBe(400);
  });

  it('is reached from another page that posts its state', async () => {
    const { browser, location } = await loginPageOf();
    const state = location.split('/').at(-1) ?? '';
    const chosen = await browser.submit(`${issuer}/oauth2/v2/login`, { state, email: 'carol@example.com', evil: 'x' });
    expect(chosen).toMatchObject({
      status: 302,
      location: `/identity/oauth2/v2/login/${state}?email=carol%40example.com`,
    });
    expect((await browser.get(chosen.location ?? '')).body).toContain('value="carol@example.com"');
    expect((await browser.submit(`${issuer}/oauth2/v2/login`, { state: '../../../evil?x=' })).location).toBe(
      '/identity/oauth2/v2/login/..%2F..%2F..%2Fevil%3Fx%3D?password=1',
    );
  });
});

describe('an application with its own login page', () => {
  const url = () => authorizationUrl({ client_id: portalClient.id, redirect_uri: portalClient.redirectUris[0] });

  it('gets the login, the address for the choice, and the providers', async () => {
    const browser = login.browser();
    const away = await browser.follow(await browser.get(url()));
    const page = new URL(away.location ?? '');
    expect(page.origin + page.pathname).toBe('https://portal.example.com/login');
    expect(Object.fromEntries(page.searchParams)).toEqual({
      theme: 'dark',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      callback: `${issuer}/oauth2/v2/login`,
      providers: '',
    });
  });

  it.each([
    ['a mail address', { email: alice }],
    ['nothing', {}],
  ])(
    'posts %s, and the password is entered on the platform’s page',
    async (_what, choice: Readonly<Record<string, string>>) => {
      const browser = login.browser();
      const away = await browser.follow(await browser.get(url()));
      const { state = '', callback = '' } = Object.fromEntries(new URL(away.location ?? '').searchParams);
      const chosen = await browser.submit(callback, { state, ...choice });
      const page = await browser.get(chosen.location ?? '');
      expect(page.body).toContain(`value="${choice['email'] ?? ''}"`);
      const back = await browser.follow(await browser.submit(chosen.location ?? '', { email: alice, password }));
      expect(back.location).toMatch(/^https:\/\/portal\.example\.com\/callback\?code=/);
    },
  );
});

describe('cookies', () => {
  it('are not accessible for scripts and other sites, and limited to the service', async () => {
    const browser = login.browser();
    await logIn(browser);
    expect(browser.setCookies.length).toBeGreaterThan(4);
    for (const cookie of browser.setCookies) {
      expect(cookie).toMatch(/; path=\/identity/);
      expect(cookie.toLowerCase()).toMatch(/samesite=lax.*httponly/);
      expect(cookie.toLowerCase()).not.toContain('secure');
    }
  });

  it('are sent over https only, if the configured address is https', async () => {
    const secure = await startLogin({ issuer: 'https://cloud.example.com/identity' });
    const response = await secure.server.inject({
      url: new URL(authorizationUrl()).pathname + new URL(authorizationUrl()).search,
      headers: { host: 'evil.example.com', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example.com' },
    });
    expect([response.headers['set-cookie']].flat().every((cookie) => cookie?.toLowerCase().includes('; secure'))).toBe(
      true,
    );
    expect((await secure.server.inject('/identity/.well-known/openid-configuration')).json()).toMatchObject({
      issuer: 'https://cloud.example.com/identity',
      token_endpoint: 'https://cloud.example.com/identity/oauth2/v2/token',
    });
    await secure.stop();
  });
});

describe('a client that keeps guessing', () => {
  async function attempt(email: string, typed: string, address?: string) {
    const { browser, location } = await loginPageOf(login.browser(address));
    return browser.submit(location, { email, password: typed });
  }

  it('must wait longer and longer for one account, even with the right password', async () => {
    for (let i = 0; i < 5; i++) expect((await attempt(alice, 'wrong', `198.51.100.${i}`)).status).toBe(403);
    const refused = await attempt(alice, password, '198.51.100.9');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(refused.body).toContain('try again in 1 second<');
    await login.world.advance(1000);
    expect((await attempt(alice, 'wrong')).status).toBe(403);
    expect((await attempt(alice, password)).headers['retry-after']).toBe('2');
    await login.world.advance(2000);
    expect((await attempt(alice, password)).status).toBe(303);
    expect((await attempt(alice, 'wrong')).status).toBe(403);
  });

  it('must wait equally for an account that does not exist', async () => {
    for (let i = 0; i < 5; i++) await attempt('nobody@example.com', 'wrong', `198.51.100.${i}`);
    expect((await attempt('nobody@example.com', 'wrong')).status).toBe(429);
  });

  it('must wait for one address, which does not affect the account at other addresses', async () => {
    for (let i = 0; i < 20; i++) await attempt(`user${i}@example.com`, 'wrong', '203.0.113.5');
    expect((await attempt(alice, password, '203.0.113.5')).status).toBe(429);
    expect((await attempt(alice, password, '203.0.113.6')).status).toBe(303);
  });

  it('does not lock out other users behind the same proxy', async () => {
    for (let i = 0; i < 25; i++) expect((await attempt(alice, password, '203.0.113.7')).status).toBe(303);
  });

  it('gains nothing by concurrent attempts', async () => {
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, i) => loginPageOf(login.browser(`198.51.100.${i}`))),
    );
    const answers = await Promise.all(
      pages.map(({ browser, location }) => browser.submit(location, { email: alice, password: 'wrong' })),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });
});

describe('an application', () => {
  it.each([
    ['is unknown', { client_id: 'stranger' }],
    ['uses another redirect address', { redirect_uri: 'https://console.example.com/oauth2/callback/' }],
    ['uses a redirect address with an addition', { redirect_uri: 'https://console.example.com/oauth2/callback?x=1' }],
  ])('that %s gets a page and no redirect', async (_what, changes) => {
    const answer = await login.browser().get(authorizationUrl(changes));
    expect(answer).toMatchObject({ status: 400, location: undefined });
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).not.toContain('evil');
  });

  it.each([
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a token instead of a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a remote request object', { request_uri: 'https://evil.example.com' }, 'request_uri_not_supported'],
    ['to register itself', { registration: '{}' }, 'registration_not_supported'],
  ])('that requests %s gets an error', async (_what, changes, error) => {
    const answer = await login.browser().get(authorizationUrl(changes));
    expect(answer.location).toContain(`error=${error}`);
  });

  it('that is public must use PKCE', async () => {
    const request = { client_id: publicClient.id, redirect_uri: publicClient.redirectUris[0] };
    expect(
      (
        await login
          .browser()
          .get(authorizationUrl({ ...request, code_challenge: undefined, code_challenge_method: undefined }))
      ).location,
    ).toContain('error=invalid_request');
    const code = codeOf(await logIn(login.browser(), alice, password, authorizationUrl(request)));
    expect(
      (
        await login.clerk.token({
          grant_type: 'authorization_code',
          code,
          client_id: publicClient.id,
          redirect_uri: publicClient.redirectUris[0],
        })
      ).body.error,
    ).toBe('invalid_grant');
    expect(
      (
        await login.clerk.token({
          grant_type: 'authorization_code',
          code,
          client_id: publicClient.id,
          redirect_uri: publicClient.redirectUris[0],
          code_verifier: verifier,
        })
      ).status,
    ).toBe(200);
  });

  it('that is a native program may listen on any port of the user’s machine, and nowhere else', async () => {
    const at = (redirectUri: string, clientId: string = nativeClient.id) =>
      login.browser().get(authorizationUrl({ client_id: clientId, redirect_uri: redirectUri }));
    expect((await at('http://127.0.0.1:50123/callback')).location).toContain('/oauth2/v2/login/');
    for (const elsewhere of [
      'http://127.0.0.1:50123/other',
      'http://192.0.2.1:50123/callback',
      'https://127.0.0.1:50123/callback',
    ])
      expect((await at(elsewhere)).status).toBe(400);
    expect((await at('http://127.0.0.1:50123/callback', publicClient.id)).status).toBe(400);
  });

  it('that is a native program can get its code by hand, which takes minutes', async () => {
    const request = { client_id: nativeClient.id, redirect_uri: nativeClient.redirectUris[0] };
    const redeemed = async (url: string, form: Readonly<Record<string, string>>) => {
      const code = codeOf(
        await logIn(login.browser(), alice, password, authorizationUrl(Object.fromEntries(new URL(url).searchParams))),
      );
      await login.world.advance(4 * 60_000);
      return (await login.clerk.token({ grant_type: 'authorization_code', code, code_verifier: verifier, ...form }))
        .status;
    };
    expect(await redeemed(authorizationUrl(request), request)).toBe(200);
    expect(
      await redeemed(authorizationUrl(), {
        client_id: consoleClient.id,
        client_secret: consoleClient.secret,
        redirect_uri: consoleClient.redirectUris[0],
      }),
    ).toBe(400);
  });

  it('that repeats a parameter is refused', async () => {
    expect((await login.browser().get(`${authorizationUrl()}&nonce=other`)).location).toContain(
      'error=invalid_request',
    );
    expect((await login.browser().get(`${authorizationUrl()}&client_id=other`)).status).toBe(400);
  });
});

describe('logging out', () => {
  it('asks first, then ends the session and all its tokens', async () => {
    const browser = login.browser();
    const { body } = await login.clerk.redeem(codeOf(await logIn(browser)));
    const page = await browser.get(`${issuer}/oauth2/v2/logout?id_token_hint=${body.id_token}`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(200);
    expect(
      (await browser.submit(`${issuer}/oauth2/v2/logout/confirm`, { xsrf: 'guessed', logout: 'yes' })).status,
    ).toBe(400);
    const done = await browser.follow(
      await browser.submit(`${issuer}/oauth2/v2/logout/confirm`, { xsrf, logout: 'yes' }),
    );
    expect(done.body).toContain('You are logged out');
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    expect((await login.clerk.refresh(body.refresh_token)).status).toBe(400);
    expect((await browser.get(authorizationUrl({ prompt: 'none' }))).location).toContain('error=login_required');
  });

  const bye = consoleClient.postLogoutRedirectUris[0];

  it('can be started by applications, with an address or a form, and returns to them', async () => {
    const discovery = (await login.server.inject('/identity/.well-known/openid-configuration')).json<{
      end_session_endpoint: string;
    }>();
    expect(discovery.end_session_endpoint).toBe(`${issuer}/oauth2/v2/logout`);
    for (const method of ['GET', 'POST']) {
      const browser = login.browser();
      const { body } = await login.clerk.redeem(codeOf(await logIn(browser)));
      const asked = { id_token_hint: body.id_token, post_logout_redirect_uri: bye, state: 'a state' };
      const page = await browser.follow(
        method === 'GET'
          ? await browser.get(`${discovery.end_session_endpoint}?${new URLSearchParams(asked).toString()}`)
          : await browser.submit(discovery.end_session_endpoint, asked),
      );
      expect(page.headers['content-security-policy']).toContain("form-action 'self' https://console.example.com;");
      const gone = await browser.submitPage(page, { logout: 'yes' });
      expect(gone.location).toBe(`${bye}?state=a+state`);
      expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    }
  });

  it('does not redirect to an address that is not registered', async () => {
    const browser = login.browser();
    const { body } = await login.clerk.redeem(codeOf(await logIn(browser)));
    const asked = new URLSearchParams({
      id_token_hint: body.id_token,
      post_logout_redirect_uri: 'https://evil.example.com',
    });
    expect(await browser.get(`${issuer}/oauth2/v2/logout?${asked.toString()}`)).toMatchObject({
      status: 400,
      location: undefined,
    });
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(200);
  });

  it('returns a user without a session to the application', async () => {
    const browser = login.browser();
    const page = await browser.get(
      `${issuer}/oauth2/v2/logout?${new URLSearchParams({ client_id: consoleClient.id, post_logout_redirect_uri: bye }).toString()}`,
    );
    expect((await browser.submitPage(page)).location).toBe(bye);
  });
});

describe('a suspended user', () => {
  it('must log in again, and their tokens end immediately', async () => {
    const browser = login.browser();
    const { body } = await login.clerk.redeem(codeOf(await logIn(browser)));
    await suspend(alice);
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    expect((await login.clerk.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await browser.get(authorizationUrl())).location).toContain('/oauth2/v2/login/');
  });
});

describe('secrets', () => {
  it('are neither logged nor stored as they are', async () => {
    const browser = login.browser();
    const back = await logIn(browser);
    const { body } = await login.clerk.redeem(codeOf(back));
    await login.clerk.refresh(body.refresh_token);
    await login.clerk.redeem('wrong-code-that-is-secret', { client_secret: 'wrong-secret' });
    await logIn(login.browser(), alice, 'a wrong password that is secret');
    await tokensOf(login);
    const secrets = [
      password,
      consoleClient.secret,
      body.access_token,
      body.refresh_token,
      body.id_token,
      codeOf(back),
      'wrong-code-that-is-secret',
      'wrong-secret',
      'a wrong password',
      ...browser.cookies.map(({ value }) => value),
    ];
    const stored = JSON.stringify(await Promise.all(identityKinds.map((kind) => login.store.list(kind))));
    const logged = login.lines.join('\n');
    expect(logged).toContain('logged in');
    for (const secret of secrets.filter((value) => value !== '')) {
      expect(logged).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
    expect(stored).not.toContain('"d":');
  });
});
