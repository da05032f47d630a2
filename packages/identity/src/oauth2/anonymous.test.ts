import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Artifact } from '../kinds/index.ts';
import { startUpstream } from './federation/upstream.fixture.ts';
import {
  alice,
  authorizationUrl,
  codeOf,
  consoleClient,
  issuer,
  logIn,
  password,
  startLogin,
  type RunningLogin,
} from './oauth2.fixture.ts';

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let login: RunningLogin;

beforeAll(async () => {
  upstream = await startUpstream(`${issuer}/oidc/callback`);
});

afterAll(() => upstream.stop());

beforeEach(async () => {
  login = await startLogin({
    providers: [{ name: 'Corporate', issuer: upstream.issuer, clientID: 'unikorn', clientSecret: 'upstream-secret' }],
  });
});

afterEach(() => login.stop());

async function storedModels(): Promise<readonly string[]> {
  return (await login.store.list(OAuth2Artifact)).items.map(({ spec }) => spec.model).sort();
}

/** Text of this many bytes that cannot be compressed. */
function noise(bytes: number): string {
  const [text = ''] = fc.sample(
    fc.string({
      unit: fc.constantFrom(...Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i))),
      minLength: bytes,
      maxLength: bytes,
    }),
    1,
  );
  return text;
}

describe('a client without a login', () => {
  it('leaves only counters in the store by beginning or failing logins, also at external providers', async () => {
    for (let i = 0; i < 20; i++) {
      const browser = login.browser();
      const { location = '' } = await browser.get(authorizationUrl({ state: noise(1000) }));
      const page = await browser.get(location);
      const away = await browser.get(/href="([^"]*\?provider=[^"]+)"/.exec(page.body)?.[1] ?? '');
      expect(away.location).toContain(upstream.issuer);
      const state = new URL(away.location ?? '').searchParams.get('state') ?? '';
      expect(
        (await browser.get(`${issuer}/oidc/callback?${new URLSearchParams({ state, code: 'guessed' }).toString()}`))
          .status,
      ).toBe(302);
      expect(
        (await browser.get(`${location}/callback?${new URLSearchParams({ state, code: 'guessed' }).toString()}`))
          .status,
      ).toBe(403);
      expect((await browser.submit(location, { email: `nobody${i}@example.com`, password: 'wrong' })).status).toBe(403);
    }
    // Their number is limited, and they are removed after an hour.
    expect(new Set(await storedModels())).toEqual(new Set(['Attempts']));
    await login.world.advance(70 * 60_000);
    expect(await storedModels()).toEqual([]);
  });

  it('leaves nothing in the store by a logout request', async () => {
    for (let i = 0; i < 20; i++) {
      const browser = login.browser();
      const page = await browser.get(`${issuer}/oauth2/v2/logout?client_id=${consoleClient.id}&state=${noise(1000)}`);
      expect(page.body).toContain('name="xsrf"');
      if (i % 2 === 0) expect((await browser.submitPage(page)).status).toBe(303);
    }
    expect(await storedModels()).toEqual([]);
  });

  it('may send parameters of a length that every browser can store', async () => {
    const browser = login.browser();
    const state = noise(1024);
    const { location = '' } = await browser.get(authorizationUrl({ state, nonce: noise(256), login_hint: noise(320) }));
    for (const cookie of browser.setCookies) expect(Buffer.byteLength(cookie)).toBeLessThan(4096);
    const back = await browser.follow(await browser.submit(location, { email: alice, password }));
    expect(new URL(back.location ?? '').searchParams.get('state')).toBe(state);
  });

  it.each([
    ['state', { state: noise(1025) }, 'state is longer than 1024 bytes'],
    ['nonce', { nonce: noise(257) }, 'a parameter is longer than 256 bytes'],
    ['scope', { scope: `openid ${noise(300)}` }, 'a parameter is longer than 256 bytes'],
    ['login_hint', { login_hint: noise(321) }, 'login_hint is longer than 320 bytes'],
    [
      'redirect_uri',
      { redirect_uri: `https://console.example.com/${noise(1024)}` },
      'redirect_uri is longer than 1024 bytes',
    ],
    [
      'many unknown parameters',
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x${i}`, noise(200)])),
      'longer than 2048 bytes together',
    ],
  ])('is refused with a longer %s, in an address and in a form', async (_what, changes, message) => {
    const url = authorizationUrl(changes);
    const answers = [
      await login.browser().get(url),
      await login.browser().submit(`${issuer}/oauth2/v2/authorization`, Object.fromEntries(new URL(url).searchParams)),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, location: undefined });
      expect(answer.body).toContain(message);
    }
  });

  it('cannot use the cookie of one login in another, or change it', async () => {
    const browser = login.browser();
    const [first = '', second = ''] = [
      (await browser.get(authorizationUrl())).location,
      (await browser.get(authorizationUrl())).location,
    ];
    const of = (location: string, name: string) =>
      browser.cookies.find((cookie) => cookie.name === name && location.endsWith(cookie.path));
    const mine = of(first, '_login')?.value ?? '';
    for (const value of [of(second, '_login')?.value ?? '', `${mine.slice(0, -4)}AAAA`, '']) {
      const other = login.browser();
      other.cookies.push(
        ...browser.cookies.map((cookie) =>
          cookie.name === '_login' && first.endsWith(cookie.path) ? { ...cookie, value } : cookie,
        ),
      );
      expect((await other.get(first)).status).toBe(400);
    }
    expect((await browser.get(first)).status).toBe(200);
  });
});

describe('a finished login', () => {
  it('can be used once: the redirect to the application does not work a second time', async () => {
    const browser = login.browser();
    const { location = '' } = await browser.get(authorizationUrl());
    const finished = await browser.submit(location, { email: alice, password });
    const before = [...browser.cookies];
    expect(codeOf(await browser.follow(finished))).not.toBe('');
    const replay = login.browser();
    replay.cookies.push(...before);
    expect(await replay.get(finished.location ?? '')).toMatchObject({ status: 400, location: undefined });
  });

  it('leaves only what the user needs, and expired data is removed within minutes', async () => {
    await logIn(login.browser());
    expect(await storedModels()).toEqual(['AuthorizationCode', 'Grant', 'Session']);
    await login.world.advance(11 * 60_000);
    expect(await storedModels()).toEqual(['Grant', 'Session']);
  });
});
