import { disruptions, type Disruption } from '../fields/index.ts';
import type { Plan } from './plan.ts';

/** The limits that an update can set on its own effect. */
export interface UpdateLimits {
  /** The token of the confirmed plan. */
  readonly planToken?: string;
  /** The greatest allowed disruption. */
  readonly maxDisruption?: Disruption;
}

/** Whether an update sets a limit, so that it must be planned first. */
export function isConditional({ planToken, maxDisruption }: UpdateLimits): boolean {
  return planToken !== undefined || maxDisruption !== undefined;
}

/** The reason why an update exceeds its limits; undefined if it does not. */
export function objectionTo({ action, token }: Plan, { planToken, maxDisruption }: UpdateLimits): string | undefined {
  if (planToken !== undefined && planToken !== token)
    return 'query.planToken: the plan is out of date, or belongs to another change; read the new plan and send its token';
  if (maxDisruption !== undefined && exceeds(action, maxDisruption))
    return `query.maxDisruption: the change needs ${action}, but at most ${maxDisruption} is allowed; allow more, or change less`;
  return undefined;
}

/** Whether one disruption is worse than the other. */
export function exceeds(action: Disruption, most: Disruption): boolean {
  return disruptions.indexOf(action) > disruptions.indexOf(most);
}
