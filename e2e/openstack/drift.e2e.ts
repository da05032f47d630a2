import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { networkOf } from '../../packages/region/src/provider/conformance/specimens.ts';
import type {
  ObservedLoadBalancer,
  ObservedServer,
  WantedLoadBalancer,
  WantedSecurityGroup,
  WantedServer,
} from '../../packages/region/src/provider/index.ts';
import { asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { openFaultyRegion, type FaultyRegion, type Provider, type Question } from './faults.fixture.ts';
import { inventoryOf } from './inventory.fixture.ts';
import { running, serverOf, settled } from './lives.fixture.ts';
import { serveImage } from './provider.fixture.ts';
import { materialsOf, openStage, type OpenStage } from './stage.fixture.ts';

/*
 * An administrator of the cloud removes and changes things behind our back. The provider notices it. Asked again, as
 * its controllers do from time to time, it repairs it, or says what is wrong.
 */

let region: FaultyRegion;
let imageServer: Awaited<ReturnType<typeof serveImage>>;
let stage: OpenStage;
let call: Caller;
let provider: Provider;

const network = networkOf(systemWorld.uuid());
const group: WantedSecurityGroup = {
  id: systemWorld.uuid(),
  rules: [{ direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } }],
};
const balancer: WantedLoadBalancer = {
  id: systemWorld.uuid(),
  networkId: network.id,
  publicIP: 'wanted',
  listeners: [
    {
      name: 'web',
      protocol: 'tcp',
      port: 80,
      allowedCIDRs: [],
      pool: { proxyProtocolV2: false, members: [{ address: '10.0.0.200', port: 8080 }] },
    },
  ],
};
let server: WantedServer;
/** Everything as it should be. */
let whole: readonly string[];

const theNetwork: Question = ({ networks }) => settled(networks.ensure(stage.owner, network));
const theGroup: Question = ({ securityGroups }) => settled(securityGroups.ensure(stage.owner, group));
const theBalancer: Question = ({ swiftLoadBalancers }) => settled(swiftLoadBalancers.ensure(stage.owner, balancer));
const theServer: Question = (asked) => running(stage.owner, server)(asked);

beforeAll(async () => {
  call = await asAdministrator();
  region = await openFaultyRegion();
  imageServer = await serveImage();
  stage = await openStage(region, call, await materialsOf(call, imageServer.uri));
  ({ provider } = region.start());
  server = { ...(await serverOf(stage, { networkId: network.id })), securityGroupIds: [group.id] };
  for (const question of [theNetwork, theGroup, theBalancer, theServer]) await stage.ask(question);
  whole = await seen();
});

afterAll(async () => {
  await region.close();
  await imageServer.close();
  await stage.close();
});

const seen = () => inventoryOf(call, stage.projectId);

/** Asks for the thing again; afterwards everything is there once. */
async function repaired(question: Question): Promise<void> {
  await stage.ask(question);
  expect(await seen()).toEqual(whole);
}

async function observedServer(): Promise<ObservedServer> {
  const presence = await provider.servers.observe(stage.owner, server);
  if (presence.state === 'absent') throw new Error('the server is absent');
  return presence.observed;
}

async function observedBalancer(): Promise<ObservedLoadBalancer> {
  const presence = await provider.swiftLoadBalancers.observe(stage.owner, balancer);
  if (presence.state === 'absent') throw new Error('the load balancer is absent');
  return presence.observed;
}

/** The only thing of a list of Neutron that belongs to the project. */
async function only(kind: string, query = ''): Promise<Json> {
  const path = `/v2.0/${kind.replaceAll('_', '-')}?project_id=${stage.projectId}${query}`;
  const found = (await call('network', 'GET', path))[kind];
  expect(found).toHaveLength(1);
  return found[0];
}

async function untilGone(path: string): Promise<void> {
  while ((await call('compute', 'GET', path, { tolerate: [404] })).itemNotFound === undefined)
    await systemWorld.sleep(1000);
}

describe('a server', () => {
  it('that was stopped is shown as stopped', async () => {
    const { providerId } = await observedServer();
    await call('compute', 'POST', `/servers/${providerId}/action`, { body: { 'os-stop': null } });
    while ((await observedServer()).task === 'active' || (await observedServer()).status === 'active')
      await systemWorld.sleep(1000);
    expect(await observedServer()).toMatchObject({ status: 'shutoff', power: 'shutdown' });
    await provider.servers.power(stage.owner, server, 'start');
    await repaired(theServer);
  });

  it('that was deleted is absent, and is made again with the same addresses', async () => {
    const { providerId, privateIP, publicIP } = await observedServer();
    await call('compute', 'DELETE', `/servers/${providerId}`);
    await untilGone(`/servers/${providerId}`);
    expect(await provider.servers.observe(stage.owner, server)).toEqual({ state: 'absent' });
    expect(await provider.servers.list(stage.owner)).toEqual([]);
    await repaired(theServer);
    expect(await observedServer()).toMatchObject({ privateIP, publicIP });
  });

  it('whose port was deleted gets another one, is connected to it, and keeps its public address', async () => {
    const { providerId, publicIP } = await observedServer();
    const { id } = await only('ports', `&name=server-${server.id}`);
    await call('network', 'DELETE', `/v2.0/ports/${id}`);
    await repaired(theServer);
    const { id: newPort, fixed_ips: addresses } = await only('ports', `&name=server-${server.id}`);
    const { interfaceAttachments: attached } = await call('compute', 'GET', `/servers/${providerId}/os-interface`);
    expect(attached.map((one: Json) => one.port_id)).toEqual([newPort]);
    expect(await observedServer()).toMatchObject({ providerId, privateIP: addresses[0].ip_address, publicIP });
  });

  it('whose public address was released has none, and gets one again', async () => {
    const { id } = await only('ports', `&name=server-${server.id}`);
    const { id: addressId } = await only('floatingips', `&port_id=${id}`);
    await call('network', 'DELETE', `/v2.0/floatingips/${addressId}`);
    expect(await observedServer()).not.toHaveProperty('publicIP');
    await repaired(theServer);
    expect(await observedServer()).toHaveProperty('publicIP');
  });

  it('whose port lost its security group gets it back', async () => {
    const { id, security_groups: groups } = await only('ports', `&name=server-${server.id}`);
    await call('network', 'PUT', `/v2.0/ports/${id}`, { body: { port: { security_groups: [] } } });
    await repaired(theServer);
    expect(await only('ports', `&name=server-${server.id}`)).toMatchObject({ security_groups: groups });
  });
});

describe('a network', () => {
  it('whose router lost its interface gets it back', async () => {
    // Addresses that are reached through the router would hold the interface.
    for (const { id } of (await call('network', 'GET', `/v2.0/floatingips?project_id=${stage.projectId}`)).floatingips)
      await call('network', 'DELETE', `/v2.0/floatingips/${id}`);
    const { id: routerId } = await only('routers');
    const { id: portId } = await only('ports', `&device_id=${routerId}`);
    await call('network', 'PUT', `/v2.0/routers/${routerId}/remove_router_interface`, { body: { port_id: portId } });
    await stage.ask(theNetwork);
    expect(await only('ports', `&device_id=${routerId}`)).toMatchObject({ device_owner: 'network:router_interface' });
    await stage.ask(theBalancer);
    await repaired(theServer);
  });

  it('whose name servers were changed gets its own back', async () => {
    const { id } = await only('subnets');
    await call('network', 'PUT', `/v2.0/subnets/${id}`, { body: { subnet: { dns_nameservers: ['8.8.8.8'] } } });
    await repaired(theNetwork);
    expect(await only('subnets')).toMatchObject({ dns_nameservers: network.dnsNameservers });
  });

  it('that was deleted is absent, and is made again', async () => {
    const other = networkOf(systemWorld.uuid());
    const name = `network-${other.id}`;
    const ensure: Question = ({ networks }) => settled(networks.ensure(stage.owner, other));
    await stage.ask(ensure);
    const complete = await seen();
    const { id: routerId } = await only('routers', `&name=${name}`);
    const { id: portId } = await only('ports', `&device_id=${routerId}`);
    await call('network', 'PUT', `/v2.0/routers/${routerId}/remove_router_interface`, { body: { port_id: portId } });
    const { id: networkId } = await only('networks', `&name=${name}`);
    await call('network', 'DELETE', `/v2.0/networks/${networkId}`);
    expect(await provider.networks.observe(stage.owner, other)).toEqual({ state: 'absent' });
    await stage.ask(ensure);
    expect(await seen()).toEqual(complete);
    await stage.ask(({ networks }) => settled(networks.remove(stage.owner, other)));
    expect(await seen()).toEqual(whole);
  });
});

describe('a security group', () => {
  it('that lost a rule, and got another one, has its own rules again', async () => {
    const { id, security_group_rules: rules } = await only('security_groups', `&name=securitygroup-${group.id}`);
    for (const rule of rules) await call('network', 'DELETE', `/v2.0/security-group-rules/${rule.id}`);
    const rule = { security_group_id: id, direction: 'ingress', protocol: 'udp', port_range_min: 9, port_range_max: 9 };
    await call('network', 'POST', '/v2.0/security-group-rules', {
      body: { security_group_rule: { ...rule, project_id: stage.projectId } },
    });
    expect(await provider.securityGroups.observe(stage.owner, group)).toMatchObject({
      observed: { rules: [{ protocol: 'udp' }] },
    });
    await repaired(theGroup);
  });
});

describe('a load balancer', () => {
  const remove = async (kind: string) => {
    const { id } = (await call('load-balancer', 'GET', `/v2/lbaas/${kind}?project_id=${stage.projectId}`))[kind][0];
    await call('load-balancer', 'DELETE', `/v2/lbaas/${kind}/${id}`);
  };

  it.each(['listeners', 'pools'])('that lost one of its %s gets it back', async (kind) => {
    await remove(kind);
    await repaired(theBalancer);
  });

  it('that lost a member gets it back', async () => {
    const { pools } = await call('load-balancer', 'GET', `/v2/lbaas/pools?project_id=${stage.projectId}`);
    await call('load-balancer', 'PUT', `/v2/lbaas/pools/${pools[0].id}/members`, { body: { members: [] } });
    await repaired(theBalancer);
    expect(await observedBalancer()).toMatchObject({
      members: [{ listener: 'web', address: '10.0.0.200', port: 8080 }],
    });
  });

  it('that was deleted is absent, and is made again with its public address', async () => {
    const { providerId, publicIP } = await observedBalancer();
    await call('load-balancer', 'DELETE', `/v2/lbaas/loadbalancers/${providerId}?cascade=true`);
    while ((await provider.swiftLoadBalancers.observe(stage.owner, balancer)).state !== 'absent')
      await systemWorld.sleep(1000);
    expect(await provider.swiftLoadBalancers.list(stage.owner)).toEqual([]);
    await repaired(theBalancer);
    expect(await observedBalancer()).toMatchObject({ publicIP });
  });
});

it('an image that was deleted is not offered, and a server on it is refused with the reason', async () => {
  const image = stage.freshImage();
  await stage.ask(async ({ images }) =>
    (await images.import(image, stage.materials.imageUri)).state === 'ready' ? 'done' : 'pending',
  );
  // Glance answers 500 for a moment after an import.
  while ((await call('image', 'GET', `/v2/images?name=${image.name}&visibility=all`)).images.length > 0)
    await call('image', 'DELETE', `/v2/images/${image.id}`, { tolerate: [404, 500] });
  expect(await provider.images.list({ ownedBy: [image.organizationId] })).toEqual([]);
  const other = { ...server, id: systemWorld.uuid(), name: 'other', imageId: image.id };
  await expect(provider.servers.ensure(stage.owner, other)).rejects.toMatchObject({
    kind: 'not_found',
    message: 'the image does not exist',
  });
  await stage.ask(({ servers }) => settled(servers.remove(stage.owner, other)));
  expect(await seen()).toEqual(whole);
});
