export {
  changesBetween,
  disruptionOf,
  disruptions,
  effects,
  standingOf,
  wishOf,
  type Change,
  type Disruption,
  type ServerWish,
} from './changes.ts';
export { exceeds, isConditional, objectionTo, type Consent } from './demand.ts';
export {
  planUpdate,
  wireFields,
  type Blocker,
  type Circumstances,
  type Plan,
  type PlannedChange,
  type QuotaEffect,
  type Wanted,
} from './plan.ts';
export { decide, disruptionBy, type Action } from './decide.ts';
