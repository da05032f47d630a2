import { defaultPolicyName, defaultSnapshotPolicy, type SnapshotPolicy } from '../../kinds/index.ts';
import { refused } from './fields.ts';

type Schedule = SnapshotPolicy['schedule'];

/** The fields that each interval needs. Other fields are refused. */
const moments: Readonly<Record<Schedule['interval'], readonly (keyof Schedule)[]>> = {
  hourly: [],
  daily: ['timeOfDay'],
  weekly: ['timeOfDay', 'dayOfWeek'],
  monthly: ['timeOfDay', 'dayOfMonth'],
};

/** The policies of users. The platform's own policy is not shown. */
export function ownPolicies(stored: readonly SnapshotPolicy[]): readonly SnapshotPolicy[] {
  return stored.filter(({ name }) => name !== defaultPolicyName);
}

/** The policies to store: those in the request, after validation, and the platform's own while protection is on. */
export function storedPolicies(asked: readonly SnapshotPolicy[], protection: boolean): readonly SnapshotPolicy[] {
  for (const [index, policy] of asked.entries()) {
    const at = `spec.snapshotPolicies.${index}`;
    if (policy.name === defaultPolicyName)
      throw refused(`${at}.name`, `${defaultPolicyName} is reserved for the platform; choose another name`);
    if (asked.findIndex(({ name }) => name === policy.name) < index)
      throw refused(`${at}.name`, 'must not be the name of another policy');
    checkSchedule(`${at}.schedule`, policy.schedule);
  }
  return protection ? [...asked, defaultSnapshotPolicy] : asked;
}

function checkSchedule(at: string, schedule: Schedule): void {
  const { interval } = schedule;
  for (const moment of ['timeOfDay', 'dayOfWeek', 'dayOfMonth'] as const) {
    const needed = moments[interval].includes(moment);
    if (needed !== (schedule[moment] !== undefined))
      throw refused(`${at}.${moment}`, `must be ${needed ? 'given' : 'left out'} for the interval ${interval}`);
  }
}
