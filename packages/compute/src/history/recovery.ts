import { whenAborted, type Caches, type Runnable } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';
import type { History } from '@unikorn/core/history';
import type { Telemetry } from '@unikorn/core/telemetry';

import { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../link/index.ts';
import type { RegionWatches } from '../watches.ts';
import { afterInterruption, wasUnderWay } from './interruption.ts';

export interface RecoveryOptions {
  readonly caches: Caches;
  readonly watches: Pick<RegionWatches, 'servers'>;
  readonly history: History;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/**
 * After a process was killed: records what it had not recorded about the instances that it worked on, and that it was
 * killed.
 */
export function historyRecovery({ caches, watches, history, telemetry: { log } }: RecoveryOptions): Runnable {
  const instances = caches.of(ComputeInstance);
  const servers = caches.include(watches.servers);
  return {
    name: 'compute-history-recovery',
    async run(signal, predecessor) {
      if (!predecessor) return;
      await Promise.race([caches.whenSynced(), whenAborted(signal)]);
      for (const instance of [...instances.list()].filter((one) => wasUnderWay(one, predecessor))) {
        if (signal.aborted) return;
        const { name } = instance.metadata;
        const server = servers.get(serverIdOf(instance));
        try {
          const { entries } = await history.read(name, {});
          for (const event of afterInterruption(
            instance,
            linkedInstance(server?.metadata.tags) === name ? server : undefined,
            entries,
            predecessor,
          ))
            history.record(name, event, instance);
        } catch (error) {
          log.error({ err: toError(error), id: name }, 'the interruption of work on an instance could not be recorded');
        }
      }
    },
  };
}
