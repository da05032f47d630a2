import { describe, expect, it } from 'vitest';

import { Recent } from './recent.ts';

describe('the latest values', () => {
  it('are at most as many as allowed, and at least half of that', () => {
    const recent = new Recent<number>(10);
    for (let number = 1; number <= 100; number++) {
      recent.set(`key ${number}`, number);
      const kept = Array.from({ length: number }, (_, index) => recent.get(`key ${index + 1}`)).filter(
        (value) => value !== undefined,
      );
      expect(kept.length).toBeLessThanOrEqual(10);
      expect(kept.slice(-5)).toEqual([number - 4, number - 3, number - 2, number - 1, number].filter((one) => one > 0));
    }
  });

  it('are replaced and removed in both generations', () => {
    const recent = new Recent<number>(4);
    for (const key of ['a', 'b', 'c']) recent.set(key, 1);
    recent.set('a', 2);
    expect(recent.get('a')).toBe(2);
    recent.delete('a');
    recent.delete('b');
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([undefined, undefined, 1]);
  });
});
