import { findCondition, healthStatus, provisioningStatus } from '@unikorn/core/resource';

import { ComputeInstance } from '../../kinds/index.ts';
import type { Finding } from '../finding.ts';

/** An instance that cannot be provisioned, or whose machine has failed, unless it is being deleted. */
export function checkFailure(instance: ComputeInstance): readonly Finding[] {
  const failed =
    provisioningStatus(instance, ComputeInstance.realisation) === 'error'
      ? 'Available'
      : healthStatus(instance, ComputeInstance.realisation) === 'error'
        ? 'Healthy'
        : undefined;
  if (failed === undefined || instance.metadata.deletionTimestamp !== undefined) return [];
  const { lastTransitionTime = '', message = '' } = findCondition(instance.status?.conditions, failed) ?? {};
  return [
    {
      checker: 'instance-in-error',
      id: instance.metadata.name,
      evidence: `${failed} ${lastTransitionTime}`,
      message: `it is in error since ${lastTransitionTime}${message === '' ? '' : `: ${message}`}`,
    },
  ];
}
