import { Type, type Static } from 'typebox';

import { timestamp } from '../world/index.ts';

export const availableReasons = [
  'Provisioning',
  'Provisioned',
  'Errored',
  'Deprovisioning',
  'Deprovisioned',
  'DependencyNotReady',
  'DependencyFailed',
  'DependencyNotFound',
] as const;
export type AvailableReason = (typeof availableReasons)[number];

export const healthReasons = ['Healthy', 'Degraded', 'Errored', 'Unknown'] as const;
export type HealthReason = (typeof healthReasons)[number];

/**
 * The health reasons that clients know. An error is shown by the status, and its reason is mapped to the nearest of
 * these.
 */
export const wireHealthReasons = ['Healthy', 'Degraded', 'Unknown'] as const;
export type WireHealthReason = (typeof wireHealthReasons)[number];

/** The framework writes `Available`, provisioners and monitors write `Healthy`, and services write `Active`. */
export const conditionTypes = ['Available', 'Healthy', 'Active'] as const;
export type ConditionType = (typeof conditionTypes)[number];

export const Condition = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 316 }),
  status: Type.Union([Type.Literal('True'), Type.Literal('False'), Type.Literal('Unknown')]),
  /** Any reason is allowed, because services have lifecycle reasons of their own. */
  reason: Type.String({ pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$', maxLength: 1024 }),
  message: Type.String({ maxLength: 32768 }),
  lastTransitionTime: Type.String(),
  observedGeneration: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type Condition = Readonly<Static<typeof Condition>>;

export type ConditionUpdate = Omit<Condition, 'lastTransitionTime'>;

/** @example findCondition(server.status?.conditions, 'Available')?.reason */
export function findCondition(
  conditions: readonly Condition[] | undefined,
  type: ConditionType,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The transition time only changes with the status. Reason and message are always updated. Returns the same list if
 * nothing changes.
 *
 * @example const conditions = withCondition(status.conditions, { type: 'Healthy', status: 'True', reason: 'Healthy', message: '' }, world.now());
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: number,
): readonly Condition[] {
  const before = conditions?.find((condition) => condition.type === update.type);
  if (conditions && sameCondition(before, update) && before?.observedGeneration === update.observedGeneration)
    return conditions;
  const lastTransitionTime = before?.status === update.status ? before.lastTransitionTime : timestamp(now);
  const after: Condition = { ...update, lastTransitionTime };
  return before
    ? (conditions ?? []).map((condition) => (condition === before ? after : condition))
    : [...(conditions ?? []), after];
}

/** Whether two conditions look the same to a reader. If not, a transition is announced. */
export function sameCondition(a: ConditionUpdate | undefined, b: ConditionUpdate | undefined): boolean {
  return a?.status === b?.status && a?.reason === b?.reason && a?.message === b?.message;
}
