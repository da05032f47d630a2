import type { OnBehalf } from '@unikorn/core/calls';
import type { ProvisionContext } from '@unikorn/core/controller';

import type { ComputeContext, WatchingContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../../link/index.ts';
import type { SeenNetwork } from '../../watches.ts';
import { lossBrake } from './brake.ts';

/** One look at an instance and what is done about it. */
export interface Attempt
  extends Pick<ProvisionContext, 'log'>, Pick<ComputeContext, 'store' | 'region' | 'identity' | 'world'> {
  readonly instance: ComputeInstance;
  readonly on: OnBehalf;
  readonly watched: Watched;
}

/**
 * What is watched may be behind, so it decides nothing by itself: it is what an absence is doubted by, and waited for.
 */
export interface Watched {
  network(id: string): SeenNetwork | undefined;
  /** Whether any server is seen that has the id of an instance's. */
  sees(instance: ComputeInstance): boolean;
  /** Whether the server of an instance is seen, which region may have said is gone. */
  shows(instance: ComputeInstance): boolean;
  losses(regionId: string): 'believed' | 'doubted';
}

export function watching(context: Pick<WatchingContext, 'caches' | 'watches' | 'world'>): Watched {
  const { networks, servers } = context.watches;
  return {
    network: (id) => networks.get(id),
    sees: (instance) => servers.get(serverIdOf(instance)) !== undefined,
    shows: (instance) => linkedInstance(servers.get(serverIdOf(instance))?.metadata.tags) === instance.metadata.name,
    losses: lossBrake(context),
  };
}
