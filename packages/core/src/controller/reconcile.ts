import { isDeepStrictEqual } from 'node:util';

import { defined } from '../defined.ts';
import type { FrameworkStatus, Kind, Metadata, Resource, StatusOf } from '../kinds/index.ts';
import { internalLimits, limits } from '../limits.ts';
import {
  finalizers,
  foreignFinalizers,
  parseReference,
  withCondition,
  type AvailableReason,
  type Condition,
  type ConditionUpdate,
  type Realisation,
} from '../resource/index.ts';
import { timestamp } from '../world/index.ts';
import { backoff_ms } from '../backoff.ts';
import { yieldFor, type Outcome, type StatusPatch, type Yield } from './outcome.ts';

/** The fields of an object that the reconciler needs for its decisions. */
export interface Managed {
  readonly metadata: Metadata;
  readonly spec: unknown;
  readonly status?: FrameworkStatus;
}

export type Path = 'provision' | 'deprovision';

/** The next action for an object. */
export type Plan =
  | { readonly type: 'nothing'; readonly why: 'paused' | 'released' | 'complete' }
  | { readonly type: 'wait'; readonly outcome: Yield<never> }
  | { readonly type: 'provision'; readonly finalizer: 'held' | 'missing' }
  | { readonly type: 'deprovision' };

/**
 * Decides the next action. Deletion comes before pause: a paused object can still be deleted. Kinds that are complete
 * once they are stored only need the deletion.
 */
export function planReconcile(object: Managed, realisation: Realisation): Plan {
  if (object.metadata.deletionTimestamp !== undefined) return planDeletion(object.metadata);
  if (realisation === 'static') return { type: 'nothing', why: 'complete' };
  if (isPaused(object.spec)) return { type: 'nothing', why: 'paused' };
  return {
    type: 'provision',
    finalizer: object.metadata.finalizers?.includes(finalizers.framework) ? 'held' : 'missing',
  };
}

function planDeletion(metadata: Metadata): Plan {
  if (!metadata.finalizers?.length) return { type: 'nothing', why: 'released' };
  const holders = foreignFinalizers(metadata).map(parseReference);
  if (holders.length > 0)
    return {
      type: 'wait',
      outcome: yieldFor({
        message: `still used by ${few(holders.map(({ kind, id }) => `${pluralOf(kind)} ${id}`.trim()))}`,
      }),
    };
  if (metadata.finalizers.includes(finalizers.foreground))
    return {
      type: 'wait',
      outcome: yieldFor({ message: 'waiting until the resources that belong to it are deleted' }),
    };
  return { type: 'deprovision' };
}

function isPaused(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && 'pause' in spec && spec.pause === true;
}

/** The plural without the API group, because users know resources by that name. */
function pluralOf(kind: string): string {
  return kind.replace(/\..*/, '');
}

const { waitedNames: named } = internalLimits;

function few(items: readonly string[]): string {
  const rest = items.length - named;
  return rest > 0 ? `${items.slice(0, named).join(', ')} and ${rest} more` : items.join(', ');
}

/** An error that a provisioner threw. */
export interface Failure {
  readonly type: 'error';
  readonly error: Error;
}

export type Ending<Patch = unknown> = Outcome<Patch> | Failure;

export interface Circumstances {
  readonly path: Path;
  readonly now: number;
  /** Failed attempts in a row, this one included. */
  readonly failures: number;
  readonly random: number;
}

export interface Settlement {
  /** The new content of the condition `Available`. */
  readonly available: ConditionUpdate;
  readonly retry?: NonNullable<FrameworkStatus['retry']>;
  /** When to reconcile again without an event; absent when only an event wakes the object. */
  readonly after_ms?: number;
}

/** Decides the new status of the object and the time of the next reconcile from the result of an attempt. */
export function settle({ metadata, status }: Managed, ending: Ending, circumstances: Circumstances): Settlement {
  const { path } = circumstances;
  const standing = (state: 'True' | 'False', reason: AvailableReason, message: string): ConditionUpdate => ({
    type: 'Available',
    status: state,
    reason,
    message,
    observedGeneration: metadata.generation,
  });
  const before = observes({ metadata, status }) ? status?.retry : undefined;
  const retried = (
    available: ConditionUpdate,
    after_ms = backoff_ms(circumstances.failures, circumstances.random),
  ): Settlement => ({
    available,
    retry: {
      attempts: circumstances.failures,
      since: before?.since ?? timestamp(circumstances.now),
      nextTime: timestamp(circumstances.now + after_ms),
    },
    after_ms,
  });
  switch (ending.type) {
    case 'done':
      return {
        available: standing('True', path === 'provision' ? 'Provisioned' : 'Deprovisioned', ''),
        ...defined({ after_ms: ending.after_ms }),
      };
    case 'yield':
      return {
        available: standing('False', path === 'provision' ? ending.reason : 'Deprovisioning', ending.message),
        after_ms: ending.after_ms ?? limits.yield_ms,
      };
    case 'retry':
      return retried(
        standing('False', path === 'provision' ? ending.reason : 'Deprovisioning', ending.message),
        ending.after_ms,
      );
    case 'park':
      // A deletion is never given up: it is retried with the longest pause.
      if (path === 'deprovision') return retried(standing('False', 'Errored', ending.message), limits.backoffMax_ms);
      return { available: standing('False', ending.reason, ending.message) };
    case 'error':
      return retried(standing('False', 'Errored', 'an unexpected error occurred'));
  }
}

/** Whether the attempt failed and will be retried automatically. */
export function isFailed({ type }: Ending, path: Path): boolean {
  return type === 'error' || type === 'retry' || (type === 'park' && path === 'deprovision');
}

/** Whether the status is about the current spec. */
export function observes({
  metadata,
  status,
}: Pick<Managed, 'metadata'> & { readonly status?: FrameworkStatus | undefined }): boolean {
  return status?.observedGeneration === metadata.generation;
}

/** The status after a settlement, or undefined if it does not change. */
export function nextStatus<K extends Kind>(
  object: Resource<K>,
  patch: StatusPatch<K> | undefined,
  settlement: Settlement,
  now: number,
): StatusOf<K> | undefined;
export function nextStatus(
  object: Managed,
  patch: StatusPatch | undefined,
  { available, retry }: Settlement,
  now: number,
): object | undefined {
  const { generation } = object.metadata;
  const { conditions = [], ...fields } = patch ?? {};
  return withStatus(object, { ...fields, observedGeneration: generation, retry }, [available, ...conditions], now);
}

/**
 * The status with a patch applied, or undefined if it does not change. Monitors use it, because they write the status
 * besides the controller.
 *
 * @example const status = patchedStatus(server, { phase: 'Running' }, world.now());
 */
export function patchedStatus<K extends Kind>(
  object: Resource<K>,
  patch: StatusPatch<K>,
  now: number,
): StatusOf<K> | undefined;
export function patchedStatus(
  object: Managed,
  { conditions = [], ...fields }: StatusPatch,
  now: number,
): object | undefined {
  return withStatus(object, fields, conditions, now);
}

function withStatus(
  { metadata, status }: Managed,
  fields: object,
  updates: readonly ConditionUpdate[],
  now: number,
): object | undefined {
  const stamped = updates.map((update) => ({ ...update, observedGeneration: metadata.generation }));
  const conditions = stamped.reduce<readonly Condition[] | undefined>(
    (all, update) => withCondition(all, update, now),
    status?.conditions,
  );
  const patch = { ...fields, conditions };
  return status && contains(status, patch) ? undefined : defined({ ...status, ...patch });
}

/** Whether the status already has these values. Most checks change nothing, so nothing is copied for them. */
function contains<T extends object>(status: T, patch: { readonly [Name in keyof T]?: T[Name] | undefined }): boolean;
function contains(status: Readonly<Record<string, unknown>>, patch: Readonly<Record<string, unknown>>): boolean {
  for (const name in patch)
    if (patch[name] !== status[name] && !isDeepStrictEqual(patch[name], status[name])) return false;
  return true;
}
