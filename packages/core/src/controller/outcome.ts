import type { Static } from 'typebox';

import { defined } from '../defined.ts';
import type { DeepReadonly, Kind } from '../kinds/index.ts';
import type { AvailableReason, ConditionUpdate, HealthReason } from '../resource/index.ts';

/** A condition a provisioner may write; `Available` belongs to the reconciler. */
export type DomainCondition = Pick<ConditionUpdate, 'status' | 'message'> &
  ({ readonly type: 'Healthy'; readonly reason: HealthReason } | { readonly type: 'Active'; readonly reason: string });

type OwnStatus<K extends Kind> = DeepReadonly<Static<K['ownStatus']>>;

/** Fields of the status to set; undefined removes one, and what is not named stays. */
export type StatusPatch<K extends Kind = Kind> = {
  readonly [Field in keyof OwnStatus<K>]?: OwnStatus<K>[Field] | undefined;
} & {
  readonly conditions?: readonly DomainCondition[];
};

/** Why something is not there yet, although nothing went wrong. */
export type WaitingReason = Exclude<AvailableReason, 'Provisioned' | 'Errored' | 'Deprovisioning' | 'Deprovisioned'>;

/**
 * The reason that a failed attempt shows: progress if the failure will probably pass soon, an error if a user should
 * know.
 */
export type FailedReason = WaitingReason | 'Errored';

/** Why something will not come without help; only reasons that read as an error, never as progress. */
export type ParkedReason = Extract<AvailableReason, 'Errored' | 'DependencyNotFound'>;

export interface Done<Patch> {
  readonly type: 'done';
  readonly status?: Patch;
  /** When to look again before anything asks for it: it is as it should be, but something about it still moves. */
  readonly after_ms?: number;
}

export interface Yield<Patch> {
  readonly type: 'yield';
  readonly reason: WaitingReason;
  readonly message: string;
  /** When to look again if no event says so earlier. */
  readonly after_ms?: number;
  /**
   * Not written down: what is waited for is likely to come before anybody reads of it, and if it does not, the next
   * look says so.
   */
  readonly unsaid?: true;
  readonly status?: Patch;
}

export interface Retry<Patch> {
  readonly type: 'retry';
  readonly reason: FailedReason;
  readonly message: string;
  /** When to try again if no event says so earlier; longer every time where it is left out. */
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

/** The desired state is reached. */
export function done<Patch extends object = never>(status?: Patch, after_ms?: number): Done<Patch> {
  return { type: 'done', ...defined({ status, after_ms }) };
}

/** Not there yet: look again when an event says so, or after a while. */
export function yieldFor<Patch extends object = never>(
  wait: Omit<Yield<Patch>, 'type' | 'reason'> & { readonly reason?: WaitingReason },
): Yield<Patch> {
  return { reason: 'Provisioning', ...wait, type: 'yield' };
}

/**
 * It went wrong, and is tried again: how often it was tried, since when, and when it is tried next is written down for
 * whoever asks.
 */
export function tryAgain<Patch extends object = never>(
  failure: Omit<Retry<Patch>, 'type' | 'reason'> & { readonly reason?: FailedReason },
): Retry<Patch> {
  return { reason: 'Provisioning', ...failure, type: 'retry' };
}

/** It will not work until somebody changes the object or what it depends on. */
export function park<Patch extends object = never>(stop: Omit<Park<Patch>, 'type'>): Park<Patch> {
  return { ...stop, type: 'park' };
}
