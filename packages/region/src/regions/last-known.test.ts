import { describe, expect, it } from 'vitest';

import { openSimulation } from '../providers/simulated/simulated.fixture.ts';
import { withLastKnown } from './last-known.ts';

async function catalogue() {
  const simulation = openSimulation();
  await simulation.operator.turn({ call_ms: 0, image_ms: 0 });
  const offer = withLastKnown({ tier: 'cloud', provider: simulation.provider });
  if (offer.tier !== 'cloud') throw new Error('a cloud stays a cloud');
  return { ...simulation, cloud: offer.provider };
}

const description = { id: 'd0000000-0000-4000-8000-000000000001', name: 'mine', tags: [], architecture: 'x86_64', virtualization: 'any', os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' }, softwareVersions: {} } as const;

describe('the catalogue of a region', () => {
  it('is still known while its cloud is away', async () => {
    const { cloud, operator } = await catalogue();
    const [flavors, images] = [await cloud.flavors(), await cloud.images.list({ states: ['ready'] })];
    await operator.turn({ service: 'down' });
    expect(await cloud.flavors()).toEqual(flavors);
    expect(await cloud.images.list({ states: ['ready'] })).toEqual(images);
  });

  it('is not made up where nobody ever told it', async () => {
    const { cloud, operator } = await catalogue();
    await operator.turn({ service: 'down' });
    await expect(cloud.flavors()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(cloud.images.list()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is asked for every time that it can be', async () => {
    const { cloud } = await catalogue();
    const before = await cloud.images.list();
    await cloud.images.import(description, 'https://images.example.com/disk.raw');
    expect((await cloud.images.list()).length).toBe(before.length + 1);
  });

  it('hides no failure of anything that is done', async () => {
    const { cloud, operator } = await catalogue();
    await operator.turn({ service: 'down' });
    await expect(cloud.images.import(description, 'https://images.example.com/disk.raw')).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(cloud.identities.observe({ id: 'i', organizationId: 'o', projectId: 'p' })).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
