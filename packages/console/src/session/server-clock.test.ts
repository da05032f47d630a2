import { describe, expect, it } from 'vitest';

import { offsetAfter } from './server-clock.ts';

const at_ms = Date.parse('2026-11-17T12:00:00Z');
const answer = (date: string, after_ms = 0) => ({
  date,
  sent_ms: at_ms + after_ms,
  received_ms: at_ms + after_ms + 100,
});

describe('the clock of the server', () => {
  it('is that of the browser while both agree', () => {
    expect(offsetAfter(0, answer('Tue, 17 Nov 2026 12:00:00 GMT'))).toBe(0);
    expect(offsetAfter(0, answer('Tue, 17 Nov 2026 12:00:00 GMT', 900))).toBe(0);
  });

  it('is ahead, or behind, by what the answers show', () => {
    expect(offsetAfter(0, answer('Tue, 17 Nov 2026 12:05:00 GMT'))).toBe(5 * 60_000 - 100);
    expect(offsetAfter(0, answer('Tue, 17 Nov 2026 11:55:00 GMT'))).toBe(-5 * 60_000 + 1_000);
  });

  it('does not jump with later answers that agree with the earlier ones', () => {
    const first = offsetAfter(0, answer('Tue, 17 Nov 2026 12:05:00 GMT'));
    expect(offsetAfter(first, answer('Tue, 17 Nov 2026 12:05:00 GMT', 300))).toBe(first);
  });

  it('follows a clock that was corrected', () => {
    const wrong = offsetAfter(0, answer('Tue, 17 Nov 2026 12:05:00 GMT'));
    expect(Math.abs(offsetAfter(wrong, answer('Tue, 17 Nov 2026 12:00:00 GMT')))).toBeLessThanOrEqual(1_000);
  });

  it('stays as it is without a date', () => {
    expect(offsetAfter(70, { ...answer(''), date: null })).toBe(70);
  });
});
