export {
  aboutOf,
  aboutReference,
  hold,
  holdAll,
  holdingOf,
  kindsOf,
  letGo,
  letGoAll,
  release,
  settledClaim,
  settleHolds,
  settleProtection,
  usedBy,
  type About,
  type HoldsDeps,
} from './hold.ts';
export { holdsOf, isProtected, isSame, newHolds, userNameOf, type Hold, type Holding, type Used } from './wanted.ts';
