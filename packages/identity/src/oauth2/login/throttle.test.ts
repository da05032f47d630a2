import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { OAuth2Artifact } from '../../kinds/oauth2.ts';
import { limits, patience } from '../../limits.ts';
import { testEncryptionKey } from '../../testing/index.ts';
import { Artifacts } from '../artifacts.ts';
import { Sealer } from '../sealing.ts';
import { countersInStore } from './counters.ts';
import { LoginThrottle, pause_ms, Throttle } from './throttle.ts';

/** The dependencies of several processes with one store. */
function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [OAuth2Artifact] });
  const sealer = new Sealer(testEncryptionKey);
  const process = () => ({
    world,
    counters: countersInStore({ artifacts: new Artifacts({ store, world, sealer }), sealer }),
  });
  return { world, store, process };
}

describe('the throttle', () => {
  it('delays longer with every attempt, up to a limit', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.constantFrom(patience.account, patience.address), (count, patience) => {
        const pause = pause_ms(count, patience);
        expect(pause).toBeGreaterThanOrEqual(pause_ms(Math.max(0, count - 1), patience));
        expect(pause).toBeLessThanOrEqual(patience.longest_ms);
        expect(pause === 0).toBe(count < patience.free);
      }),
    );
  });

  it('allows only a few attempts in an hour of continuous trying', async () => {
    const { world, process } = stage();
    const throttle = new Throttle(process(), 'x', patience.account);
    let attempts = 0;
    for (let second = 0; second < 3600; second++) {
      while ((await throttle.begin('alice')) === 0) attempts++;
      await world.advance(1000);
    }
    expect(attempts).toBeLessThan(75);
  });

  it('counts the attempts of all processes together, also concurrent ones', async () => {
    const { process } = stage();
    const throttles = [1, 2, 3].map(() => new Throttle(process(), 'x', patience.account));
    const waits_ms = await Promise.all(
      Array.from({ length: 10 }, () => throttles).flatMap((all) => all.map((throttle) => throttle.begin('alice'))),
    );
    expect(waits_ms.filter((wait_ms) => wait_ms === 0)).toHaveLength(patience.account.free);
    for (const throttle of throttles) expect(await throttle.counted('alice')).toBe(patience.account.free);
  });

  it('forgets failures after an hour, or after a reset', async () => {
    const { world, process } = stage();
    const throttle = new Throttle(process(), 'x', patience.account);
    for (let i = 0; i < 10; i++) await throttle.begin('alice');
    expect(await throttle.wait_ms('alice')).toBeGreaterThan(0);
    expect(await throttle.wait_ms('bob')).toBe(0);
    await throttle.forgive('alice');
    expect(await throttle.wait_ms('alice')).toBe(0);
    for (let i = 0; i < 10; i++) await throttle.begin('alice');
    await world.advance(3600_000);
    expect(await throttle.begin('alice')).toBe(0);
    expect(await throttle.counted('alice')).toBe(1);
  });
});

describe('counters in the store', () => {
  it('are limited, however many keys there are, and the last ones stay', async () => {
    const { store, process } = stage();
    const { counters } = process();
    const keys = Array.from({ length: 600 }, (_, index) => `key ${index}`);
    for (const key of keys) await counters.change(key, () => ({ count: 1, last: 0 }));
    const objects = (await store.list(OAuth2Artifact)).items.length;
    expect(objects).toBeLessThanOrEqual(limits.counterObjects);
    expect(objects).toBeGreaterThan(limits.counterObjects / 2);
    expect(await counters.find('key 599')).toEqual({ count: 1, last: 0 });
    for (const key of keys) await counters.change(key, () => 'none');
    expect((await store.list(OAuth2Artifact)).items).toEqual([]);
  });
});

describe('the throttle of logins', () => {
  const proxy = '192.0.2.1';

  it('never counts a login that succeeds against the address', async () => {
    const throttle = new LoginThrottle(stage().process());
    for (let i = 0; i < 100; i++) {
      expect(await throttle.attempt(`user${i}`, proxy)).toBe(0);
      await throttle.succeeded(`user${i}`, proxy);
    }
  });

  it('clears failures of the address for an account that then logged in', async () => {
    const throttle = new LoginThrottle(stage().process());
    for (let i = 0; i < 40; i++) {
      for (let attempt = 0; attempt < 3; attempt++) expect(await throttle.attempt(`user${i}`, proxy)).toBe(0);
      await throttle.succeeded(`user${i}`, proxy);
    }
  });

  it('keeps failures for other accounts, however often the client logs in to its own', async () => {
    const throttle = new LoginThrottle(stage().process());
    let guesses = 0;
    while (guesses < 1000 && (await throttle.attempt(`victim${guesses}`, proxy)) === 0) {
      guesses++;
      if ((await throttle.attempt('mallory', proxy)) === 0) await throttle.succeeded('mallory', proxy);
    }
    expect(guesses).toBe(patience.address.free);
  });
});
