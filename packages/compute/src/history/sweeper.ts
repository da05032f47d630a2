import type { Runnable } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';
import { matching, type Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { GoneInstance, historyLabels, InstanceHistory } from '../kinds/index.ts';
import { dayOf } from './archive.ts';

export interface SweeperOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly retention_ms: number;
}

const day_ms = 24 * 3600_000;
const sweep_ms = 3600_000;

/** How far back days are looked for: nobody leaves the platform switched off for longer than this. */
const lookBack_days = 366;

/** Removed in one go; everybody else gets their turn in between. */
const batch = 100;

/** Clears away, day by day, what happened longer ago than it is to be kept. */
export function historySweeper(options: SweeperOptions): Runnable {
  const { world, telemetry } = options;
  return {
    name: 'compute-history-sweeper',
    async run(signal) {
      while (!signal.aborted) {
        await sweepHistory(options, signal).catch((error: unknown) => {
          telemetry.log.error({ err: toError(error) }, 'old history could not be cleared away');
        });
        await world.sleep(sweep_ms, signal);
      }
    },
  };
}

async function sweepHistory({ store, world, retention_ms }: SweeperOptions, signal: AbortSignal): Promise<void> {
  const oldest = world.now() - retention_ms;
  const days = Array.from({ length: lookBack_days }, (_, back) => dayOf(oldest - (back + 1) * day_ms));
  const selector = matching({ [historyLabels.day]: days });
  for (const kind of [InstanceHistory, GoneInstance]) {
    while (!signal.aborted) {
      const { items } = await store.list(kind, { selector, limit: batch });
      if (items.length === 0) break;
      await Promise.all(items.map(({ metadata: { name } }) => store.delete(kind, name)));
      await world.turn();
    }
  }
}
