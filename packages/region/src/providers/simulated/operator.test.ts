import { describe, expect, it } from 'vitest';

import type { IdentityReference, WantedServer } from '../../provider/index.ts';
import { catalogueFor, defaultCatalogue, defaultKnobs, nameOf, simulatedProvider, SimulatedObject } from './index.ts';
import { openSimulation, standardFlavor, ubuntuImage } from './simulated.fixture.ts';

const identity: IdentityReference = { id: 'an-identity', organizationId: 'an-organization', projectId: 'a-project' };
const network = {
  id: 'a-network',
  prefix: '10.0.0.0/24',
  reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
  dnsNameservers: [],
  routes: [],
};
const group = { id: 'a-group', rules: [] };
const balancer = { id: 'a-balancer', networkId: network.id, publicIP: 'wanted', listeners: [] } as const;
const server: WantedServer = {
  id: 'a-server',
  name: 'web-1',
  flavorId: standardFlavor,
  imageId: ubuntuImage,
  networkId: network.id,
  securityGroupIds: [group.id],
  publicIP: 'unwanted',
  allowedAddressPairs: [],
  keyPair: 'none',
  metadata: {},
};

async function furnished() {
  const simulation = openSimulation();
  await simulation.operator.turn({ call_ms: 0, build_ms: 0, loadBalancer_ms: 0 });
  const ensure = async ({ identities, networks, securityGroups, servers, loadBalancers } = simulation.provider) => {
    await identities.ensure(identity);
    await networks.ensure(identity, network);
    await securityGroups.ensure(identity, group);
    await loadBalancers.ensure(identity, balancer);
    return servers.ensure(identity, server);
  };
  return { ...simulation, ensure, made: await ensure() };
}

describe('a resource that disappears in the cloud', () => {
  it.each(['server', 'network', 'securityGroup', 'loadBalancer'] as const)(
    'is a %s that nobody sees from then on and that is made again when it is asked for',
    async (sort) => {
      const { provider, operator, world, ensure, made } = await furnished();
      const things = {
        server: provider.servers,
        network: provider.networks,
        securityGroup: provider.securityGroups,
        loadBalancer: provider.loadBalancers,
      }[sort];
      const { id } = { server, network, securityGroup: group, loadBalancer: balancer }[sort];
      await operator.lose(sort, identity.id, id);
      expect(await things.list(identity)).toEqual([]);
      await world.advance(1);
      const again = await ensure();
      expect(await things.list(identity)).toMatchObject([{ id, presence: { state: 'present' } }]);
      expect(again.observed.privateIP).toBe(made.observed.privateIP);
    },
  );

  it('must exist, or is named in the refusal', async () => {
    const { operator } = await furnished();
    await expect(operator.lose('network', identity.id, 'another')).rejects.toThrow(
      'the simulated cloud has no network another',
    );
    await expect(operator.drift(identity.id, 'another', 'stopped')).rejects.toThrow(
      'the simulated cloud has no server another',
    );
  });
});

describe('a region', () => {
  it('that names flavors offers only those, and creates only such servers', async () => {
    const { store, world, region } = await furnished();
    const other = catalogueFor({ flavorIDs: ['22222222-2222-2222-2222-222222222222'] });
    const provider = simulatedProvider({ ...region, store, world }, other);
    expect((await provider.flavors()).map(({ name }) => name)).toEqual(['sim-gpu-8']);
    await expect(provider.servers.ensure(identity, { ...server, id: 'another' })).rejects.toThrow(
      'the flavor is not offered',
    );
    expect(catalogueFor({})).toBe(defaultCatalogue);
  });

  it('that was created before a setting existed has its default', async () => {
    const { store, region, operator } = await furnished();
    const name = nameOf(region.regionId, '', 'knobs', 'knobs');
    const founded = await store.get(SimulatedObject, name);
    if (founded)
      await store.update(SimulatedObject, {
        ...founded,
        spec: { ...founded.spec, body: JSON.stringify({ build_ms: 7 }) },
      });
    expect(await operator.knobs()).toEqual({ ...defaultKnobs, build_ms: 7 });
  });
});
