import { annotations, findCondition, provisioningStatus } from '@unikorn/core/resource';

import { ComputeInstance } from '../../kinds/index.ts';
import type { Finding } from '../finding.ts';

/** An instance that has been on its way for too long. One that an operator paused is left alone on purpose. */
export function checkProgress(instance: ComputeInstance, now: number, stuckAfter_ms: number): readonly Finding[] {
  const { name: id, deletionTimestamp } = instance.metadata;
  const since = deletionTimestamp ?? (isUnderWay(instance) ? lastNews(instance) : undefined);
  if (since === undefined || now - Date.parse(since) <= stuckAfter_ms) return [];
  const message = findCondition(instance.status?.conditions, 'Available')?.message ?? '';
  const [checker, doing] =
    deletionTimestamp === undefined
      ? (['stuck-provisioning', 'provisioned'] as const)
      : (['stuck-deleting', 'deleted'] as const);
  return [
    {
      checker,
      id,
      evidence: since,
      message: `it has not been ${doing} since ${since}${message === '' ? '' : `: ${message}`}`,
    },
  ];
}

function isUnderWay(instance: ComputeInstance): boolean {
  const { metadata, spec, status } = instance;
  if (spec.pause) return false;
  switch (provisioningStatus(instance, ComputeInstance.realisation)) {
    case 'pending':
    case 'provisioning':
      return true;
    case 'provisioned':
      return status?.observedGeneration !== metadata.generation;
    // Whatever is in error says so itself.
    case 'error':
    case 'deprovisioning':
      return false;
  }
}

/** Since when it could have been done: what was last asked for, or when it last ceased to be as it should. */
function lastNews({ metadata, status }: ComputeInstance): string {
  const times = [
    metadata.annotations?.[annotations.modifiedTimestamp],
    findCondition(status?.conditions, 'Available')?.lastTransitionTime,
  ];
  return times.reduce<string>(
    (latest, time) => (time !== undefined && Date.parse(time) > Date.parse(latest) ? time : latest),
    metadata.creationTimestamp,
  );
}
