import {
  availableReasons,
  findCondition,
  healthReasons,
  type AvailableReason,
  type Condition,
  type HealthReason,
} from './conditions.ts';

export const provisioningStatuses = ['pending', 'provisioning', 'provisioned', 'deprovisioning', 'error'] as const;
export type ProvisioningStatus = (typeof provisioningStatuses)[number];

export const healthStatuses = ['unknown', 'healthy', 'degraded', 'error'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** The part of an object that its coarse status follows from. */
interface Standing {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Kinds without a controller never get conditions: they are what they are as soon as they are stored. */
export type Realisation = 'controlled' | 'static';

/** When a change of an object is complete: once a controller has carried it out, or once it is stored. */
export type Changes = 'realised' | 'stored';

/** What each reason of the framework means. A reason that is added there and not here does not compile. */
const provisioningBy: Readonly<Record<AvailableReason, ProvisioningStatus>> = {
  Provisioning: 'provisioning',
  DependencyNotReady: 'provisioning',
  DependencyFailed: 'provisioning',
  Provisioned: 'provisioned',
  Errored: 'error',
  DependencyNotFound: 'error',
  Deprovisioning: 'deprovisioning',
  Deprovisioned: 'deprovisioning',
};

const healthBy: Readonly<Record<HealthReason, HealthStatus>> = {
  Healthy: 'healthy',
  Degraded: 'degraded',
  Errored: 'error',
  Unknown: 'unknown',
};

/**
 * The status that follows from an object's condition. A reason that is not known here is read by the condition's
 * status, never as progress.
 */
export function provisioningStatus(object: Standing, realisation: Realisation): ProvisioningStatus {
  if (object.metadata.deletionTimestamp !== undefined) return 'deprovisioning';
  if (realisation === 'static') return 'provisioned';
  const available = findCondition(object.status?.conditions, 'Available');
  if (!available) return 'pending';
  const reason = availableReasons.find((known) => known === available.reason);
  if (reason !== undefined) return provisioningBy[reason];
  return available.status === 'True' ? 'provisioned' : 'error';
}

export function healthStatus(object: Standing, realisation: Realisation): HealthStatus {
  if (realisation === 'static') return 'healthy';
  const told = findCondition(object.status?.conditions, 'Healthy')?.reason;
  return healthBy[healthReasons.find((known) => known === told) ?? 'Unknown'];
}
