import { expect, it } from 'vitest';

import { draftPolicyOf, newPolicy, policyFlaw, policyOf, type Policy } from './policies.ts';

const policies: readonly Policy[] = [
  { name: 'often', schedule: { interval: 'hourly' }, retention: { keep: 24 } },
  { name: 'nightly', schedule: { interval: 'daily', timeOfDay: '03:30Z' }, retention: { keep: 7 } },
  {
    name: 'weekly',
    schedule: { interval: 'weekly', timeOfDay: '04:00Z', dayOfWeek: 'friday' },
    retention: { keep: 4 },
  },
  { name: 'monthly', schedule: { interval: 'monthly', timeOfDay: '05:00Z', dayOfMonth: 28 }, retention: { keep: 12 } },
];

it.each(policies)('the policy $name is the same after it was written in a form', (policy) => {
  expect(policyOf(draftPolicyOf(policy))).toEqual(policy);
});

it.each([
  [{ name: 'Nightly' }, /lower case/],
  [{ name: 'a'.repeat(20) }, /lower case/],
  [{ keep: '0' }, /1 to 1000/],
  [{ keep: '1001' }, /1 to 1000/],
  [{ time: '24:00' }, /03:00/],
  [{ dayOfMonth: '31' }, /1 to 28/],
])('%j is refused before it is sent', (changes, reason) => {
  expect(policyFlaw([{ ...newPolicy, name: 'nightly', ...changes }])).toMatch(reason);
  expect(policyFlaw([{ ...newPolicy, name: 'nightly' }])).toBeUndefined();
});
