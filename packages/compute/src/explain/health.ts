import type { FrameworkStatus } from '@unikorn/core/kinds';
import { findCondition } from '@unikorn/core/resource';

import type { Standing } from './node.ts';

/** Whether something that is there does what it should; undefined when it does. That nobody can tell is no better. */
export function illness(status: FrameworkStatus | undefined): Standing | undefined {
  const health = findCondition(status?.conditions, 'Healthy');
  if (!health || health.status === 'True') return undefined;
  return {
    state: 'degraded',
    reason: health.reason,
    message: health.message || 'it is not healthy',
    since: health.lastTransitionTime,
  };
}

/** What helps what is unwell, where that is not what usually does. */
export function cureFor({ state, reason }: Standing): { readonly unblockedBy?: string } {
  return state === 'degraded' && reason === 'Unknown'
    ? { unblockedBy: 'its region can see the machine again; it looks for it by itself' }
    : {};
}
