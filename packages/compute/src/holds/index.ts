export {
  aboutOf,
  aboutReference,
  hold,
  holdAll,
  holdingOf,
  letGo,
  letGoAll,
  referencesOf,
  release,
  settledClaim,
  settleHolds,
  settleProtection,
  type About,
  type HoldsDeps,
} from './hold.ts';
export { heldByAll, type HeldReference } from './held.ts';
export { holdsOf, isProtected, isSame, newHolds, userNameOf, type Hold, type Holding, type Used } from './wanted.ts';
