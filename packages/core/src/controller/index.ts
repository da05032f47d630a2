export { whenAborted } from './abort.ts';
export { WatchCache, type CacheChange, type CacheContext, type CacheListener } from './cache.ts';
export { ObjectIndex, type CacheIndex } from './cache-index.ts';
export { Caches, type Copy } from './caches.ts';
export { CascadingDelete, type CascadeOptions, type CascadeTarget, type Fate, type Owners } from './cascade.ts';
export { Controller, type ControllerContext, type ControllerOptions } from './controller.ts';
export type { Runnable } from './crew.ts';
export { dependencyFailed, dependencyNotFound, dependencyNotReady, readiness, shownReadiness } from './dependency.ts';
export { runAsLeader, type Election, type Predecessor } from './election.ts';
export { liveHolders } from './holders.ts';
export { Lease } from './lease.ts';
export {
  done,
  park,
  tryAgain,
  yieldFor,
  type DomainCondition,
  type Done,
  type FailedReason,
  type Outcome,
  type Park,
  type ParkedReason,
  type Retry,
  type StatusPatch,
  type WaitingReason,
  type Yield,
} from './outcome.ts';
export type { ProvisionContext, Provisioner } from './provisioner.ts';
export type { Priority } from './queue.ts';
export { patchedStatus } from './reconcile.ts';
export { lettingGo, waitWhileReferenced } from './referenced.ts';
export { isRecount, related, type Related } from './related.ts';
export {
  announceTransition,
  transitionBetween,
  transitionSubject,
  type Transition,
  type TransitionListener,
  type TransitionStream,
  type TransitionSubject,
} from './transition.ts';
