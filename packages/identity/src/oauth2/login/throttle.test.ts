import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';

import { accountPatience, addressPatience, pause_ms, Throttle } from './throttle.ts';

describe('the throttle', () => {
  it('pauses longer with every attempt, up to a limit', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.constantFrom(accountPatience, addressPatience), (count, patience) => {
        const pause = pause_ms(count, patience);
        expect(pause).toBeGreaterThanOrEqual(pause_ms(Math.max(0, count - 1), patience));
        expect(pause).toBeLessThanOrEqual(patience.longest_ms);
        expect(pause === 0).toBe(count < patience.free);
      }),
    );
  });

  it('lets at most a few attempts through in an hour of trying without rest', async () => {
    const world = virtualWorld();
    const throttle = new Throttle(world, accountPatience);
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

  it('forgets whoever was quiet for an hour, or is forgiven', async () => {
    const world = virtualWorld();
    const throttle = new Throttle(world, accountPatience);
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
