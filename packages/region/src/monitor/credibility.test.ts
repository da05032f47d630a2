import { assert, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { credibilityOf, type PassResults } from './credibility.ts';

const calm: PassResults = { expected: 100, missing: 0, answers: 10, failures: 0, reachable: true };

describe('the result of a pass', () => {
  it.each<[string, Partial<PassResults>, string]>([
    ['everything', {}, 'sane'],
    ['a fifth is missing', { missing: 20 }, 'sane'],
    ['more than a fifth is missing', { missing: 21 }, 'doubtful'],
    ['three of ten are missing', { expected: 10, missing: 3 }, 'sane'],
    ['two of two are missing', { expected: 2, missing: 2 }, 'doubtful'],
    ['the only one is missing', { expected: 1, missing: 1 }, 'sane'],
    ['four of four are missing', { expected: 4, missing: 4 }, 'doubtful'],
    ['one call of many failed', { failures: 1 }, 'doubtful'],
    ['every call failed', { answers: 0, failures: 10 }, 'away'],
    ['the provider said that it is away', { failures: 1, reachable: false }, 'away'],
    ['there was nobody to ask about', { expected: 0, answers: 0 }, 'sane'],
  ])('when %s is %s', (_name, results, credibility) => {
    expect(credibilityOf({ ...calm, ...results })).toBe(credibility);
  });

  it('is never credible if a call failed, and is not more credible if more is missing', () => {
    assert(
      property(nat(1000), nat(1000), nat(5), (missing, present, failures) => {
        const expected = missing + present;
        const results = { expected, missing, answers: 1, failures, reachable: true };
        if (failures > 0) expect(credibilityOf(results)).not.toBe('sane');
        if (present > 0 && credibilityOf(results) !== 'sane')
          expect(credibilityOf({ ...results, missing: missing + 1 })).not.toBe('sane');
      }),
    );
  });
});
