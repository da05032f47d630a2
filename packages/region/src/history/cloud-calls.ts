import type { World } from '@unikorn/core/world';

import { limits, waits } from '../limits.ts';
import type { CallListener } from '../regions/index.ts';
import type { RegionHistories } from './histories.ts';

/** How often the same entry is recorded in ten minutes. */
const most = { done: limits.sameChanges, failed: 1 } as const;

/**
 * Records the changes that a cloud made and refused, with the number by which the cloud has logged them: an operator of
 * the cloud finds what happened with it. A controller repeats its calls, so the same failure is recorded once in ten
 * minutes, and the same change a few times.
 */
export function cloudCallRecorder(
  { networks, securityGroups, loadBalancers, fileStorage: fileStorages, servers }: RegionHistories,
  world: World,
): CallListener {
  const histories = { networks, securityGroups, loadBalancers, fileStorages, servers };
  /** How often an entry was recorded, and since when, the oldest first. */
  const recorded = new Map<string, { readonly since: number; times: number }>();
  return ({ sort, id, action, outcome, message, requestId }) => {
    const key = `${sort} ${id} ${action} ${outcome} ${message}`;
    const known = recorded.get(key);
    if (known && world.now() - known.since < waits.sameCall_ms) {
      if (known.times >= most[outcome]) return;
      known.times += 1;
    } else {
      recorded.delete(key);
      recorded.set(key, { since: world.now(), times: 1 });
      const [oldest] = recorded.keys();
      if (recorded.size > limits.rememberedCalls && oldest !== undefined) recorded.delete(oldest);
    }
    histories[sort].record(id, { type: 'call', action, outcome, message, requestId });
  };
}
