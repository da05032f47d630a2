import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { OAuth2Artifact } from '../kinds/index.ts';
import {
  alice,
  codeOf,
  issuer,
  logIn,
  nativeClient,
  password,
  startLogin,
  type RunningLogin,
} from './oauth2.fixture.ts';

/** Lists of artefacts, which in a store without an index of labels take longer with every login. */
let lists: string[];
let login: RunningLogin;

beforeEach(async () => {
  lists = [];
  login = await startLogin({
    around: ({ verb, kind }, happen) => {
      if (kind.id === OAuth2Artifact.id && (verb === 'list' || verb === 'count'))
        lists.push(new Error(verb).stack ?? verb);
      return happen();
    },
  });
  // The sweeper reads all artefacts once.
  await login.world.settle();
  lists = [];
});

afterEach(() => login.stop());

describe('in a store of several processes, no artefact is searched by label', () => {
  it('when a user logs in, refreshes tokens, and logs out', async () => {
    const { clerk } = login;
    const browser = login.browser();
    const { body: first } = await clerk.redeem(codeOf(await logIn(browser)));
    const { body: second } = await clerk.refresh(first.refresh_token);
    expect((await clerk.userinfo(second.access_token)).status).toBe(200);
    const page = await browser.get(`${issuer}/oauth2/v2/logout?id_token_hint=${second.id_token}`);
    await browser.submitPage(page, { logout: 'yes' });
    expect((await clerk.userinfo(second.access_token)).status).toBe(401);
    expect((await clerk.refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect(lists).toEqual([]);
  });

  it('when a code is used twice, which ends everything that was issued for it', async () => {
    const { clerk } = login;
    const code = codeOf(await logIn(login.browser()));
    const { body } = await clerk.redeem(code);
    expect((await clerk.redeem(code)).status).toBe(400);
    expect((await clerk.userinfo(body.access_token)).status).toBe(401);
    expect((await clerk.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect(lists).toEqual([]);
  });

  it('when a device is logged in with a code', async () => {
    const { clerk } = login;
    const { body } = await clerk.post('/oauth2/v2/device_authorization', {
      client_id: nativeClient.id,
      scope: 'openid email profile',
    });
    const { device_code = '', user_code = '' } = body as Readonly<Record<string, unknown>> as {
      readonly device_code?: string;
      readonly user_code?: string;
    };
    const browser = login.browser();
    const page = await browser.submitPage(await browser.get(`${issuer}/oauth2/v2/device`), { user_code });
    const away = await browser.submitPage(page, { confirm: 'yes' });
    await browser.follow(await browser.submit(away.location ?? '', { email: alice, password }));
    await login.world.advance(5_000);
    const { body: tokens } = await clerk.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id: nativeClient.id,
    });
    expect((await clerk.userinfo(tokens.access_token)).body['sub']).toBe(alice);
    expect(lists).toEqual([]);
  });
});

it('a session of an earlier version is found', async () => {
  const browser = login.browser();
  await logIn(browser);
  // Earlier versions, and stores of one process, do not store the second id.
  const { items } = await login.store.list(OAuth2Artifact);
  const second = items.filter(({ spec }) => spec.model === 'SessionUid');
  expect(second).toHaveLength(1);
  for (const { metadata } of second) await login.store.delete(OAuth2Artifact, metadata.name);
  const again = codeOf(await logIn(browser));
  expect((await login.clerk.redeem(again)).status).toBe(200);
});
