import type { OnBehalf } from '@unikorn/core/calls';
import type { ProvisionContext } from '@unikorn/core/controller';

import type { ComputeContext, WatchingContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance, serverIdOf } from '../../link/index.ts';
import type { SeenNetwork } from '../../watches.ts';
import { lossBrake } from './brake.ts';

/** The data of one pass for an instance. */
export interface Attempt
  extends Pick<ProvisionContext, 'log'>, Pick<ComputeContext, 'store' | 'regionClient' | 'identityClient' | 'world'> {
  readonly instance: ComputeInstance;
  readonly on: OnBehalf;
  readonly watched: Watched;
}

/**
 * The watched copies may be out of date, so they do not decide on their own. They are used to doubt an absence, and to
 * wait.
 */
export interface Watched {
  network(id: string): SeenNetwork | undefined;
  /** Whether the copies contain a server with the id of the instance's server. */
  sees(instance: ComputeInstance): boolean;
  /** Whether the copies contain the server of the instance. Region may have answered that it does not exist. */
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
