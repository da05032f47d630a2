import type { Telemetry } from '@unikorn/core/telemetry';
import type { RegionClient, ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';
import type { Claimants } from './claimants.ts';
import { linkMetrics } from './metrics.ts';
import { linkedInstance } from './tag.ts';

/** Which server realises an instance. */
export type Resolution =
  /** None does. A server that is not the instance's may have taken its id. */
  | { readonly type: 'none'; readonly occupant?: string }
  | { readonly type: 'one'; readonly server: ServerRead }
  /** More say so than can be, and nobody can tell which is right: nothing is sent to any of them. */
  | { readonly type: 'many'; readonly serverIds: readonly string[] };

/** Finds the server of an instance, for whoever asks, in one and the same way. */
export type ResolveServer = (instance: Pick<ComputeInstance, 'metadata' | 'status'>) => Promise<Resolution>;

export interface ResolverDeps {
  readonly region: Pick<RegionClient, 'server'>;
  readonly telemetry: Pick<Telemetry, 'registry'>;
  readonly claimants: Claimants;
}

/**
 * The server is the one whose id the instance keeps, and it must say that it is the instance's. Others that say so,
 * too, make it ambiguous.
 *
 * @example const resolve = serverResolver({ region, telemetry, claimants: listedClaimants(region) });
 */
export function serverResolver({ region, telemetry, claimants }: ResolverDeps): ResolveServer {
  return async (instance) => {
    const serverId = serverIdOf(instance);
    const server = await region.server(asService(instance.metadata), serverId);
    const strangers = (await claimants(instance)).filter((id) => id !== serverId);
    const isOurs = linkedInstance(server?.metadata.tags) === instance.metadata.name;
    if (strangers.length > 0) {
      linkMetrics(telemetry.registry).ambiguous.inc();
      return { type: 'many', serverIds: isOurs ? [serverId, ...strangers] : strangers };
    }
    if (!server) return { type: 'none' };
    return isOurs ? { type: 'one', server } : { type: 'none', occupant: serverId };
  };
}

/** Of the server that an instance has, or is to have. */
export function serverIdOf({ metadata, status }: Pick<ComputeInstance, 'metadata' | 'status'>): string {
  return status?.serverId ?? metadata.name;
}
