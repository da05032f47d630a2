import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';

import { LoginThrottle, pause_ms, Throttle } from './throttle.ts';
import { patience } from '../../limits.ts';

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
    const world = virtualWorld();
    const throttle = new Throttle(world, patience.account);
    let attempts = 0;
    for (let second = 0; second < 3600; second++) {
      while (throttle.wait_ms('alice') === 0) {
        throttle.begin('alice');
        attempts++;
      }
      await world.advance(1000);
    }
    expect(attempts).toBeLessThan(75);
  });

  it('forgets failures after an hour, or after a reset', async () => {
    const world = virtualWorld();
    const throttle = new Throttle(world, patience.account);
    for (let i = 0; i < 10; i++) throttle.begin('alice');
    expect(throttle.wait_ms('alice')).toBeGreaterThan(0);
    expect(throttle.wait_ms('bob')).toBe(0);
    throttle.forgive('alice');
    expect(throttle.wait_ms('alice')).toBe(0);
    for (let i = 0; i < 10; i++) throttle.begin('alice');
    await world.advance(3600_000);
    throttle.begin('alice');
    expect(throttle.wait_ms('alice')).toBe(0);
  });
});

describe('the throttle of logins', () => {
  const proxy = '192.0.2.1';

  it('never counts a login that succeeds against the address', () => {
    const throttle = new LoginThrottle(virtualWorld());
    for (let i = 0; i < 100; i++) {
      expect(throttle.attempt(`user${i}`, proxy)).toBe(0);
      throttle.succeeded(`user${i}`, proxy);
    }
  });

  it('clears failures of the address for an account that then logged in', () => {
    const throttle = new LoginThrottle(virtualWorld());
    for (let i = 0; i < 40; i++) {
      for (let attempt = 0; attempt < 3; attempt++) expect(throttle.attempt(`user${i}`, proxy)).toBe(0);
      throttle.succeeded(`user${i}`, proxy);
    }
  });

  it('keeps failures for other accounts, however often the client logs in to its own', () => {
    const throttle = new LoginThrottle(virtualWorld());
    let guesses = 0;
    while (guesses < 1000 && throttle.attempt(`victim${guesses}`, proxy) === 0) {
      guesses++;
      if (throttle.attempt('mallory', proxy) === 0) throttle.succeeded('mallory', proxy);
    }
    expect(guesses).toBe(patience.address.free);
  });
});
