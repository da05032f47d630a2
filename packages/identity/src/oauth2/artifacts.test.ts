import { describe, expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { OAuth2Artifact } from '../kinds/oauth2.ts';
import { Artifacts } from './artifacts.ts';
import { Sealer } from './sealing.ts';

function start() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [OAuth2Artifact] });
  const create = (fill = 1) => new Artifacts({ store, world, sealer: new Sealer(new Uint8Array(32).fill(fill)) });
  return { world, store, create, artifacts: create() };
}

const never = new AbortController().signal;

describe('artefacts', () => {
  it('are found by their own model and id until they expire', async () => {
    const { world, artifacts } = start();
    await artifacts.save('AccessToken', 'secret', { accountId: 'alice', scope: 'openid' }, 60);
    expect(await artifacts.find('AccessToken', 'secret')).toEqual({ accountId: 'alice', scope: 'openid' });
    expect(await artifacts.find('RefreshToken', 'secret')).toBeUndefined();
    expect(await artifacts.find('AccessToken', 'Secret')).toBeUndefined();
    await world.advance(59_999);
    expect(await artifacts.find('AccessToken', 'secret')).toBeDefined();
    await world.advance(1);
    expect(await artifacts.find('AccessToken', 'secret')).toBeUndefined();
  });

  it('are replaced when another one is stored with the same id', async () => {
    const { artifacts } = start();
    await artifacts.save('Session', 'cookie', { uid: 'one' }, 60);
    await artifacts.save('Session', 'cookie', { uid: 'two' }, 60);
    expect(await artifacts.find('Session', 'cookie')).toEqual({ uid: 'two' });
    expect(await artifacts.findSession('one')).toBeUndefined();
    expect(await artifacts.findSession('two')).toEqual({ uid: 'two' });
  });

  it('contain neither the id nor the content in plain text', async () => {
    const { store, artifacts } = start();
    await artifacts.save('Session', 'the-cookie', { uid: 'the-uid', jti: 'the-cookie', state: 'the-state' }, 60);
    expect(JSON.stringify((await store.list(OAuth2Artifact)).items)).not.toMatch(/the-cookie|the-uid|the-state/);
  });

  it('encrypted with another key count as absent', async () => {
    const { artifacts, create } = start();
    await artifacts.save('Session', 'cookie', {}, 60);
    expect(await create(2).find('Session', 'cookie')).toBeUndefined();
  });

  it('are used by exactly one of many processes, and the others revoke the grant', async () => {
    const { artifacts, create } = start();
    await artifacts.save('Grant', 'grant', {}, 60);
    await artifacts.save('RefreshToken', 'token', { grantId: 'grant' }, 60);
    await artifacts.save('AccessToken', 'access', { grantId: 'grant' }, 60);
    await artifacts.save('AccessToken', 'other', { grantId: 'other' }, 60);
    const spent = await Promise.all(Array.from({ length: 10 }, () => create().consume('RefreshToken', 'token')));
    expect(spent.filter(Boolean)).toHaveLength(1);
    expect(await artifacts.find('Grant', 'grant')).toBeUndefined();
    expect(await artifacts.find('AccessToken', 'access')).toBeUndefined();
    expect(await artifacts.find('AccessToken', 'other')).toBeDefined();
  });

  it('of a revoked grant are not valid, even if they are stored later', async () => {
    const { artifacts } = start();
    await artifacts.save('Grant', 'grant', {}, 60);
    await artifacts.revoke('grant');
    await artifacts.save('AccessToken', 'late', { grantId: 'grant' }, 60);
    const late = await artifacts.look('AccessToken', 'late');
    expect(late && (await artifacts.isGranted(late))).toBe(false);
  });

  it('have ids that exactly one can claim, until they expire', async () => {
    const { world, artifacts, create } = start();
    const claimed = await Promise.all(Array.from({ length: 6 }, () => create().claim('Federation', 'state', 60)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    await world.advance(5 * 60_000);
    await artifacts.sweep(never);
    expect(await artifacts.claim('Federation', 'state', 60)).toBe(true);
  });

  it('are removed some minutes after they expired, without reading the others', async () => {
    const { world, store, artifacts } = start();
    await artifacts.sweep(never);
    for (let i = 0; i < 20; i++) await artifacts.save('AccessToken', `short ${i}`, {}, 60);
    await artifacts.save('Grant', 'long', {}, 3600);
    expect(await artifacts.sweepRecent(never)).toBe(0);
    await world.advance(10 * 60_000);
    expect(await artifacts.sweepRecent(never)).toBe(20);
    expect((await store.list(OAuth2Artifact)).items).toHaveLength(1);
    await artifacts.save('Grant', 'long', {}, 7200);
    await world.advance(70 * 60_000);
    expect(await artifacts.sweepRecent(never)).toBe(0);
    await world.advance(60 * 60_000);
    expect(await artifacts.sweepRecent(never)).toBe(1);
  });

  it('are removed after they expired, and not before', async () => {
    const { world, store, artifacts } = start();
    for (let i = 0; i < 700; i++) await artifacts.save('AccessToken', `short ${i}`, {}, 60);
    await artifacts.save('Grant', 'long', {}, 120);
    await world.advance(60_000);
    expect(await artifacts.sweep(never)).toBe(700);
    expect((await store.list(OAuth2Artifact)).items).toHaveLength(1);
  });
});
