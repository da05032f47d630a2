import { describe, expect, it } from 'vitest';

import { amount, kindWord, pageOf, shares } from './amount.ts';

describe('the bar of a quota', () => {
  it('shows what is used and what is reserved', () => {
    expect(shares({ committed: 3, reserved: 1, quantity: 8 })).toEqual({ committed: 37.5, reserved: 12.5 });
  });

  it('is full, not longer, if the limit was lowered below the use', () => {
    expect(shares({ committed: 6, reserved: 2, quantity: 4 })).toEqual({ committed: 75, reserved: 25 });
  });

  it('is empty for a limit of nothing', () => {
    expect(shares({ committed: 0, reserved: 0, quantity: 0 })).toEqual({ committed: 0, reserved: 0 });
  });

  it('names sizes in the largest exact unit, and counts with separators', () => {
    expect(amount(2 * 1024 ** 4, { format: 'binary' })).toBe('2 TiB');
    expect(amount(12_000, { format: 'decimal' })).toBe('12,000');
  });
});

describe('the kind of a resource', () => {
  it('is a word that users know, or the plural of the stored kind', () => {
    expect(kindWord('computeinstances.compute.unikorn-cloud.org')).toBe('instance');
    expect(pageOf('loadbalancers.region.unikorn-cloud.org')).toBe('load-balancers');
    expect(pageOf('comets.region.unikorn-cloud.org')).toBeUndefined();
    expect(kindWord('comets.region.unikorn-cloud.org')).toBe('comets');
  });
});
