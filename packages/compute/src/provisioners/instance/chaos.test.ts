import { describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../../kinds/index.ts';
import { asService } from '../../on-behalf.ts';
import { changesBetween, observedFields, wishOf } from '../../plan/index.ts';
import { debianImage, gpuFlavor, standardFlavor, startCompute, ubuntuImage } from '../../testing/index.ts';
import { bear, change, charges, serversOf, until } from './stage.fixture.ts';

/** The probability that region is not reached, and the probability that its response is lost. */
const rate = 0.2;

function unreliable(regionClient: RegionClient, chance: () => number): RegionClient {
  const strikes = () => chance() < rate;
  const perhaps = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (strikes()) throw lost();
    const answer = await ask();
    if (strikes()) throw lost();
    return answer;
  };
  return {
    ...regionClient,
    server: (on, id) => perhaps(() => regionClient.server(on, id)),
    createServer: (on, server) => perhaps(() => regionClient.createServer(on, server)),
    updateServer: (on, id, server) => perhaps(() => regionClient.updateServer(on, id, server)),
    deleteServer: (on, id) => perhaps(() => regionClient.deleteServer(on, id)),
  };
}

function lost(): Problem {
  return new Problem('server_error', 'region cannot be reached at the moment: try again');
}

describe('a region that loses requests and responses, on a failing cloud, with changing requests of a user', () => {
  it.each([1, 2])(
    'ends with the last requested server, one charge, and nothing after the deletion (seed %i)',
    async (seed) => {
      const knobs = { build_ms: 3_000, delete_ms: 1_000, errorRate: 0.2, lostResponseRate: 0.2 };
      let chance = () => 1;
      const compute = await startCompute({
        seed,
        regionClient: (regionClient) => unreliable(regionClient, () => chance()),
      });
      chance = () => compute.world.random();
      await compute.operator(compute.regionId).turn(knobs);
      const id = await bear(compute);
      const any = <T>(...values: readonly T[]) => values[Math.floor(compute.world.random() * values.length)];
      for (let turn = 0; turn < 8; turn++) {
        const [flavorId = standardFlavor, imageId = ubuntuImage, publicIp = false] = [
          any(standardFlavor, standardFlavor, gpuFlavor),
          any(ubuntuImage, debianImage),
          any(true, false),
        ];
        await change(compute, id, { flavorId, imageId, networking: { publicIp } });
        await compute.world.advance(Math.floor(compute.world.random() * 10_000));
      }

      const instance = await until(compute, id, 'Provisioned', 3_600_000);
      if (!instance) throw new Error('there is no instance');
      const server = await compute.toRegion.server(asService(instance.metadata), id);
      expect(server && changesBetween(observedFields(server), wishOf(instance.spec))).toEqual([]);
      expect(instance.status?.replacement).toBeUndefined();
      expect(await serversOf(compute, id)).toHaveLength(1);
      expect(await charges(compute, id)).toHaveLength(1);

      await compute.store.delete(ComputeInstance, id);
      await until(compute, id, 'gone', 3_600_000);
      expect([...(await serversOf(compute, id)), ...(await charges(compute, id))]).toEqual([]);
      await compute.stop();
    },
  );
});
