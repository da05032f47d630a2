import type { Static } from 'typebox';

import { defined } from '../defined.ts';
import type { DeepReadonly, Kind } from '../kinds/index.ts';
import type { AvailableReason, ConditionUpdate, HealthReason } from '../resource/index.ts';

/** A condition that a provisioner may write. The reconciler writes `Available`. */
export type DomainCondition = Pick<ConditionUpdate, 'status' | 'message'> &
  ({ readonly type: 'Healthy'; readonly reason: HealthReason } | { readonly type: 'Active'; readonly reason: string });

type OwnStatus<K extends Kind> = DeepReadonly<Static<K['ownStatus']>>;

/** The status fields to set. Undefined removes a field, and fields that are not named stay. */
export type StatusPatch<K extends Kind = Kind> = {
  readonly [Field in keyof OwnStatus<K>]?: OwnStatus<K>[Field] | undefined;
} & {
  readonly conditions?: readonly DomainCondition[];
};

/** Why an object is not ready yet, although there is no error. */
export type WaitingReason = Exclude<AvailableReason, 'Provisioned' | 'Errored' | 'Deprovisioning' | 'Deprovisioned'>;

/**
 * The reason that a failed attempt shows: progress if the failure will probably pass soon, an error if a user should
 * know.
 */
export type FailedReason = WaitingReason | 'Errored';

/** Why an object needs help before it is tried again. Only reasons that clients show as an error, never as progress. */
export type ParkedReason = Extract<AvailableReason, 'Errored' | 'DependencyNotFound'>;

export interface Done<Patch> {
  readonly type: 'done';
  readonly status?: Patch;
  /** When to reconcile again if no event comes earlier: the object is as desired, but a part of it still changes. */
  readonly after_ms?: number;
}

export interface Yield<Patch> {
  readonly type: 'yield';
  readonly reason: WaitingReason;
  readonly message: string;
  /** When to reconcile again if no event comes earlier. */
  readonly after_ms?: number;
  /**
   * The status is not written: the wait will probably end before a user reads the status. If it does not, the next
   * reconcile writes it.
   */
  readonly unsaid?: true;
  readonly status?: Patch;
}

export interface Retry<Patch> {
  readonly type: 'retry';
  readonly reason: FailedReason;
  readonly message: string;
  /** When to try again if no event comes earlier. By default the pause grows with every failure. */
  readonly after_ms?: number;
  readonly status?: Patch;
}

export interface Park<Patch> {
  readonly type: 'park';
  readonly reason: ParkedReason;
  readonly message: string;
  readonly status?: Patch;
}

/** The result of an attempt. A thrown error is unexpected, and is retried with backoff. Messages are shown to users. */
export type Outcome<Patch> = Done<Patch> | Yield<Patch> | Retry<Patch> | Park<Patch>;

/**
 * The desired state is reached.
 *
 * @example return done({ vlanId: observed.vlanId });
 */
export function done<Patch extends object = never>(status?: Patch, after_ms?: number): Done<Patch> {
  return { type: 'done', ...defined({ status, after_ms }) };
}

/**
 * The object is not ready yet: reconcile it again when an event comes, or after a pause.
 *
 * @example return yieldFor({ message: 'the network is being created', after_ms: 2_000 });
 */
export function yieldFor<Patch extends object = never>(
  wait: Omit<Yield<Patch>, 'type' | 'reason'> & { readonly reason?: WaitingReason },
): Yield<Patch> {
  return { reason: 'Provisioning', ...wait, type: 'yield' };
}

/**
 * The attempt failed and is retried. The number of attempts, the first failure and the next retry are stored in the
 * status.
 *
 * @example return tryAgain({ message: 'the cloud does not answer', reason: 'Errored' });
 */
export function tryAgain<Patch extends object = never>(
  failure: Omit<Retry<Patch>, 'type' | 'reason'> & { readonly reason?: FailedReason },
): Retry<Patch> {
  return { reason: 'Provisioning', ...failure, type: 'retry' };
}

/**
 * The attempt failed and is not retried until the object or one of its dependencies changes.
 *
 * @example return park({ message: 'the image does not fit the flavor', reason: 'Errored' });
 */
export function park<Patch extends object = never>(stop: Omit<Park<Patch>, 'type'>): Park<Patch> {
  return { ...stop, type: 'park' };
}
