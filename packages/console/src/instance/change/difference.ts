import type { InstancePlan } from '@unikorn/sdk';

export interface PlanLine {
  readonly is: 'added' | 'gone';
  readonly text: string;
}

/** What a new plan says that the one before did not say, and the other way round. `textOf` writes a changed field. */
export function planDifference(
  before: InstancePlan,
  after: InstancePlan,
  textOf: { readonly action: (plan: InstancePlan) => string; readonly change: (change: PlanChange) => string },
): readonly PlanLine[] {
  const linesIn = (plan: InstancePlan) => [
    textOf.action(plan),
    ...plan.changes.map(textOf.change),
    ...plan.losses,
    ...plan.warnings,
    ...plan.blockers.map(({ message }) => message),
  ];
  const [old, now] = [linesIn(before), linesIn(after)];
  return [
    ...old.filter((text) => !now.includes(text)).map((text) => ({ is: 'gone', text }) as const),
    ...now.filter((text) => !old.includes(text)).map((text) => ({ is: 'added', text }) as const),
  ];
}

export type PlanChange = InstancePlan['changes'][number];
