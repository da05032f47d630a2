import { Caches, type Runnable } from '@unikorn/core/controller';
import { Life } from '@unikorn/core/testing';

import type { ComputeContext } from '../context.ts';
import { instanceHistory } from '../history/index.ts';
import { ComputeInstance } from '../kinds/index.ts';
import type { InstanceControllersContext } from '../managers/instances.ts';
import { included, regionWatches } from '../watches.ts';
import type { RunningCompute } from './start-compute.ts';

/** How long a controller waits for running work when it is stopped. */
const drain_ms = 10_000;

/**
 * Runs controllers of compute in several process lives one after another. Each life can end at any effect; everything
 * else continues.
 */
export function beginLife(
  { store, world, telemetry, toIdentity, toRegion }: RunningCompute,
  controllersOf: (context: InstanceControllersContext) => readonly Runnable[],
  death?: number,
) {
  const life = new Life(store, death);
  const shared = { store: life.store, world, telemetry };
  const caches = new Caches(shared);
  const identityClient: ComputeContext['identityClient'] = {
    ...toIdentity,
    charge: (principal, charge) => life.effect('charge', () => toIdentity.charge(principal, charge)),
    release: (principal, scope, resource) =>
      life.effect('release', () => toIdentity.release(principal, scope, resource)),
  };
  const regionClient: ComputeContext['regionClient'] = {
    ...toRegion,
    createServer: (on, server) => life.effect('create server', () => toRegion.createServer(on, server)),
    updateServer: (on, id, server) => life.effect('update server', () => toRegion.updateServer(on, id, server)),
    deleteServer: (on, id) => life.effect('delete server', () => toRegion.deleteServer(on, id)),
    power: (on, id, verb) => life.effect(`${verb} server`, () => toRegion.power(on, id, verb)),
  };
  const history = instanceHistory({ ...shared, objects: caches.of(ComputeInstance) });
  const watches = included(regionWatches({ regionClient: toRegion, world, telemetry }), caches);
  const stop = new AbortController();
  const running = Promise.all([
    caches.run(stop.signal),
    ...controllersOf({ ...shared, caches, watches, identityClient, regionClient, history }).map((controller) =>
      controller.run(stop.signal),
    ),
  ]);
  const end = async () => {
    stop.abort();
    await world.advance(drain_ms);
    await running;
  };
  return { life, end };
}
