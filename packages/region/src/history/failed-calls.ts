import type { World } from '@unikorn/core/world';

import { limits, waits } from '../limits.ts';
import type { FailureListener } from '../regions/index.ts';
import type { RegionHistories } from './histories.ts';

/**
 * Records the changes that a cloud refused, with the number by which the cloud has logged them: an operator of the
 * cloud finds the reason with it. A controller repeats a call, so the same failure is recorded once in ten minutes.
 */
export function failedCallRecorder(
  { networks, securityGroups, loadBalancers, fileStorage: fileStorages, servers }: RegionHistories,
  world: World,
): FailureListener {
  const histories = { networks, securityGroups, loadBalancers, fileStorages, servers };
  /** When a failure was recorded last, the oldest first. */
  const recorded = new Map<string, number>();
  return ({ sort, id, action, message, requestId }) => {
    const key = `${sort} ${id} ${action} ${message}`;
    const last = recorded.get(key);
    if (last !== undefined && world.now() - last < waits.sameFailure_ms) return;
    recorded.delete(key);
    recorded.set(key, world.now());
    const [oldest] = recorded.keys();
    if (recorded.size > limits.rememberedFailures && oldest !== undefined) recorded.delete(oldest);
    histories[sort].record(id, { type: 'call', action, outcome: 'failed', message, requestId });
  };
}
