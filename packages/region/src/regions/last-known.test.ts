import { describe, expect, it } from 'vitest';

import { ProviderFailure, type Flavor, type Image, type Images } from '../provider/index.ts';
import { openSimulation } from '../providers/simulated/simulated.fixture.ts';
import { withLastKnown } from './last-known.ts';

async function catalogue() {
  const simulation = openSimulation();
  await simulation.operator.turn({ call_ms: 0, image_ms: 0 });
  const offer = withLastKnown({ tier: 'cloud', provider: simulation.provider }, simulation.world);
  if (offer.tier !== 'cloud') throw new Error('a cloud stays a cloud');
  return { ...simulation, cloud: offer.provider };
}

const description = {
  id: 'd0000000-0000-4000-8000-000000000001',
  name: 'mine',
  tags: [],
  architecture: 'x86_64',
  virtualization: 'any',
  os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' },
  softwareVersions: {},
} as const;

describe('the catalogue of a region', () => {
  it('is still known while its cloud is unavailable', async () => {
    const { cloud, operator, world } = await catalogue();
    const [flavors, images] = [await cloud.flavors(), await cloud.images.list({ states: ['ready'] })];
    await operator.turn({ service: 'down' });
    await world.advance(5_000);
    expect(await cloud.flavors()).toEqual(flavors);
    expect(await cloud.images.list({ states: ['ready'] })).toEqual(images);
  });

  it('is an error if the cloud never returned it', async () => {
    const { cloud, operator } = await catalogue();
    await operator.turn({ service: 'down' });
    await expect(cloud.flavors()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(cloud.images.list()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is read at most once a second, however often it is requested', async () => {
    const { cloud, provider, world } = await catalogue();
    const before = await cloud.images.list();
    await provider.images.import(description, 'https://images.example.com/disk.raw');
    expect(await cloud.images.list()).toBe(before);
    await world.advance(1_000);
    expect((await cloud.images.list()).length).toBe(before.length + 1);
  });

  it('is read again after a change by this process', async () => {
    const { cloud } = await catalogue();
    const names = async () => (await cloud.images.list({ ownedBy: ['o'] })).map(({ name }) => name);
    expect(await names()).toEqual([]);
    await cloud.images.import({ ...description, organizationId: 'o' }, 'https://images.example.com/disk.raw');
    expect(await names()).toEqual(['mine']);
    await cloud.images.remove(description.id);
    expect(await names()).toEqual([]);
  });

  it('is read again after a snapshot, which is an image', async () => {
    const { cloud, provider } = await catalogue();
    const before = await cloud.images.list();
    const [source] = before;
    if (!source) throw new Error('the catalogue is empty');
    provider.servers.snapshot = () => provider.images.import(description, 'https://images.example.com/disk.raw');
    await cloud.servers.snapshot(
      { id: 'i', organizationId: 'o', projectId: 'p' },
      { id: 's', name: 's', networkId: 'n' } as Parameters<typeof cloud.servers.snapshot>[1],
      description,
    );
    expect((await cloud.images.list()).length).toBe(before.length + 1);
  });

  it('is the answer to the last request, however late an earlier answer arrives', async () => {
    const { provider, world } = await catalogue();
    const answers: PromiseWithResolvers<readonly Flavor[]>[] = [];
    const flavors = () => {
      const answer = Promise.withResolvers<readonly Flavor[]>();
      answers.push(answer);
      return answer.promise;
    };
    const offer = withLastKnown({ tier: 'inventory', provider: { ...provider, flavors } }, world);
    const [old, recent] = [[], []] as const;
    const first = offer.provider.flavors();
    await world.advance(1_000);
    const second = offer.provider.flavors();
    await world.settle();
    answers[1]?.resolve(recent);
    await second;
    answers[0]?.resolve(old);
    await first;
    await world.advance(1_000);
    const third = offer.provider.flavors();
    await world.settle();
    answers[2]?.reject(new ProviderFailure('unavailable', 'the cloud is away'));
    expect(await third).toBe(recent);
  });

  it('is read again after a failure', async () => {
    const { cloud, operator } = await catalogue();
    await operator.turn({ service: 'down' });
    await expect(cloud.flavors()).rejects.toMatchObject({ kind: 'unavailable' });
    await operator.turn({ service: 'up' });
    expect((await cloud.flavors()).length).toBeGreaterThan(0);
  });

  it('hides no failure of a change', async () => {
    const { cloud, operator } = await catalogue();
    await operator.turn({ service: 'down' });
    await expect(cloud.images.import(description, 'https://images.example.com/disk.raw')).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await expect(cloud.identities.observe({ id: 'i', organizationId: 'o', projectId: 'p' })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('a cloud that has lost its catalogue', () => {
  const availableTo = ['o'];

  /** A cloud whose answers the test decides. */
  async function forgetful() {
    const { provider, ...simulation } = await catalogue();
    const full = { flavors: await provider.flavors(), images: await provider.images.list({ availableTo }) };
    const shown: { flavors: readonly Flavor[]; images: readonly Image[] } = { ...full };
    const images: Images = {
      list: () => Promise.resolve(shown.images),
      import: (image, uri) => provider.images.import(image, uri),
      remove: (id) => provider.images.remove(id),
    };
    const offer = withLastKnown(
      { tier: 'cloud', provider: { ...provider, flavors: () => Promise.resolve(shown.flavors), images } },
      simulation.world,
    );
    if (offer.tier !== 'cloud') throw new Error('a cloud stays a cloud');
    return { ...simulation, full, shown, cloud: offer.provider };
  }

  it('is not accepted before it has said so for a minute', async () => {
    const { cloud, full, shown, world } = await forgetful();
    await Promise.all([cloud.flavors(), cloud.images.list({ availableTo })]);
    Object.assign(shown, { flavors: [], images: [] });
    for (const wait_ms of [1_000, 30_000, 28_000]) {
      await world.advance(wait_ms);
      expect(await cloud.flavors()).toEqual(full.flavors);
      expect(await cloud.images.list({ availableTo })).toEqual(full.images);
    }
    await world.advance(2_000);
    expect(await cloud.flavors()).toEqual([]);
    expect(await cloud.images.list({ availableTo })).toEqual([]);
  });

  it('has to say so for another minute after it has shown its catalogue', async () => {
    const { cloud, full, shown, world } = await forgetful();
    await cloud.flavors();
    for (const flavors of [[], full.flavors, []]) {
      shown.flavors = flavors;
      await world.advance(40_000);
      expect(await cloud.flavors()).toEqual(full.flavors);
    }
  });

  it('is not accepted either if most of it is gone, but a small loss is accepted', async () => {
    const { cloud, full, shown, world } = await forgetful();
    await cloud.flavors();
    shown.flavors = full.flavors.slice(0, 1);
    await world.advance(1_000);
    expect(await cloud.flavors()).toEqual(full.flavors);
    shown.flavors = full.flavors.slice(1);
    await world.advance(1_000);
    expect(await cloud.flavors()).toEqual(shown.flavors);
  });

  it('is not accepted for a first request either', async () => {
    const { cloud, shown, world } = await forgetful();
    await cloud.images.list({ availableTo });
    shown.images = [];
    await expect(cloud.images.list({ availableTo: ['p'] })).rejects.toMatchObject({ kind: 'unavailable' });
    await world.advance(60_000);
    expect(await cloud.images.list({ availableTo: ['p'] })).toEqual([]);
  });

  it('is accepted for images in other states, which change soon', async () => {
    const { cloud, full, shown, world } = await forgetful();
    expect(await cloud.images.list({ availableTo, states: ['creating'] })).toEqual(full.images);
    shown.images = [];
    await world.advance(1_000);
    expect(await cloud.images.list({ availableTo, states: ['creating'] })).toEqual([]);
  });
});
