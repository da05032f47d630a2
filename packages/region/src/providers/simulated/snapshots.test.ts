import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '@unikorn/core/defined';

import type { SnapshotPlan } from '../../provider/index.ts';
import { snapshotsOf } from './snapshots.ts';

/** A Wednesday. */
const since = Date.parse('2026-07-01T12:30:00Z');

describe('snapshots of a file storage', () => {
  it.each<[string, Omit<SnapshotPlan, 'name' | 'keep'>, string, number, string | undefined]>([
    ['hourly, before the hour', { interval: 'hourly' }, '2026-07-01T12:59:59Z', 0, undefined],
    ['hourly, on the hour', { interval: 'hourly' }, '2026-07-01T13:00:00Z', 1, '2026-07-01T13:00:00Z'],
    ['daily', { interval: 'daily', timeOfDay: '04:00Z' }, '2026-07-04T03:59:00Z', 2, '2026-07-03T04:00:00Z'],
    [
      'weekly',
      { interval: 'weekly', timeOfDay: '12:00Z', dayOfWeek: 'wednesday' },
      '2026-07-15T12:00:00Z',
      2,
      '2026-07-15T12:00:00Z',
    ],
    [
      'monthly, over the end of a year',
      { interval: 'monthly', timeOfDay: '01:15Z', dayOfMonth: 28 },
      '2027-02-01T00:00:00Z',
      7,
      '2027-01-28T01:15:00Z',
    ],
  ])('%s', (_name, schedule, now, kept, last) => {
    expect(snapshotsOf({ name: 'p', keep: 100, ...schedule }, since, Date.parse(now))).toEqual({
      name: 'p',
      kept,
      ...defined({ lastTakenAt: last }),
    });
  });

  it('are never more than are kept, and the last is neither before the plan nor after now', () => {
    const plans = fc.oneof(
      fc.constant<Omit<SnapshotPlan, 'name' | 'keep'>>({ interval: 'hourly' }),
      fc.record({ interval: fc.constant('daily' as const), timeOfDay: fc.constant('23:59Z') }),
      fc.record({
        interval: fc.constant('weekly' as const),
        timeOfDay: fc.constant('00:00Z'),
        dayOfWeek: fc.constantFrom('monday' as const, 'sunday' as const),
      }),
      fc.record({
        interval: fc.constant('monthly' as const),
        timeOfDay: fc.constant('12:00Z'),
        dayOfMonth: fc.integer({ min: 1, max: 28 }),
      }),
    );
    fc.assert(
      fc.property(
        plans,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 400 * 86_400_000 }),
        (schedule, keep, age_ms) => {
          const { kept, lastTakenAt } = snapshotsOf({ name: 'p', keep, ...schedule }, since, since + age_ms);
          expect(kept).toBeLessThanOrEqual(keep);
          expect(kept > 0).toBe(lastTakenAt !== undefined);
          if (lastTakenAt === undefined) return;
          expect(Date.parse(lastTakenAt)).toBeGreaterThan(since);
          expect(Date.parse(lastTakenAt)).toBeLessThanOrEqual(since + age_ms);
        },
      ),
    );
  });
});
