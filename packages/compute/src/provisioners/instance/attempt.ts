import type { Caches, ProvisionContext } from '@unikorn/core/controller';
import type { OnBehalf } from '@unikorn/core/calls';
import type { World } from '@unikorn/core/world';
import { Network, Server } from '@unikorn/region/client';

import type { ComputeContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../../link/index.ts';
import { lossBrake } from './brake.ts';

/** One look at an instance and what is done about it. */
export interface Attempt
  extends Pick<ProvisionContext, 'log'>, Pick<ComputeContext, 'store' | 'region' | 'identity' | 'world'> {
  readonly instance: ComputeInstance;
  readonly on: OnBehalf;
  readonly watched: Watched;
}

/** What is watched may be behind, so it decides nothing by itself: it is what an absence is doubted by, and waited for. */
export interface Watched {
  network(id: string): Network | undefined;
  /** Whether any server is seen that has the id of an instance's. */
  sees(instance: ComputeInstance): boolean;
  /** Whether the server of an instance is seen, which region may have said is gone. */
  shows(instance: ComputeInstance): boolean;
  losses(regionId: string): 'believed' | 'doubted';
}

export function watching({ caches, world }: { readonly caches: Caches; readonly world: World }): Watched {
  const networks = caches.of(Network);
  const servers = caches.of(Server);
  return {
    network: (id) => networks.get(id),
    sees: (instance) => servers.get(serverIdOf(instance)) !== undefined,
    shows: (instance) => linkedInstance(servers.get(serverIdOf(instance))?.spec.tags) === instance.metadata.name,
    losses: lossBrake({ caches, world }),
  };
}
