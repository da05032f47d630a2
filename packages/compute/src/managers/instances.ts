import { watchedRelated } from '@unikorn/core/calls';
import { Controller, type Related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import type { WatchingContext } from '../context.ts';
import { ComputeInstance } from '../kinds/index.ts';
import { linkedInstance, linkMetrics, serverIdOf } from '../link/index.ts';
import { instanceProvisioner } from '../provisioners/instance.ts';
import { isSettled } from '../provisioners/instance/refusals.ts';
import type { SeenServer } from '../watches.ts';

export type InstanceControllersContext = WatchingContext & { readonly history: DeletionRecorder };

/** An instance is woken by every change of its server and, until it is settled, by changes of its network. */
export function instanceControllers(context: InstanceControllersContext): readonly Runnable[] {
  const waiting = context.caches
    .of(ComputeInstance)
    .index((instance) => (isSettled(instance) ? [] : [instance.metadata.labels?.[labels.network] ?? '']));
  const networks = watchedRelated('networks', context.watches.networks, ({ metadata }) => waiting.names(metadata.id));
  return [
    new Controller(
      {
        name: 'instances',
        kind: ComputeInstance,
        provisioner: instanceProvisioner(context),
        beforeRemoval: (instance) => context.history.recordDeletion(instance),
        related: [reverseMap(context), networks],
      },
      context,
    ),
  ];
}

/**
 * The instances that a change of a server wakes: the one that stores its id, and the one in the tag of the server. They
 * should be the same. If not, this is counted and logged, and the instance with several servers shows it.
 */
export function reverseMap({
  caches,
  telemetry,
  watches: { servers },
}: Pick<WatchingContext, 'caches' | 'telemetry' | 'watches'>): Related {
  const instances = caches.of(ComputeInstance);
  const byServer = instances.index((instance) => [serverIdOf(instance)]);
  const counters = linkMetrics(telemetry.registry);
  const report = (server: string, instance: string) => {
    const fault = instances.get(instance) ? 'duplicate' : 'missing';
    counters[fault].inc();
    telemetry.log.warn({ server, instance, fault }, 'a server names an instance that it does not belong to');
  };
  return {
    cause: 'servers',
    copy: (all) => all.include(servers),
    subscribe: (_caches, _telemetry, wake) =>
      servers.subscribe(({ id, object, previous }) => {
        if (object && !previous && isSilent(object)) return;
        const keepers = byServer.names(id);
        const named = linkedInstance((object ?? previous)?.metadata.tags);
        // A server that is being deleted can be in the cache longer than its instance.
        if (named !== undefined && !keepers.includes(named) && object && object.metadata.deletionTime === undefined)
          report(id, named);
        for (const name of new Set(named === undefined || !instances.get(named) ? keepers : [...keepers, named]))
          wake(name);
      }),
  };
}

/** A server that was just stored is no news: the creator already has it in its response. */
function isSilent({ metadata }: SeenServer): boolean {
  return metadata.provisioningStatus === 'pending' && metadata.deletionTime === undefined;
}
