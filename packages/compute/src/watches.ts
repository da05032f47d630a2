import { WatchedObjects, type Change } from '@unikorn/core/calls';
import type { Caches } from '@unikorn/core/controller';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { NetworkRead, RegionClient, ServerRead } from '@unikorn/region/client';

/** As much of a server as is kept in memory. The user data of all servers would not fit. */
export type SeenServer = Pick<ServerRead, 'metadata' | 'status'>;
export type SeenNetwork = Pick<NetworkRead, 'metadata'>;

/** The copies that compute keeps of what region shows. They may be behind, and decide nothing by themselves. */
export interface RegionWatches {
  readonly servers: WatchedObjects<SeenServer>;
  readonly networks: WatchedObjects<SeenNetwork>;
}

export interface WatchesOptions {
  readonly region: Pick<RegionClient, 'watchServers' | 'watchNetworks'>;
  readonly world: World;
  readonly telemetry: Telemetry;
}

/** With the rights of compute itself, which sees the servers and networks of everybody. */
const on = { principal: {}, impersonate: false };

/** Nothing is watched before a part includes the copies in its caches. */
export function regionWatches({ region, world, telemetry }: WatchesOptions): RegionWatches {
  return {
    servers: new WatchedObjects({
      what: 'servers',
      watch: (options) =>
        reduced(region.watchServers(on, {}, options), ({ metadata, status }) => ({ metadata, status })),
      world,
      telemetry,
    }),
    networks: new WatchedObjects({
      what: 'networks',
      watch: (options) => reduced(region.watchNetworks(on, {}, options), ({ metadata }) => ({ metadata })),
      world,
      telemetry,
    }),
  };
}

/** Keeps the copies current with these caches. */
export function included(watches: RegionWatches, caches: Caches): RegionWatches {
  return { servers: caches.include(watches.servers), networks: caches.include(watches.networks) };
}

async function* reduced<T, R>(changes: AsyncIterable<Change<T>>, keep: (object: T) => R): AsyncIterable<Change<R>> {
  for await (const change of changes) yield 'object' in change ? { ...change, object: keep(change.object) } : change;
}
