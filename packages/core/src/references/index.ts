export { causeFrom, causeInWords, deleteAlong } from './cascade.ts';
export {
  deletionMarkOf,
  requestDeletion,
  requireOpen,
  withDeletionMark,
  type DeletionMark,
  type DeletionRequest,
} from './closing.ts';
export {
  addReference,
  claimsOf,
  isHeld,
  recordReference,
  referenceNameOf,
  removeReference,
  type Holder,
  type HoldDeps,
  type Used,
} from './hold.ts';
export { referenceLabels, ReferenceRecord, userNameLength } from './kind.ts';
export { referenceListRoute, type HeldKind, type ReferenceList } from './list.ts';
export { inBatches, moveFinalizers } from './migrate.ts';
export { referencesOfUser, referencesTo, refuseWhileProtected, refuseWhileProtectedIn, userWords } from './users.ts';
export { described, listed, shownUsers } from './words.ts';
export { DeleteQuery, HoldQuery, ReferenceQuery, ReferenceRead, ReleaseQuery } from './wire.ts';
