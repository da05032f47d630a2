import { expect, it } from 'vitest';

import { absence } from './absence.ts';

const period_ms = 60_000;
const start = Date.parse('2026-01-01T00:00:00Z');

it('a server is marked when it is first missed, and the mark stays', () => {
  expect(absence(undefined, start, period_ms)).toMatchObject({
    missingSince: '2026-01-01T00:00:00Z',
    health: { status: 'Unknown', reason: 'Unknown' },
  });
  expect(absence({ missingSince: '2025-12-31T23:59:59Z' }, start, period_ms).missingSince).toBe('2025-12-31T23:59:59Z');
});

it('a server is lost once it has been missing for two periods, and since then', () => {
  const before = { missingSince: '2026-01-01T00:00:00Z' };
  expect(absence(before, start + 2 * period_ms - 1, period_ms).lostAt).toBeUndefined();
  expect(absence(before, start + 2 * period_ms, period_ms)).toHaveProperty('lostAt', '2026-01-01T00:02:00Z');
  expect(absence({ ...before, lostAt: '2026-01-01T00:02:00Z' }, start + 5 * period_ms, period_ms)).toHaveProperty(
    'lostAt',
    '2026-01-01T00:02:00Z',
  );
});
