import { tryAgain, type Done, type ProvisionContext, type Retry } from '@unikorn/core/controller';
import { isProblem, type Problem } from '@unikorn/core/errors';
import { findCondition } from '@unikorn/core/resource';

import type { ComputeInstance } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import type { InstancePatch } from './projection.ts';

/**
 * Runs an attempt that calls region. A refusal is shown with region's message. If region does not answer, this is not
 * shown for an instance that is already settled.
 */
export async function unlessRefused<Outcome>(
  instance: ComputeInstance,
  log: ProvisionContext['log'],
  attempt: () => Promise<Outcome>,
): Promise<Outcome | Retry<InstancePatch> | Done<never>> {
  try {
    return await attempt();
  } catch (error) {
    // A concurrent change was faster. The next pass sees it.
    if (!isProblem(error) || error.code === 'conflict') throw error;
    if (error.status < 500)
      return tryAgain<InstancePatch>({
        reason: 'Errored',
        message: error.message,
        after_ms: waits.refusal_ms.refused,
        status: { heldUpBy: 'machine' },
      });
    log.warn({ err: error }, 'the region service could not be called about an instance');
    return isSettled(instance) ? { type: 'done', after_ms: waits.refusal_ms.away } : away(error);
  }
}

function away({ message }: Problem): Retry<InstancePatch> {
  return tryAgain<InstancePatch>({
    reason: 'DependencyFailed',
    message: `its region cannot be reached at the moment: ${message}`,
    after_ms: waits.refusal_ms.away,
    status: { heldUpBy: 'region' },
  });
}

/** Whether the last requested change is complete. */
export function isSettled({ metadata, status }: Pick<ComputeInstance, 'metadata' | 'status'>): boolean {
  if (status?.observedGeneration !== metadata.generation || status.replacement !== undefined) return false;
  return findCondition(status.conditions, 'Available')?.status === 'True';
}
