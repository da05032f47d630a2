import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { describeServiceContract, leftOut, type Ground } from '../product/contract.fixture.ts';
import { startForClients } from './client-suites.fixture.ts';

/*
 * The replay of the contract, as in e2e/product, for the services that make things in a cloud. File storage is in a
 * simulated region, because OpenStack regions do not have it. So are imported images: the cloud of these tests fetches
 * images from this machine only, and the platform refuses such addresses.
 */

const services = ['compute', 'region'] as const;
const succeeded = new Set<string>();
let running: Awaited<ReturnType<typeof startForClients>>;

beforeAll(async () => {
  running = await startForClients();
});

afterAll(() => running.stop());

function ground(): Ground {
  const { product, region } = running;
  const { regionId, flavorId, imageId, patience_ms } = region;
  const otherRegionId = product.credentials.regionId ?? '';
  return { product, regionId, patience_ms, materials: { flavorId, imageId, otherRegionId } };
}

for (const service of services) describeServiceContract(service, ground, { succeeded, patience_ms: 1_800_000 });

describe('no operation of the contract', () => {
  it.each(services)('was left out in %s', (service) => {
    expect(leftOut(service, succeeded)).toEqual([]);
  });
});
