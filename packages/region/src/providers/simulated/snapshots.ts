import { timestamp } from '@unikorn/core/world';

import type { ObservedSnapshots, SnapshotPlan } from '../../provider/index.ts';

const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

/** The epoch began on a Thursday, so days are counted from there. */
const daysFromThursday = {
  thursday: 0,
  friday: 1,
  saturday: 2,
  sunday: 3,
  monday: 4,
  tuesday: 5,
  wednesday: 6,
} as const;

/** A series of times, numbered from the epoch. */
interface Moments {
  /** The number of the last one that is not after `at`. */
  numberAt(at: number): number;
  momentOf(number: number): number;
}

/**
 * The snapshots of a plan that is active since then. They are computed from the time, so nothing needs to run.
 *
 * @example snapshotsOf({ name: 'nightly', interval: 'daily', timeOfDay: '04:00Z', keep: 7 }, since, world.now())
 */
export function snapshotsOf(plan: SnapshotPlan, since: number, now: number): ObservedSnapshots {
  const moments = momentsOf(plan);
  const last = moments.numberAt(now);
  const taken = last - moments.numberAt(since);
  return {
    name: plan.name,
    kept: Math.min(taken, plan.keep),
    ...(taken > 0 ? { lastTakenAt: timestamp(moments.momentOf(last)) } : {}),
  };
}

function momentsOf({ interval, timeOfDay, dayOfWeek, dayOfMonth }: SnapshotPlan): Moments {
  switch (interval) {
    case 'hourly':
      return every(hour_ms, 0);
    case 'daily':
      return every(day_ms, sinceMidnight_ms(timeOfDay));
    case 'weekly':
      return every(7 * day_ms, daysFromThursday[dayOfWeek ?? 'thursday'] * day_ms + sinceMidnight_ms(timeOfDay));
    case 'monthly':
      return everyMonth(((dayOfMonth ?? 1) - 1) * day_ms + sinceMidnight_ms(timeOfDay));
  }
}

function every(period_ms: number, phase_ms: number): Moments {
  return {
    numberAt: (at) => Math.floor((at - phase_ms) / period_ms),
    momentOf: (number) => number * period_ms + phase_ms,
  };
}

function everyMonth(phase_ms: number): Moments {
  const momentOf = (number: number) => Date.UTC(1970, number) + phase_ms;
  return {
    momentOf,
    numberAt: (at) => {
      const day = new Date(at);
      const number = (day.getUTCFullYear() - 1970) * 12 + day.getUTCMonth();
      return momentOf(number) <= at ? number : number - 1;
    },
  };
}

function sinceMidnight_ms(timeOfDay = '00:00Z'): number {
  const [hours, minutes] = timeOfDay.replace('Z', '').split(':').map(Number);
  return (hours ?? 0) * hour_ms + (minutes ?? 0) * minute_ms;
}
