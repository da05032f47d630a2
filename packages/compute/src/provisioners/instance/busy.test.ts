import { describe, expect, it } from 'vitest';

import type { Kind } from '@unikorn/core/kinds';
import { findCondition, provisioningStatus } from '@unikorn/core/resource';
import type { StoreCall } from '@unikorn/core/testing';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../../kinds/index.ts';
import { standardFlavor, startCompute, ubuntuImage } from '../../testing/index.ts';

/**
 * The calls of controllers. Calls of a request are answered immediately: otherwise the request would time out, and no
 * instance would be created.
 */
function isSlow({ kind, verb }: StoreCall): boolean {
  return (
    ['SimulatedClaim', 'SimulatedObject', 'Server', 'Lease', 'Region'].includes(kind.kind) ||
    (kind.id === ComputeInstance.id && verb === 'updateStatus')
  );
}

const perNetwork = 5;

describe('a busy process whose store calls may take a minute, before or after their effect', () => {
  // With some of these seeds, a lease used to expire while a server was being created. The server was then created
  // twice at once, and held two of the shares of its network, which has one for each.
  it.each([1, 2, 3, 4, 5])('creates every instance, and marks none as failed (seed %i)', async (seed) => {
    let pause_ms = () => 0;
    const compute = await startCompute({
      seed,
      knobs: { build_ms: 15_000, call_ms: 20, serversPerIdentity: perNetwork },
      around: async (call, happen) => {
        const pause = async () => {
          const duration_ms = isSlow(call) ? pause_ms() : 0;
          if (duration_ms > 0) await compute.world.sleep(duration_ms);
        };
        await pause();
        const answer = await happen();
        await pause();
        return answer;
      },
    });
    const { world, store, organizationId, projectId, networkId, token } = compute;
    const networks = [networkId, await compute.openNetwork('other')];
    const [instances, servers] = [failuresOf(compute, ComputeInstance), failuresOf(compute, Server)];
    pause_ms = () => Math.floor(world.random() * (world.random() < 0.9 ? 100 : 60_000));
    for (const network of networks) {
      for (let number = 0; number < perNetwork; number++) {
        const payload = {
          metadata: { name: `i-${number}` },
          spec: { flavorId: standardFlavor, imageId: ubuntuImage, organizationId, projectId, networkId: network },
        };
        void compute.server.inject({
          method: 'POST',
          url: '/compute/api/v2/instances',
          headers: { authorization: `Bearer ${token}` },
          payload,
        });
      }
    }
    await world.advance(600_000);
    pause_ms = () => 0;
    await world.advance(120_000);
    const { items } = await store.list(ComputeInstance);
    expect(items.map((instance) => provisioningStatus(instance, 'controlled'))).toEqual(
      Array.from({ length: networks.length * perNetwork }, () => 'provisioned'),
    );
    expect([...instances, ...servers]).toEqual([]);
    await compute.stop();
  });
});

/** The reasons why objects of a kind were ever marked as failed, from now on. */
function failuresOf({ store }: Pick<Awaited<ReturnType<typeof startCompute>>, 'store'>, kind: Kind): readonly string[] {
  const seen: string[] = [];
  const follow = async () => {
    const { resourceVersion: from } = await store.list(kind);
    for await (const event of store.watch(kind, { from })) {
      if (event.type === 'bookmark' || provisioningStatus(event.object, 'controlled') !== 'error') continue;
      seen.push(findCondition(event.object.status?.conditions, 'Available')?.message ?? '');
    }
  };
  void follow();
  return seen;
}
