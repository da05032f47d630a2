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

/** The fields that the coarse status is derived from. */
interface Standing {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Kinds without a controller have no conditions: they are complete once they are stored. */
export type Realisation = 'controlled' | 'static';

/** When a change of an object is complete: once a controller has applied it, or once it is stored. */
export type Changes = 'realised' | 'stored';

/** The status of each framework reason. A new reason without an entry here does not compile. */
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
 * The status that is derived from an object's condition. For an unknown reason the condition's status decides, and it
 * is never shown as progress.
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
