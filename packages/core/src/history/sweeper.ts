import type { Runnable } from '../controller/index.ts';
import { toError } from '../errors/index.ts';
import { internalLimits, waits } from '../limits.ts';
import { matching, type Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import { dayOf } from './archive.ts';
import type { HistoryStorage } from './kinds.ts';

export interface SweeperOptions {
  /** The name of the part of the service that runs it. */
  readonly name: string;
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly storage: HistoryStorage;
  readonly retention_ms: number;
}

const day_ms = 24 * 3600_000;

/**
 * Removes history that is older than the retention time, day by day. Nothing is added to an earlier day, so each day is
 * searched once: on Kubernetes, a search compares the labels of the whole history.
 */
export function historySweeper(options: SweeperOptions): Runnable {
  const { name, world, telemetry, retention_ms } = options;
  return {
    name,
    async run(signal) {
      let swept: string | undefined;
      while (!signal.aborted) {
        const day = dayOf(world.now() - retention_ms);
        try {
          if (day !== swept) await sweepHistory(options, signal);
          swept = day;
        } catch (error) {
          telemetry.log.error({ err: toError(error) }, 'old history could not be removed');
        }
        await world.sleep(waits.historySweep_ms, signal);
      }
    },
  };
}

async function sweepHistory(
  { store, world, storage, retention_ms }: SweeperOptions,
  signal: AbortSignal,
): Promise<void> {
  const oldest = world.now() - retention_ms;
  const days = Array.from({ length: internalLimits.historySweep_days }, (_, back) =>
    dayOf(oldest - (back + 1) * day_ms),
  );
  const selector = matching({ [storage.labels.day]: days });
  for (const kind of [storage.parts, storage.gone]) {
    while (!signal.aborted) {
      const { items } = await store.list(kind, { selector, limit: internalLimits.historySweepBatch });
      if (items.length === 0) break;
      await Promise.all(items.map(({ metadata: { name } }) => store.delete(kind, name)));
      await world.turn();
    }
  }
}
