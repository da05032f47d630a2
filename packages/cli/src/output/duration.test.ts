import { describe, expect, it } from 'vitest';

import { ageText, durationText, parseDuration } from './duration.ts';

describe('a duration', () => {
  it.each([
    [0, '0s'],
    [-5000, '0s'],
    [45_000, '45s'],
    [150_000, '2m30s'],
    [13 * 60_000 + 20_000, '13m'],
    [3 * 3_600_000, '3h'],
    [27 * 3_600_000, '1d3h'],
    [40 * 86_400_000, '40d'],
  ])('of %d ms reads %s', (duration_ms, text) => {
    expect(durationText(duration_ms)).toBe(text);
  });

  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['10', undefined],
    ['', undefined],
    ['5 m', undefined],
    ['m5', undefined],
  ])('written %j is %s ms', (text, duration_ms) => {
    expect(parseDuration(text)).toBe(duration_ms);
  });

  it('is empty without a time', () => {
    expect(ageText(undefined, new Date(0))).toBe('');
  });
});
