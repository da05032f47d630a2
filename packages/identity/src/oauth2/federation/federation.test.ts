import { createServer } from 'node:net';

import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';

import { membershipIdOf, Organization, OrganizationUser, User, userIdOf } from '../../kinds/index.ts';
import { OAuth2Provider } from '../../kinds/oauth2.ts';
import {
  alice,
  authorizationUrl,
  codeOf,
  issuer,
  logIn,
  password,
  root,
  startLogin,
  type RunningLogin,
  type Tokens,
} from '../oauth2.fixture.ts';
import type { Browser } from '../browser.fixture.ts';
import { startUpstream } from './upstream.fixture.ts';

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let login: RunningLogin;

beforeAll(async () => {
  upstream = await startUpstream(`${issuer}/oidc/callback`);
});

afterAll(() => upstream.stop());

beforeEach(async () => {
  upstream.persona.email = alice;
  upstream.persona.email_verified = true;
  login = await startLogin({
    providers: [{ name: 'Corporate', issuer: upstream.issuer, clientID: 'unikorn', clientSecret: 'upstream-secret' }],
  });
});

afterEach(() => login.stop());

/** Begins a login, and uses the first provider button on the page. */
async function choose(browser: Browser) {
  const { location = '' } = await browser.get(authorizationUrl());
  const page = await browser.get(location);
  const link = /href="([^"]*\?provider=[^"]+)"/.exec(page.body)?.[1] ?? '';
  return { page, login: location, away: await browser.get(link) };
}

async function throughProvider(browser: Browser) {
  const { away } = await choose(browser);
  const back = await upstream.visit(away.location ?? '');
  return { back, end: await browser.follow(await browser.get(back)) };
}

describe('logging in through another provider', () => {
  it('ends at the application, with a code for the user', async () => {
    const browser = login.browser();
    const { end } = await throughProvider(browser);
    expect(end.location).toMatch(/^https:\/\/console\.example\.com\/oauth2\/callback\?code=/);
    const { body } = await login.clerk.redeem(codeOf(end));
    expect((await login.clerk.userinfo(body.access_token)).body).toMatchObject({ sub: alice });
  });

  it('sends a challenge, a nonce, a state, and the configured address', async () => {
    const { away } = await choose(login.browser());
    expect(Object.fromEntries(new URL(away.location ?? '').searchParams)).toMatchObject({
      client_id: 'unikorn',
      redirect_uri: `${issuer}/oidc/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      nonce: expect.any(String) as string,
      state: expect.any(String) as string,
    });
  });

  it('accepts an address only if the provider has verified it', async () => {
    for (const claim of [false, 'true']) {
      upstream.persona.email_verified = claim;
      const { end } = await throughProvider(login.browser());
      expect(end.status).toBe(403);
      expect(end.body).toContain('has not verified your email address');
    }
  });

  it('is for known users who may log in', async () => {
    upstream.persona.email = 'stranger@example.com';
    const stranger = await throughProvider(login.browser());
    upstream.persona.email = alice;
    await modify(login.store, User, userIdOf(alice), (user) => ({
      ...user,
      spec: { ...user.spec, state: 'suspended' as const },
    }));
    const suspended = await throughProvider(login.browser());
    expect([stranger.end.status, suspended.end.status]).toEqual([403, 403]);
    expect(stranger.end.body).toContain('this account is unknown');
    expect(suspended.end.body.replaceAll(/login\/[\w-]+/g, '')).toBe(
      stranger.end.body.replaceAll(/login\/[\w-]+/g, ''),
    );
  });

  it('accepts a response once', async () => {
    const browser = login.browser();
    const first = await choose(browser);
    const back = await upstream.visit(first.away.location ?? '');
    const { location: callback = '' } = await browser.get(back);
    expect((await browser.get(callback)).status).toBe(303);
    const again = await browser.get(callback);
    expect(again.status).toBe(403);
    expect(again.body).toContain('expired or was already used');
  });

  it('accepts a response only in the browser and for the login that requested it', async () => {
    const mine = await choose(login.browser());
    const back = await upstream.visit(mine.away.location ?? '');
    const thief = login.browser();
    expect((await thief.follow(await thief.get(back))).status).toBe(400);
    const { login: own } = await choose(thief);
    const { search } = new URL(back);
    expect((await thief.get(`${own}/callback${search}`)).status).toBe(403);
  });

  it.each(['state', 'code', 'iss'])('refuses a response with a changed %s', async (name) => {
    const browser = login.browser();
    const { away } = await choose(browser);
    const back = new URL(await upstream.visit(away.location ?? ''));
    back.searchParams.set(name, `${back.searchParams.get(name) ?? ''}x`);
    expect((await browser.follow(await browser.get(back.href))).status).toBe(403);
  });

  it('refuses a late response', async () => {
    const browser = login.browser();
    const { away } = await choose(browser);
    const back = await upstream.visit(away.location ?? '');
    await login.world.advance(11 * 60_000);
    expect((await browser.follow(await browser.get(back))).status).toBe(400);
  });

  it('shows that the user declined, and offers to try again', async () => {
    const browser = login.browser();
    const { away, login: own } = await choose(browser);
    const state = new URL(away.location ?? '').searchParams.get('state') ?? '';
    const answer = await browser.follow(
      await browser.get(
        `${issuer}/oidc/callback?error=access_denied&error_description=%3Cscript%3E&state=${encodeURIComponent(state)}`,
      ),
    );
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('<script>');
    expect(answer.body).toContain(`href="${own}"`);
  });

  it('shows that the provider cannot be reached', async () => {
    const [
      {
        metadata: { name },
      },
    ] = (await login.store.list(OAuth2Provider)).items as [OAuth2Provider];
    await modify(login.store, OAuth2Provider, name, (provider) => ({
      ...provider,
      spec: { ...provider.spec, issuer: 'http://127.0.0.1:1' },
    }));
    const { away } = await choose(login.browser());
    expect(away.status).toBe(403);
    expect(away.body).toContain('cannot be reached at the moment');
  });

  it('does not write its secret or the response to logs or store', async () => {
    const { back } = await throughProvider(login.browser());
    const stored = JSON.stringify((await login.store.list(OAuth2Provider)).items);
    for (const secret of ['upstream-secret', new URL(back).searchParams.get('code') ?? '']) {
      expect(login.lines.join('\n')).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });
});

describe("an organization's own provider", () => {
  let organizationId: string;

  beforeEach(async () => {
    organizationId = await login.found.organization();
    const [{ spec }] = (await login.store.list(OAuth2Provider)).items as [OAuth2Provider];
    const id = 'e0000000-0000-4000-8000-000000000001';
    await login.store.create(OAuth2Provider, {
      metadata: { name: id, labels: { [labels.name]: 'acme', [labels.organization]: organizationId } },
      spec,
    });
    await modify(login.store, Organization, organizationId, (organization) => ({
      ...organization,
      spec: { domain: 'Example.com', providerScope: 'organization' as const, providerId: id },
    }));
    await login.world.settle();
  });

  const submit = async (email: string) => {
    const browser = login.browser();
    const { location = '' } = await browser.get(authorizationUrl());
    return { browser, answer: await browser.submit(location, { email, password }) };
  };
  const awayOf = (body: string) =>
    (/<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&');

  it('is used for users of its domain', async () => {
    await login.found.user(alice, organizationId);
    const { browser, answer } = await submit(alice);
    const back = await upstream.visit(awayOf(answer.body));
    expect((await browser.follow(await browser.get(back))).location).toContain('code=');
  });

  it.each(['suspended', 'active'] as const)(
    'never logs in a user who has accepted a membership elsewhere that is %s',
    async (state) => {
      await login.found.user(alice, organizationId);
      const { browser, answer } = await submit(alice);
      await login.found.user(alice, await login.found.organization(), state);
      await login.world.settle();
      const back = await upstream.visit(awayOf(answer.body));
      expect((await browser.follow(await browser.get(back))).status).toBe(403);
      expect((await logIn(login.browser())).location).toContain('code=');
    },
  );

  it.each([
    ['active', 'open'],
    ['pending', 'open'],
    ['suspended', 'open'],
    ['active', 'vouched'],
    ['active', 'declined'],
  ] as const)(
    'logs in its users although another organization has added them, %s and %s',
    async (state, acceptance) => {
      await login.found.user(alice, organizationId);
      await login.found.user(alice, await login.found.organization(), state, acceptance);
      await login.world.settle();
      const { browser, answer } = await submit(alice);
      const back = await upstream.visit(awayOf(answer.body));
      expect((await browser.follow(await browser.get(back))).location).toContain('code=');
    },
  );

  it('makes the membership vouched, and never accepted', async () => {
    const id = await login.found.user(alice, organizationId, 'active', 'open');
    await login.world.settle();
    const { browser, answer } = await submit(alice);
    await browser.follow(await browser.get(await upstream.visit(awayOf(answer.body))));
    expect((await login.store.get(OrganizationUser, id))?.spec.acceptance).toBe('vouched');
  });

  it('logs in its users with any other memberships if it owns the domain', async () => {
    await modify(login.store, Organization, organizationId, (organization) => ({
      ...organization,
      spec: { ...organization.spec, verifiedDomain: 'example.com' },
    }));
    await login.found.user(alice, organizationId);
    await login.found.user(alice, await login.found.organization());
    await login.world.settle();
    const { browser, answer } = await submit(alice);
    const back = await upstream.visit(awayOf(answer.body));
    const { body } = await login.clerk.redeem(codeOf(await browser.follow(await browser.get(back))));
    expect((await login.clerk.userinfo(body.access_token)).body).toMatchObject({
      'https://unikorn-cloud.org/authz': { orgIds: [organizationId] },
    });
  });

  it('is used for unknown users of the domain only if it owns the domain', async () => {
    expect((await submit('stranger@example.com')).answer.body).not.toContain(upstream.issuer);
    await modify(login.store, Organization, organizationId, (organization) => ({
      ...organization,
      spec: { ...organization.spec, verifiedDomain: 'example.com' },
    }));
    await login.world.settle();
    expect((await submit('stranger@example.com')).answer.body).toContain(upstream.issuer);
  });

  it('never logs in a member whom it has suspended itself', async () => {
    await login.found.user(alice, organizationId, 'suspended');
    await login.world.settle();
    expect((await submit(alice)).answer.body).not.toContain(upstream.issuer);
  });

  describe('leads to a login that', () => {
    let browser: Browser;
    let tokens: Tokens;

    beforeEach(async () => {
      await login.found.user(alice, organizationId);
      await login.world.settle();
      const begun = await submit(alice);
      browser = begun.browser;
      const end = await browser.follow(await browser.get(await upstream.visit(awayOf(begun.answer.body))));
      tokens = (await login.clerk.redeem(codeOf(end))).body;
    });

    const silently = (changes = {}) => browser.get(authorizationUrl({ prompt: 'none', ...changes }));
    const providersOf = (id: string, token: string) =>
      login.server.inject({
        url: `/identity/api/v1/organizations/${id}/oauth2providers`,
        headers: { authorization: `Bearer ${token}` },
      });
    /** Another organization makes the user its administrator. */
    const hire = async (state: 'active' | 'pending' | 'suspended' = 'active') => {
      const demo = await login.found.organization();
      await login.found.group(demo, ['administrator'], { users: [alice] });
      await login.found.user(alice, demo, state);
      await login.world.settle();
      return demo;
    };
    const expectEnded = async (code: string) => {
      expect((await login.clerk.userinfo(tokens.access_token)).status).toBe(401);
      expect(await login.clerk.exchange(tokens.access_token)).toMatchObject({
        status: 401,
        body: { error: 'access_denied' },
      });
      expect(await login.clerk.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await login.clerk.refresh(tokens.refresh_token)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      expect((await silently()).location).toContain('error=interaction_required');
      expect((await browser.get(authorizationUrl())).location).toContain('/login/');
    };

    it('contains the user, is valid in that organization, and lasts while nothing changes', async () => {
      expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: alice, email: alice });
      const refreshed = await login.clerk.refresh(tokens.refresh_token);
      expect(decodeJwt(refreshed.body.id_token).sub).toBe(alice);
      for (const token of [tokens.access_token, refreshed.body.access_token]) {
        expect((await login.clerk.userinfo(token)).body).toMatchObject({
          sub: alice,
          'https://unikorn-cloud.org/authz': { orgIds: [organizationId] },
        });
        expect(
          decodeJwt((await login.clerk.exchange(token, { x_organization_id: organizationId })).body.access_token),
        ).toMatchObject({ sub: alice, email: alice, org_ids: [organizationId] });
      }
      expect((await login.clerk.redeem(codeOf(await silently()))).status).toBe(200);
      expect(codeOf(await silently({ id_token_hint: tokens.id_token }))).not.toBe('');
    });

    it('continues when another organization adds the user, and is never valid there', async () => {
      const demo = await login.found.organization();
      await login.found.group(demo, ['administrator'], { users: [alice] });
      await login.found.user(alice, demo, 'active', 'open');
      await login.world.settle();
      expect((await providersOf(demo, tokens.access_token)).statusCode).toBe(403);
      expect((await login.clerk.userinfo(tokens.access_token)).status).toBe(200);
      expect((await login.clerk.refresh(tokens.refresh_token)).status).toBe(200);
    });

    it.each(['active', 'suspended'] as const)(
      'ends when the user has accepted a membership elsewhere, %s, and is never valid there',
      async (state) => {
        const code = codeOf(await silently());
        const demo = await hire(state);
        expect((await providersOf(demo, tokens.access_token)).statusCode).toBe(401);
        expect((await providersOf(organizationId, tokens.access_token)).statusCode).toBe(401);
        await expectEnded(code);
        const own = await login.clerk.redeem(codeOf(await logIn(login.browser())));
        expect((await providersOf(demo, own.body.access_token)).statusCode).toBe(state === 'active' ? 200 : 403);
      },
    );

    it('ends when its own organization suspends or removes the user', async () => {
      const code = codeOf(await silently());
      const id = membershipIdOf(organizationId, userIdOf(alice));
      await modify(login.store, OrganizationUser, id, (member) => ({
        ...member,
        spec: { ...member.spec, state: 'suspended' as const },
      }));
      await login.world.settle();
      expect((await login.clerk.userinfo(tokens.access_token)).status).toBe(401);
      await login.store.delete(OrganizationUser, id);
      await login.world.settle();
      await expectEnded(code);
    });

    it('ends when the user gets platform-wide roles', async () => {
      expect(await login.create().tokenVerifier.verify(tokens.access_token)).toMatchObject({
        subject: alice,
        organizationIds: [organizationId],
      });
      expect(await login.create(alice).tokenVerifier.verify(tokens.access_token)).toBeUndefined();
    });

    it('a refresh does not convert into a normal login', async () => {
      const { body } = await login.clerk.refresh(tokens.refresh_token);
      const demo = await hire();
      expect((await providersOf(demo, body.access_token)).statusCode).toBe(401);
      expect((await login.clerk.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    });

    it('gives way to one with a password in the same browser', async () => {
      const demo = await hire();
      const switching = await logIn(browser);
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(switching.body)?.[1] ?? '';
      const end = await browser.follow(
        await browser.submit(`${issuer}/oauth2/v2/logout/confirm`, { xsrf, logout: 'yes' }),
      );
      const { body } = await login.clerk.redeem(codeOf(end));
      expect((await providersOf(demo, body.access_token)).statusCode).toBe(200);
      expect((await login.clerk.userinfo(tokens.access_token)).status).toBe(401);
    });
  });

  it('cannot be used to access the internal network', async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const address = inside.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await login.found.user(alice, organizationId);
    for (const host of ['127.0.0.1', 'localhost']) {
      await modify(login.store, OAuth2Provider, 'e0000000-0000-4000-8000-000000000001', (provider) => ({
        ...provider,
        spec: { ...provider.spec, issuer: `https://${host}:${port}` },
      }));
      const { answer } = await submit(alice);
      expect(answer.body).toContain('cannot be reached');
    }
    expect(connections).toBe(0);
    inside.close();
  });

  it('never logs in a user who also belongs elsewhere, and does not redirect them', async () => {
    const other = await login.found.organization();
    await login.found.user(alice, organizationId);
    const { browser, answer } = await submit(alice);
    await login.found.user(alice, other);
    const back = await upstream.visit(awayOf(answer.body));
    expect((await browser.follow(await browser.get(back))).status).toBe(403);
    expect((await logIn(login.browser())).location).toContain('code=');
  });

  it('never logs in an administrator of the platform', async () => {
    await login.found.user(root, organizationId);
    await login.oauth2.setPassword(root, password);
    expect((await logIn(login.browser(), root)).location).toContain('code=');
  });

  it('may be a provider of the platform, which then vouches for all users of the domain', async () => {
    const global = (await login.store.list(OAuth2Provider)).items.find(
      ({ metadata }) => metadata.labels?.[labels.organization] === undefined,
    );
    await modify(login.store, Organization, organizationId, (organization) => ({
      ...organization,
      spec: {
        domain: 'example.com',
        verifiedDomain: 'example.com',
        providerScope: 'global' as const,
        providerId: global?.metadata.name ?? '',
      },
    }));
    await login.found.user(alice, organizationId);
    await login.found.user(alice, await login.found.organization());
    await login.world.settle();
    const { browser, answer } = await submit(alice);
    const back = await upstream.visit(awayOf(answer.body));
    expect((await browser.follow(await browser.get(back))).location).toContain('code=');
  });

  it('is not used if it belongs to another organization', async () => {
    const other = await login.found.organization();
    await modify(login.store, Organization, other, (organization) => ({
      ...organization,
      spec: {
        domain: 'other.example',
        providerScope: 'organization' as const,
        providerId: 'e0000000-0000-4000-8000-000000000001',
      },
    }));
    await login.world.settle();
    expect((await submit('bob@other.example')).answer.status).toBe(403);
  });

  it('is not offered to all users', async () => {
    const browser = login.browser();
    const { location = '' } = await browser.get(authorizationUrl());
    expect((await browser.get(location)).body).not.toContain('acme');
    expect((await browser.get(`${location}?provider=e0000000-0000-4000-8000-000000000001`)).status).toBe(200);
  });

  it('is used although other organizations claim the same domain, until one of them owns it', async () => {
    const other = await login.found.organization();
    await modify(login.store, Organization, other, (organization) => ({
      ...organization,
      spec: { ...organization.spec, domain: 'example.com' },
    }));
    await login.found.user(alice, organizationId);
    await login.world.settle();
    expect((await submit(alice)).answer.body).toContain(upstream.issuer);
    await modify(login.store, Organization, other, (organization) => ({
      ...organization,
      spec: { ...organization.spec, verifiedDomain: 'example.com' },
    }));
    await login.world.settle();
    expect((await submit(alice)).answer.status).toBe(303);
  });
});

describe('providers of the configuration', () => {
  it('are the only ones for all users', async () => {
    const names = async () =>
      (await login.store.list(OAuth2Provider)).items.map(({ metadata }) => metadata.labels?.[labels.name]);
    expect(await names()).toEqual(['Corporate']);
    const stop = new AbortController();
    const running = login.create().run(stop.signal);
    await login.world.settle();
    expect(await names()).toEqual(['Corporate']);
    stop.abort();
    await running;
  });
});
