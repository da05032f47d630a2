import type { Telemetry } from '@unikorn/core/telemetry';
import type { RegionClient, ServerRead } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';
import type { Claimants } from './claimants.ts';
import { linkMetrics } from './metrics.ts';
import { linkedInstance } from './tag.ts';

/** The server of an instance. */
export type Resolution =
  /** There is none. `occupant` is a server with its id that does not belong to the instance. */
  | { readonly type: 'none'; readonly occupant?: string }
  | { readonly type: 'one'; readonly server: ServerRead }
  /** Several servers name this instance, and it is not known which one is right. No request is sent to any of them. */
  | { readonly type: 'many'; readonly serverIds: readonly string[] };

/** Finds the server of an instance. Every caller uses this function. */
export type ResolveServer = (instance: Pick<ComputeInstance, 'metadata' | 'status'>) => Promise<Resolution>;

export interface ResolverDeps {
  readonly regionClient: Pick<RegionClient, 'server'>;
  readonly telemetry: Pick<Telemetry, 'registry'>;
  readonly claimants: Claimants;
}

/**
 * The server has the id that the instance stores, and must name this instance in its tag. If other servers also name
 * it, the result is ambiguous.
 *
 * @example const resolve = serverResolver({ region, telemetry, claimants: listedClaimants(region) });
 */
export function serverResolver({ regionClient, telemetry, claimants }: ResolverDeps): ResolveServer {
  return async (instance) => {
    const serverId = serverIdOf(instance);
    const server = await regionClient.server(asService(instance.metadata), serverId);
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

/** The id of the server that the instance has or will have. */
export function serverIdOf({ metadata, status }: Pick<ComputeInstance, 'metadata' | 'status'>): string {
  return status?.serverId ?? metadata.name;
}
