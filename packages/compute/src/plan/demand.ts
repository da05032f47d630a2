import { disruptions, type Disruption } from '../fields/index.ts';
import type { Plan } from './plan.ts';

/** What an update may say about how far it may go. */
export interface UpdateLimits {
  /** The plan that was agreed to. */
  readonly planToken?: string;
  /** The most that may be done. */
  readonly maxDisruption?: Disruption;
}

/** Whether an update says anything, so that it has to be planned first. */
export function isConditional({ planToken, maxDisruption }: UpdateLimits): boolean {
  return planToken !== undefined || maxDisruption !== undefined;
}

/** Why an update must not be made, as far as it was agreed to; undefined when it may. */
export function objectionTo({ action, token }: Plan, { planToken, maxDisruption }: UpdateLimits): string | undefined {
  if (planToken !== undefined && planToken !== token)
    return 'query.planToken: the plan is out of date, or belongs to another change; read the new plan and send its token';
  if (maxDisruption !== undefined && exceeds(action, maxDisruption))
    return `query.maxDisruption: the change needs ${action}, but at most ${maxDisruption} is allowed; allow more, or change less`;
  return undefined;
}

/** Whether one does more harm than the other. */
export function exceeds(action: Disruption, most: Disruption): boolean {
  return disruptions.indexOf(action) > disruptions.indexOf(most);
}
