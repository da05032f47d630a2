import { converted, WatchedObjects, type Change } from '@unikorn/core/calls';
import type { Caches } from '@unikorn/core/controller';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import type { NetworkRead, RegionClient, ServerRead } from '@unikorn/region/client';

/** The part of a server that is kept in memory. The user data of all servers would not fit. */
export type SeenServer = Pick<ServerRead, 'metadata' | 'status'>;
export type SeenNetwork = Pick<NetworkRead, 'metadata'>;

/** Compute's copies of region's resources. They may be out of date, and do not decide on their own. */
export interface RegionWatches {
  readonly servers: WatchedObjects<SeenServer>;
  readonly networks: WatchedObjects<SeenNetwork>;
}

export interface WatchesOptions {
  readonly regionClient: Pick<RegionClient, 'watchServers' | 'watchNetworks'>;
  readonly world: World;
  readonly telemetry: Telemetry;
}

/** With compute's own permissions, which cover the servers and networks of all organizations. */
const on = { principal: {}, impersonate: false };

/** The watch begins when a part includes the copies in its caches. */
export function regionWatches({ regionClient, world, telemetry }: WatchesOptions): RegionWatches {
  return {
    servers: new WatchedObjects({
      what: 'servers',
      watch: (options) =>
        reduced(regionClient.watchServers(on, {}, options), ({ metadata, status }) => ({ metadata, status })),
      world,
      telemetry,
    }),
    networks: new WatchedObjects({
      what: 'networks',
      watch: (options) => reduced(regionClient.watchNetworks(on, {}, options), ({ metadata }) => ({ metadata })),
      world,
      telemetry,
    }),
  };
}

/** Keeps the copies up to date with these caches. */
export function included(watches: RegionWatches, caches: Caches): RegionWatches {
  return { servers: caches.include(watches.servers), networks: caches.include(watches.networks) };
}

function reduced<T, R>(changes: AsyncIterable<Change<T>>, keep: (object: T) => R): AsyncIterable<Change<R>> {
  return converted(changes, (change) => ('object' in change ? { ...change, object: keep(change.object) } : change));
}
