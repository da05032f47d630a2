import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Artifact } from '../../kinds/oauth2.ts';
import { alice, codeOf, logIn, password, root, startLogin, tokensOf, type RunningLogin } from '../oauth2.fixture.ts';

let login: RunningLogin;

beforeEach(async () => {
  login = await startLogin();
  await login.found.user(root);
  await login.oauth2.setPassword(root, password);
});

afterEach(() => login.stop());

const next = 'a much better password';

async function send(method: 'PUT' | 'POST', path: string, token: string, payload: object) {
  const answer = await login.server.inject({
    method,
    url: `/identity/api/v1/${path}`,
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
  return { status: answer.statusCode, text: answer.body };
}
const change = (token: string, current = password, wanted = next) =>
  send('PUT', 'password', token, { current, password: wanted });
const loggedIn = async (typed: string, subject = alice) => codeOf(await logIn(login.browser(), subject, typed)) !== '';

describe('people', () => {
  it('change their own password, keep the current session, and lose their other sessions', async () => {
    const [here, elsewhere] = [await tokensOf(login), await tokensOf(login)];
    expect(await change(here.access_token)).toMatchObject({ status: 200 });
    expect([await loggedIn(password), await loggedIn(next)]).toEqual([false, true]);
    expect((await login.clerk.userinfo(here.access_token)).status).toBe(200);
    expect((await login.clerk.refresh(here.refresh_token)).status).toBe(200);
    expect((await login.clerk.userinfo(elsewhere.access_token)).status).toBe(401);
    expect((await login.clerk.refresh(elsewhere.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('do not end the sessions of other users', async () => {
    const [mine, others] = [await tokensOf(login), await tokensOf(login, root)];
    await change(mine.access_token);
    expect((await login.clerk.userinfo(others.access_token)).status).toBe(200);
  });

  it('must know the current one, and are delayed after wrong ones', async () => {
    const { access_token: token } = await tokensOf(login);
    const refused = [];
    for (let attempt = 0; attempt < 7; attempt++) refused.push(await change(token, 'wrong wrong wrong'));
    expect(refused.every(({ status }) => status === 403)).toBe(true);
    expect(refused[0]?.text).toContain('the current password is wrong');
    expect(refused[6]?.text).toContain('too many attempts');
    // Also with the right password, until the delay is over.
    expect((await change(token)).status).toBe(403);
    await login.world.advance(61_000);
    expect((await change(token)).status).toBe(200);
  });

  it('must choose one that is hard to guess', async () => {
    const { access_token: token } = await tokensOf(login);
    expect(await change(token, password, 'short')).toMatchObject({
      status: 400,
      text: expect.stringContaining('12 to 256 characters') as string,
    });
    expect(await loggedIn(password)).toBe(true);
  });

  it('cannot set the password of others, unless they operate the platform', async () => {
    const { access_token: token } = await tokensOf(login);
    expect((await send('POST', 'passwords', token, { subject: root, password: next })).status).toBe(403);
    expect(await loggedIn(password, root)).toBe(true);
  });
});

describe('a platform operator', () => {
  it('sets a given or generated password, and ends the sessions of the user', async () => {
    const { access_token: token } = await tokensOf(login, root);
    const before = await tokensOf(login);
    const made = JSON.parse((await send('POST', 'passwords', token, { subject: ' ALICE@example.com' })).text) as {
      subject: string;
      password: string;
    };
    expect(made).toEqual({ subject: alice, password: expect.stringMatching(/^\S{20,}$/) as string });
    expect([await loggedIn(password), await loggedIn(made.password)]).toEqual([false, true]);
    expect((await login.clerk.userinfo(before.access_token)).status).toBe(401);
    expect(await send('POST', 'passwords', token, { subject: alice, password: next })).toMatchObject({
      status: 200,
      text: JSON.stringify({ subject: alice }),
    });
    expect(await loggedIn(next)).toBe(true);
  });

  it('gets an error for an unknown user or a password that is too short', async () => {
    const { access_token: token } = await tokensOf(login, root);
    expect((await send('POST', 'passwords', token, { subject: 'nobody@example.com' })).status).toBe(404);
    expect((await send('POST', 'passwords', token, { subject: alice, password: 'short' })).status).toBe(400);
  });

  it('leaves no password in logs or store', async () => {
    const { access_token: token } = await tokensOf(login, root);
    await send('POST', 'passwords', token, { subject: alice, password: next });
    expect(login.lines.join('\n')).not.toContain(next);
    expect(JSON.stringify((await login.store.list(OAuth2Artifact)).items)).not.toContain(next);
  });
});
