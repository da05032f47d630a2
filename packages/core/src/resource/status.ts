import { findCondition, type Condition } from './conditions.ts';

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

/** A reason we do not know reads as what its status says: never as progress, which nobody may be making. */
export function provisioningStatus(object: Standing, realisation: Realisation): ProvisioningStatus {
  if (object.metadata.deletionTimestamp !== undefined) return 'deprovisioning';
  if (realisation === 'static') return 'provisioned';
  const available = findCondition(object.status?.conditions, 'Available');
  if (!available) return 'pending';
  switch (available.reason) {
    case 'Provisioning':
    case 'DependencyNotReady':
    case 'DependencyFailed':
      return 'provisioning';
    case 'Provisioned':
      return 'provisioned';
    case 'Errored':
    case 'DependencyNotFound':
      return 'error';
    case 'Deprovisioning':
    case 'Deprovisioned':
      return 'deprovisioning';
    default:
      return available.status === 'True' ? 'provisioned' : 'error';
  }
}

export function healthStatus(object: Standing, realisation: Realisation): HealthStatus {
  if (realisation === 'static') return 'healthy';
  switch (findCondition(object.status?.conditions, 'Healthy')?.reason) {
    case 'Healthy':
      return 'healthy';
    case 'Degraded':
      return 'degraded';
    case 'Errored':
      return 'error';
    default:
      return 'unknown';
  }
}
