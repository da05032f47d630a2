import type { InstancePlan } from '@unikorn/sdk';
import { expect, it } from 'vitest';

import { planDifference } from './difference.ts';

const plan = (changes: Partial<InstancePlan>): InstancePlan => ({
  action: 'in-place',
  token: 'a',
  changes: [],
  losses: [],
  warnings: [],
  blockers: [],
  quota: [],
  ...changes,
});
const textOf = {
  action: ({ action }: InstancePlan) => action,
  change: ({ field, from, to }: InstancePlan['changes'][number]) => `${field}: ${String(from)} → ${String(to)}`,
};
const change = (field: string, to: string) => ({ field, from: 'a', to, action: 'rebuild' as const });

it('a newer plan is shown as what is new, and what is no longer so', () => {
  const before = plan({ changes: [change('spec.imageId', 'b')], warnings: ['kept'] });
  const after = plan({
    action: 'rebuild',
    changes: [change('spec.imageId', 'c')],
    warnings: ['kept'],
    losses: ['disk'],
  });
  expect(planDifference(before, after, textOf)).toEqual([
    { is: 'gone', text: 'in-place' },
    { is: 'gone', text: 'spec.imageId: a → b' },
    { is: 'added', text: 'rebuild' },
    { is: 'added', text: 'spec.imageId: a → c' },
    { is: 'added', text: 'disk' },
  ]);
});

it('plans that say the same have no difference', () => {
  expect(planDifference(plan({ token: 'a' }), plan({ token: 'b' }), textOf)).toEqual([]);
});
