import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { OrganizationUser, User, userIdOf, type Acceptance } from '../../kinds/index.ts';
import { alice, authorizationUrl, codeOf, logIn, password, startLogin, type RunningLogin } from '../oauth2.fixture.ts';

let login: RunningLogin;
let organizationId: string;
let membershipId: string;

beforeEach(async () => {
  login = await startLogin();
  organizationId = await login.found.organization();
  membershipId = await login.found.user(alice, organizationId, 'active', 'open');
  await login.world.settle();
});

afterEach(() => login.stop());

const acceptance = async (): Promise<Acceptance | undefined> =>
  (await login.store.get(OrganizationUser, membershipId))?.spec.acceptance;
const field = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? '';
const actionOf = (body: string) => /action="([^"]+)"/.exec(body)?.[1] ?? '';

/** Logs in up to the question. */
async function asked() {
  const browser = login.browser();
  const page = await logIn(browser);
  return { browser, page, continuation: field(page.body, 'continuation'), action: actionOf(page.body) };
}

/** Answers the question, and returns the organizations in which the login is valid. */
async function answered(decision: string): Promise<unknown> {
  const { browser, continuation, action } = await asked();
  const end = await browser.follow(
    await browser.submit(action, { continuation, [`decision.${membershipId}`]: decision }),
  );
  await login.world.settle();
  const { body } = await login.clerk.redeem(codeOf(end));
  const claims = (await login.clerk.userinfo(body.access_token)).body as Record<string, { orgIds: unknown }>;
  return claims['https://unikorn-cloud.org/authz']?.orgIds;
}

describe('a membership that an organization created', () => {
  it('is shown at the login, with the name of the organization', async () => {
    const { page } = await asked();
    expect(page).toMatchObject({ status: 200, location: undefined });
    expect(page.body).toContain('<legend>acme</legend>');
    expect(page.headers['content-security-policy']).toContain('https://console.example.com');
  });

  it('is effective after the user has joined, and is not shown again', async () => {
    expect(await answered('accept')).toEqual([organizationId]);
    expect(await acceptance()).toBe('accepted');
    expect((await logIn(login.browser())).location).toContain('code=');
  });

  it('has no effect after the user has declined, and is not shown again', async () => {
    expect(await answered('decline')).toEqual([]);
    expect(await acceptance()).toBe('declined');
    expect((await logIn(login.browser())).location).toContain('code=');
  });

  it('has no effect while the user has not decided, and is shown at the next login', async () => {
    expect(await answered('later')).toEqual([]);
    expect(await acceptance()).toBe('open');
    expect((await asked()).page.body).toContain('acme');
  });

  it('that was pending is active after the user has joined', async () => {
    await modify(login.store, OrganizationUser, membershipId, (member) => ({
      ...member,
      spec: { subject: alice, state: 'pending' as const },
    }));
    await login.world.settle();
    expect(await answered('accept')).toEqual([organizationId]);
  });

  it('of an older version is effective without a question', async () => {
    await modify(login.store, OrganizationUser, membershipId, (member) => ({
      ...member,
      spec: { subject: alice, state: 'active' as const },
    }));
    await login.world.settle();
    expect((await logIn(login.browser())).location).toContain('code=');
  });
});

describe('the answer', () => {
  it('is accepted only in the login that asked, for a short time', async () => {
    const { continuation, action } = await asked();
    const accepting = { continuation, [`decision.${membershipId}`]: 'accept' };
    const thief = login.browser();
    expect((await thief.submit(action, accepting)).status).toBe(400);
    const { location = '' } = await thief.get(authorizationUrl());
    expect((await thief.submit(`${location}/invitations`, accepting)).status).toBe(400);
    const late = await asked();
    await login.world.advance(11 * 60_000);
    expect((await late.browser.submit(late.action, { ...accepting, continuation: late.continuation })).status).toBe(
      400,
    );
    expect(await acceptance()).toBe('open');
  });

  it('cannot change memberships of other users', async () => {
    const other = await login.found.user('bob@example.com', organizationId, 'active', 'open');
    await login.world.settle();
    const { browser, continuation, action } = await asked();
    await browser.submit(action, { continuation, [`decision.${other}`]: 'accept' });
    expect((await login.store.get(OrganizationUser, other))?.spec.acceptance).toBe('open');
  });

  it('is not accepted from a user who was suspended in the meantime', async () => {
    const { browser, continuation, action } = await asked();
    await modify(login.store, User, userIdOf(alice), (user) => ({
      ...user,
      spec: { ...user.spec, state: 'suspended' as const },
    }));
    expect((await browser.submit(action, { continuation, [`decision.${membershipId}`]: 'accept' })).status).toBe(400);
    expect(await acceptance()).toBe('open');
  });

  it('needs no second password entry, and reveals none', async () => {
    const { page } = await asked();
    expect(page.body).not.toContain(password);
  });
});
