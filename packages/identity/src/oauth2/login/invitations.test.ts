import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { OrganizationUser, UserInvitation } from '../../kinds/index.ts';
import { alice, codeOf, issuer, logIn, password, startLogin, type RunningLogin } from '../oauth2.fixture.ts';

let login: RunningLogin;
let organizationId: string;
let membershipId: string;
const bob = 'bob@example.com';
const chosen = 'a password of my own';

beforeEach(async () => {
  login = await startLogin();
  organizationId = await login.found.organization();
  membershipId = await login.found.user(bob, organizationId, 'active', 'open');
  await login.world.settle();
});

afterEach(() => login.stop());

async function invite(id = membershipId): Promise<string> {
  const membership = await login.store.get(OrganizationUser, id);
  if (!membership) throw new Error('there is no such membership');
  return (await login.oauth2.invite(membership)).link;
}

const redeem = (link: string, fields: Readonly<Record<string, string>> = { password: chosen, again: chosen }) =>
  login.browser().submit(link, fields);

/** The organizations in which a login with the password is valid; undefined if the login fails. */
async function countsIn(typed: string, subject = bob): Promise<unknown> {
  const code = codeOf(await logIn(login.browser(), subject, typed));
  if (code === '') return undefined;
  const { body } = await login.clerk.redeem(code);
  const claims = (await login.clerk.userinfo(body.access_token)).body as Record<string, { orgIds: unknown }>;
  return claims['https://unikorn-cloud.org/authz']?.orgIds;
}

describe('an invitation', () => {
  it('lets a user set a password, join, and log in', async () => {
    const link = await invite();
    expect(link.startsWith(`${issuer}/oauth2/v2/invitations/`)).toBe(true);
    const page = await login.browser().get(link);
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain(`acme invites ${bob}`);
    expect((await redeem(link)).status).toBe(200);
    await login.world.settle();
    expect(await countsIn(chosen)).toEqual([organizationId]);
    expect((await login.store.get(OrganizationUser, membershipId))?.spec.acceptance).toBe('vouched');
  });

  it('can be used once, also with two concurrent uses', async () => {
    const link = await invite();
    const answers = await Promise.all([redeem(link), redeem(link, { password: `${chosen} 2`, again: `${chosen} 2` })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await redeem(link)).status).toBe(404);
    expect((await login.browser().get(link)).status).toBe(404);
  });

  it('expires after three days, and when a newer one is created', async () => {
    const first = await invite();
    const second = await invite();
    expect((await redeem(first)).status).toBe(404);
    await login.world.advance(73 * 3600_000);
    expect((await redeem(second)).status).toBe(404);
    expect(await countsIn(chosen)).toBeUndefined();
  });

  it('is unique per user, and its stored form cannot be used', async () => {
    let link = '';
    for (let made = 0; made < 5; made++) link = await invite();
    const { items } = await login.store.list(UserInvitation);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain(link.split('.').at(-1));
    expect(login.lines.join('\n')).not.toContain(link.split('.').at(-1));
  });

  it('that was changed is not valid', async () => {
    const link = await invite();
    for (const other of [
      `${link}x`,
      link.slice(0, -1),
      link.replace(/\.[^.]+$/, '.'),
      link.replace(membershipId, 'f0000000-0000-4000-8000-000000000000'),
    ])
      expect((await redeem(other)).status).toBe(404);
    expect((await redeem(link)).status).toBe(200);
  });

  it('stays valid if the password was refused', async () => {
    const link = await invite();
    expect((await redeem(link, { password: 'short', again: 'short' })).body).toContain('12 to 256 characters');
    expect((await redeem(link, { password: chosen, again: 'another one, mistyped' })).body).toContain('different');
    expect((await redeem(link)).status).toBe(200);
  });

  it('is deleted with the membership, and so is the password', async () => {
    const link = await invite();
    await redeem(link);
    const open = await invite();
    await login.store.delete(OrganizationUser, membershipId);
    membershipId = await login.found.user(bob, organizationId);
    await login.world.settle();
    expect((await redeem(open)).status).toBe(404);
    expect(await countsIn(chosen)).toBeUndefined();
  });

  it.each([
    ['suspended', 'open'],
    ['pending', 'open'],
    ['active', 'declined'],
  ] as const)('is not created for a user who is %s and %s', async (state, acceptance) => {
    await modify(login.store, OrganizationUser, membershipId, (member) => ({
      ...member,
      spec: { ...member.spec, state, acceptance },
    }));
    await expect(invite()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a tenant that invites the users of another', () => {
  it('gets a password that is valid only in its own organization, and their own password stays valid', async () => {
    const rival = await login.found.organization();
    const theirs = await login.found.user(bob, rival, 'active', 'open');
    await login.world.settle();
    await redeem(await invite(theirs), { password: 'what the rival chose', again: 'what the rival chose' });
    await redeem(await invite());
    await login.world.settle();
    expect(await countsIn('what the rival chose')).toEqual([rival]);
    expect(await countsIn(chosen)).toEqual([organizationId]);
  });

  it('gets no password for a user who has accepted a membership elsewhere; they are asked after their own login', async () => {
    await login.found.user(alice, await login.found.organization());
    const theirs = await login.found.user(alice, organizationId, 'active', 'open');
    await login.world.settle();
    const link = await invite(theirs);
    expect((await login.browser().get(link)).body).toContain('Log in as usual');
    expect((await redeem(link)).status).toBe(403);
    expect(await countsIn(chosen, alice)).toBeUndefined();
    expect((await logIn(login.browser(), alice, password)).body).toContain('<legend>acme</legend>');
  });
});
