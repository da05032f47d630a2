import { assert, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isImplausibleLoss } from './implausible-loss.ts';

describe('a loss', () => {
  it.each<[number, number, string, string]>([
    [0, 0, 'plausible', 'nothing is expected'],
    [0, 10, 'plausible', 'nothing is missing'],
    [1, 1, 'plausible', 'a single machine can be lost'],
    [2, 2, 'implausible', 'all of several'],
    [3, 3, 'implausible', 'all of several'],
    [2, 3, 'plausible', 'few'],
    [3, 4, 'plausible', 'few'],
    [4, 5, 'implausible', 'more than a few, and more than a fifth'],
    [4, 20, 'plausible', 'a fifth'],
    [5, 20, 'implausible', 'more than a fifth'],
    [20, 100, 'plausible', 'a fifth'],
    [21, 100, 'implausible', 'more than a fifth'],
  ])('of %i of %i is %s: %s', (missing, expected, verdict) => {
    expect(isImplausibleLoss({ expected, missing })).toBe(verdict === 'implausible');
  });

  it('is never more plausible when more is missing', () => {
    assert(
      property(
        nat(1_000),
        nat(1_000),
        nat(100),
        (missing, others, more) =>
          !isImplausibleLoss({ expected: missing + others, missing }) ||
          isImplausibleLoss({ expected: missing + more + others, missing: missing + more }),
      ),
    );
  });
});
