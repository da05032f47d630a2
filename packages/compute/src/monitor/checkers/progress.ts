import { annotations, findCondition, provisioningStatus } from '@unikorn/core/resource';

import { ComputeInstance } from '../../kinds/index.ts';
import type { Finding } from '../finding.ts';

/** An instance that has been in progress for too long. Instances that an operator paused are skipped. */
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
    // An instance in error is a finding of its own.
    case 'error':
    case 'deprovisioning':
      return false;
  }
}

/** The time since when it should have been done: the last change, or the last time when it stopped being ready. */
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
