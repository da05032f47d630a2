import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { WantedNetwork } from '../../packages/region/src/provider/index.ts';
import { chooseExternalNetwork } from '../../packages/region/src/providers/openstack/external-networks.ts';
import type { NetworkSettings } from '../../packages/region/src/providers/openstack/network-settings.ts';
import { OpenstackNetworks } from '../../packages/region/src/providers/openstack/networks.ts';
import { requireTenant } from '../../packages/region/src/providers/openstack/tenants.ts';
import { OpenstackVlan } from '../../packages/region/src/providers/openstack/kinds.ts';
import { access, asAdministrator, makeProject } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { managerOf, openClient } from './region-user.fixture.ts';

const world = systemWorld;
const store = openMemoryStore({ world, kinds: [OpenstackVlan] });
const cloud = openClient();
const identity = { id: 'a', organizationId: 'b', projectId: 'c' };
let settings: NetworkSettings = {};
let externalId: string;
let call: Caller;
let project: Awaited<ReturnType<typeof makeProject>>;
let networks: OpenstackNetworks;

beforeAll(async () => {
  call = await asAdministrator();
  project = await makeProject();
  externalId = (await call('network', 'GET', '/v2.0/networks?router:external=true')).networks[0].id;
  networks = new OpenstackNetworks({
    store,
    world,
    regionId: world.uuid(),
    tenants: managerOf(cloud, project.projectId),
    settings: () => settings,
  });
});

afterAll(async () => {
  await project.removeAll();
  await cloud.close();
  await store.close();
});

function wantedNetwork(): WantedNetwork {
  return {
    id: world.uuid(),
    prefix: '10.0.0.0/24',
    reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
    dnsNameservers: ['1.1.1.1', '9.9.9.9'],
    routes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.130' }],
  };
}

/** What the administrator sees of a network. */
async function seen({ id }: WantedNetwork) {
  const named = async (kind: string): Promise<readonly Json[]> =>
    (await call('network', 'GET', `/v2.0/${kind}?name=network-${id}`))[kind];
  const [found, subnets, routers] = [await named('networks'), await named('subnets'), await named('routers')];
  return { networks: found, subnets, routers };
}

/** A VLAN network that was made without us. */
async function occupy(vlanId: number, owner: Json = { name: 'not-ours' }) {
  const provider = {
    'provider:network_type': 'vlan',
    'provider:physical_network': access.physicalNetwork,
    'provider:segmentation_id': vlanId,
  };
  const { id } = (await call('network', 'POST', '/v2.0/networks', { body: { network: { ...owner, ...provider } } }))
    .network;
  return () => call('network', 'DELETE', `/v2.0/networks/${id}`);
}

/** Removes the router of a network behind our back, or only detaches it. */
async function removeRouter(wanted: WantedNetwork, part: 'whole' | 'interface' = 'whole') {
  const { routers, subnets } = await seen(wanted);
  await call('network', 'PUT', `/v2.0/routers/${routers[0].id}/remove_router_interface`, {
    body: { subnet_id: subnets[0].id },
  });
  if (part === 'whole') await call('network', 'DELETE', `/v2.0/routers/${routers[0].id}`);
}

describe('a tenant network', () => {
  const wanted = wantedNetwork();

  it('has one subnet and one router, with the addresses, name servers and routes that were asked for', async () => {
    const { observed } = await networks.ensure(identity, wanted);
    const { networks: found, subnets, routers } = await seen(wanted);
    expect(found).toMatchObject([{ id: observed.networkId, project_id: project.projectId }]);
    expect(found[0]['provider:network_type']).not.toBe('vlan');
    expect(observed).not.toHaveProperty('vlanId');
    expect(subnets).toMatchObject([
      {
        id: observed.subnetId,
        network_id: observed.networkId,
        cidr: '10.0.0.0/24',
        gateway_ip: '10.0.0.1',
        enable_dhcp: true,
        allocation_pools: [{ start: '10.0.0.128', end: '10.0.0.254' }],
        dns_nameservers: ['1.1.1.1', '9.9.9.9'],
        host_routes: [{ destination: '192.168.0.0/24', nexthop: '10.0.0.130' }],
      },
    ]);
    expect(routers).toHaveLength(1);
    const { ports } = await call('network', 'GET', `/v2.0/ports?device_id=${routers[0].id}&network_id=${found[0].id}`);
    expect(ports).toMatchObject([{ fixed_ips: [{ subnet_id: observed.subnetId, ip_address: '10.0.0.1' }] }]);
    expect(await networks.observe(identity, wanted)).toEqual({ state: 'present', observed });
  });

  it('gets other routes and name servers, loses all of them, and changes nothing else', async () => {
    const first = await networks.observe(identity, wanted);
    const routes = [{ prefix: '172.16.0.0/16', nextHop: '10.0.0.131' }];
    expect(await networks.ensure(identity, { ...wanted, dnsNameservers: ['8.8.8.8'], routes })).toEqual(first);
    expect((await seen(wanted)).subnets).toMatchObject([
      { dns_nameservers: ['8.8.8.8'], host_routes: [{ destination: '172.16.0.0/16', nexthop: '10.0.0.131' }] },
    ]);
    expect(await networks.ensure(identity, { ...wanted, dnsNameservers: [], routes: [] })).toEqual(first);
    expect((await seen(wanted)).subnets).toMatchObject([{ dns_nameservers: [], host_routes: [] }]);
  });

  it('is repaired when its router lost its way out, or is gone', async () => {
    const { subnets, routers } = await seen(wanted);
    await call('network', 'PUT', `/v2.0/routers/${routers[0].id}`, { body: { router: { external_gateway_info: {} } } });
    await networks.ensure(identity, wanted);
    expect((await seen(wanted)).routers).toMatchObject([{ external_gateway_info: { network_id: externalId } }]);
    await removeRouter(wanted);
    expect(await networks.observe(identity, wanted)).toMatchObject({ state: 'pending' });
    await networks.ensure(identity, wanted);
    const [router] = (await seen(wanted)).routers;
    const { ports } = await call('network', 'GET', `/v2.0/ports?device_id=${router.id}`);
    expect(ports.map(({ fixed_ips: [address] }: Json) => address.subnet_id)).toContain(subnets[0].id);
  });

  it('that a port is on is not touched when its removal is asked for, and is gone afterwards', async () => {
    const before = await seen(wanted);
    const body = { port: { network_id: before.networks[0].id } };
    const { port } = await call('network', 'POST', '/v2.0/ports', { body });
    await expect(networks.remove(identity, wanted)).rejects.toMatchObject({ kind: 'in_use' });
    expect(await seen(wanted)).toEqual(before);
    await call('network', 'DELETE', `/v2.0/ports/${port.id}`);
    expect(await networks.remove(identity, wanted)).toEqual({ state: 'absent' });
    expect(await seen(wanted)).toEqual({ networks: [], subnets: [], routers: [] });
  });

  it('that was made halfway is removed, whichever part is missing', async () => {
    for (const missing of ['router', 'subnet']) {
      const partial = wantedNetwork();
      await networks.ensure(identity, partial);
      await removeRouter(partial, missing === 'router' ? 'whole' : 'interface');
      if (missing === 'subnet') {
        const [subnet] = (await seen(partial)).subnets;
        await call('network', 'DELETE', `/v2.0/subnets/${subnet.id}`);
      }
      expect(await networks.remove(identity, partial)).toEqual({ state: 'absent' });
      expect(await seen(partial)).toEqual({ networks: [], subnets: [], routers: [] });
    }
  });

  it('that exists twice is one network again, and a removal removes both', async () => {
    const doubled = wantedNetwork();
    const addTwin = () =>
      call('network', 'POST', '/v2.0/networks', {
        body: { network: { name: `network-${doubled.id}`, project_id: project.projectId } },
      });
    await addTwin();
    await addTwin();
    const { observed } = await networks.ensure(identity, doubled);
    expect((await seen(doubled)).networks).toMatchObject([{ id: observed.networkId }]);
    await addTwin();
    expect((await networks.ensure(identity, doubled)).observed).toEqual(observed);
    await addTwin();
    expect(await networks.remove(identity, doubled)).toEqual({ state: 'absent' });
    expect((await seen(doubled)).networks).toEqual([]);
  });
});

describe('the external network', () => {
  it('is chosen by tags and by id, and a region without one says so', async () => {
    const { session } = await requireTenant(managerOf(cloud, project.projectId), identity);
    const choose = (externalNetworks: NonNullable<NetworkSettings['externalNetworks']>) =>
      chooseExternalNetwork(session, { externalNetworks });
    expect(await choose({ tags: [access.externalNetworkTag] })).toBe(externalId);
    expect(await choose({ ids: [externalId] })).toBe(externalId);
    for (const selector of [{ tags: [access.externalNetworkTag, 'another'] }, { ids: [world.uuid()] }]) {
      const refused = choose(selector);
      await expect(refused).rejects.toMatchObject({ kind: 'invalid' });
      await expect(refused).rejects.toThrow('the region has no external network');
    }
  });
});

describe('a VLAN network', () => {
  const { physicalNetwork } = access;
  const inRange = (from: number, to: number): NetworkSettings => ({
    vlans: { physicalNetwork, ranges: [{ from, to }] },
  });
  /** VLANs that no other run of the tests has. */
  const first = 1000 + Math.floor(world.random() * 2900);

  it('has a VLAN of the ranges, and another one where the cloud has given that to something else', async () => {
    const release = await occupy(first);
    settings = inRange(first, first + 1);
    const [one, other] = [wantedNetwork(), wantedNetwork()];
    expect((await networks.ensure(identity, one)).observed.vlanId).toBe(first + 1);
    expect((await seen(one)).networks).toMatchObject([
      { 'provider:network_type': 'vlan', 'provider:segmentation_id': first + 1 },
    ]);
    await expect(networks.ensure(identity, other)).rejects.toMatchObject({ kind: 'capacity' });
    await networks.remove(identity, one);
    await release();
    expect((await store.list(OpenstackVlan)).items).toEqual([]);
  });

  it('shares no VLAN with those that are made at the same time', async () => {
    settings = inRange(first + 2, first + 3);
    const several = [wantedNetwork(), wantedNetwork()];
    const ensured = await Promise.all(several.map((one) => networks.ensure(identity, one)));
    expect(ensured.map(({ observed }) => observed.vlanId).toSorted()).toEqual([first + 2, first + 3]);
    for (const one of several) await networks.remove(identity, one);
  });

  it('that exists already is adopted with its VLAN, which no other network then gets', async () => {
    const adopted = wantedNetwork();
    await occupy(first + 4, { name: `network-${adopted.id}`, project_id: project.projectId });
    settings = inRange(first + 4, first + 4);
    expect((await networks.ensure(identity, adopted)).observed.vlanId).toBe(first + 4);
    await expect(networks.ensure(identity, wantedNetwork())).rejects.toMatchObject({ kind: 'capacity' });
    await networks.remove(identity, adopted);
  });
});
