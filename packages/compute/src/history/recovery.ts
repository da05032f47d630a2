import { whenAborted, type Caches, type Runnable } from '@unikorn/core/controller';
import { toError } from '@unikorn/core/errors';
import type { Telemetry } from '@unikorn/core/telemetry';
import { Server } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../link/index.ts';
import type { History } from './history.ts';
import { afterInterruption, wasUnderWay } from './interruption.ts';

export interface RecoveryOptions {
  readonly caches: Caches;
  readonly history: History;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/** After a process was killed: tells what it did not come to tell of the instances that it was at work on, and that it was killed. */
export function historyRecovery({ caches, history, telemetry: { log } }: RecoveryOptions): Runnable {
  const instances = caches.of(ComputeInstance);
  const servers = caches.of(Server);
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
          for (const happening of afterInterruption(
            instance,
            linkedInstance(server?.spec.tags) === name ? server : undefined,
            entries,
            predecessor,
          ))
            history.record(name, happening, instance);
        } catch (error) {
          log.error({ err: toError(error), id: name }, 'it could not be told that work on an instance was interrupted');
        }
      }
    },
  };
}
