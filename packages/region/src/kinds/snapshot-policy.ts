import { Type, type Static } from 'typebox';

import type { AdmissionRule, DeepReadonly } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';

import { SmallName } from './common.ts';

const Schedule = Type.Object({
  interval: Type.Union([
    Type.Literal('hourly'),
    Type.Literal('daily'),
    Type.Literal('weekly'),
    Type.Literal('monthly'),
  ]),
  timeOfDay: Type.Optional(Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]Z$' })),
  dayOfWeek: Type.Optional(Type.Enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])),
  /** Limited to days that every month has. */
  dayOfMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 28 })),
});

/** When snapshots are taken, and how many are kept. */
export const SnapshotPolicy = Type.Object({
  name: Type.String({ ...SmallName, maxLength: 19 }),
  schedule: Schedule,
  retention: Type.Object({ keep: Type.Integer({ minimum: 1 }) }),
});
export type SnapshotPolicy = DeepReadonly<Static<typeof SnapshotPolicy>>;

/** Reserved for the platform's own policy, which the API does not show. */
export const defaultPolicyName = 'system-default';

export const defaultSnapshotPolicy: SnapshotPolicy = {
  name: defaultPolicyName,
  schedule: { interval: 'daily', timeOfDay: '04:00Z' },
  retention: { keep: 7 },
};

const policies = 'self.spec.snapshotPolicies';

/** Each interval needs exactly the fields of its schedule. */
export const snapshotPolicyRules: readonly AdmissionRule[] = [
  {
    rule: `${policies}.all(one, ${policies}.exists_one(other, other.name == one.name))`,
    message: 'the names of snapshot policies must be unique',
  },
  {
    rule: `${policies}.filter(policy, policy.name != "${defaultPolicyName}").size() <= ${fieldLimits.snapshotPolicies}`,
    message: `there can be at most ${fieldLimits.snapshotPolicies} snapshot policies`,
  },
  {
    rule: `${policies}.all(policy, has(policy.schedule.timeOfDay) == (policy.schedule.interval != "hourly"))`,
    message: 'timeOfDay must be set for every interval except hourly',
  },
  {
    rule: `${policies}.all(policy, has(policy.schedule.dayOfWeek) == (policy.schedule.interval == "weekly"))`,
    message: 'dayOfWeek must be set for weekly, and only for weekly',
  },
  {
    rule: `${policies}.all(policy, has(policy.schedule.dayOfMonth) == (policy.schedule.interval == "monthly"))`,
    message: 'dayOfMonth must be set for monthly, and only for monthly',
  },
];
