export { disruptions, type Disruption } from '../fields/index.ts';
export {
  changesBetween,
  disruptionOf,
  effects,
  observedFields,
  wireFields,
  wishOf,
  type Change,
  type ServerWish,
} from './changes.ts';
export { exceeds, isConditional, objectionTo, type UpdateLimits } from './demand.ts';
export {
  planUpdate,
  type Blocker,
  type PlanInput,
  type Plan,
  type PlannedChange,
  type QuotaEffect,
  type Wanted,
} from './plan.ts';
export { decide, type Action } from './decide.ts';
