import type { FileStorage } from '@unikorn/sdk';

import { mergedBy } from '../parts/three-way.ts';
import { words } from '../words/index.ts';

export type Policy = NonNullable<FileStorage['spec']['snapshotPolicies']>[number];

export const intervals = ['hourly', 'daily', 'weekly', 'monthly'] as const satisfies readonly Interval[];
type Interval = Policy['schedule']['interval'];

export const days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly Policy['schedule']['dayOfWeek'][];

/** The service takes this many policies. */
export const mostPolicies = 4;

/** A policy while it is being written. Every field has a value, also those that its interval does not use. */
export interface DraftPolicy {
  readonly name: string;
  readonly interval: Interval;
  /** In UTC, such as 03:00. */
  readonly time: string;
  readonly dayOfWeek: (typeof days)[number];
  readonly dayOfMonth: string;
  readonly keep: string;
}

export const newPolicy: DraftPolicy = {
  name: '',
  interval: 'daily',
  time: '03:00',
  dayOfWeek: 'sunday',
  dayOfMonth: '1',
  keep: '7',
};

export function draftPolicyOf({ name, schedule, retention }: Policy): DraftPolicy {
  const { interval, timeOfDay, dayOfWeek, dayOfMonth } = schedule;
  return {
    name,
    interval,
    time: timeOfDay?.replace(/Z$/, '') ?? newPolicy.time,
    dayOfWeek: dayOfWeek ?? newPolicy.dayOfWeek,
    dayOfMonth: String(dayOfMonth ?? newPolicy.dayOfMonth),
    keep: String(retention.keep),
  };
}

/** The policy as the API takes it, with what its interval uses. */
export function policyOf({ name, interval, time, dayOfWeek, dayOfMonth, keep }: DraftPolicy): Policy {
  return {
    name: name.trim(),
    schedule: {
      interval,
      ...(interval === 'hourly' ? {} : { timeOfDay: `${time}Z` }),
      ...(interval === 'weekly' ? { dayOfWeek } : {}),
      ...(interval === 'monthly' ? { dayOfMonth: Number(dayOfMonth) } : {}),
    },
    retention: { keep: Number(keep) },
  };
}

/** Policies in one line. */
export function policiesText(policies: readonly DraftPolicy[]): string {
  const texts = words.fileStorage;
  return policies.map(({ name, interval, keep }) => `${name}: ${texts.policy(interval, keep)}`).join('; ');
}

export const mergedPolicies = mergedBy((policy: DraftPolicy) => JSON.stringify(policyOf(policy)));

/** Why the policies cannot be sent. */
export function policyFlaw(policies: readonly DraftPolicy[]): string | undefined {
  const texts = words.fileStorage;
  if (policies.some(({ name }) => !/^[a-z]([-a-z0-9]{0,17}[a-z0-9])?$/.test(name.trim()))) return texts.policyNameHint;
  if (policies.some(({ keep }) => !/^[1-9]\d{0,3}$/.test(keep) || Number(keep) > 1000)) return texts.policyKeepHint;
  if (policies.some(({ time }) => !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))) return texts.policyTimeHint;
  return policies.some(({ dayOfMonth }) => !/^([1-9]|1\d|2[0-8])$/.test(dayOfMonth)) ? texts.policyDayHint : undefined;
}
