import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CloudProvider, WantedLoadBalancer, WantedNetwork } from '../../packages/region/src/provider/index.ts';
import {
  OpenstackIdentity,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
  OpenstackVlan,
} from '../../packages/region/src/providers/openstack/index.ts';
import { access, asAdministrator } from './cloud.fixture.ts';
import { logIn, type Caller, type Json } from './cloud/caller.ts';
import {
  canLogIn,
  inventoryOf,
  makeIdentity,
  makeImage,
  makeLoadBalancer,
  makeNetwork,
  makeSecurityGroup,
  makeServer,
  type OriginalIdentity,
} from './original.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { removeProject } from './sweep.fixture.ts';

const world = systemWorld;
const regionId = world.uuid();
const store = openMemoryStore({ world, kinds: openstackKinds });
const made: OriginalIdentity[] = [];
let region: OpenstackRegion;
let provider: CloudProvider;
let call: Caller;

beforeAll(async () => {
  call = await asAdministrator();
  const secret = await regionSecret();
  region = new OpenstackRegion({
    regionId,
    store,
    world,
    telemetry: silentTelemetry(),
    settings: {
      endpoint: access.authUrl,
      regionName: access.region,
      network: {
        externalNetworks: { selector: { tags: [access.externalNetworkTag] } },
        providerNetworks: { physicalNetwork: access.physicalNetwork },
      },
    },
    secret: () => Promise.resolve(secret),
  });
  provider = openstackProvider(region);
});

afterAll(async () => {
  const { projects } = await call('identity', 'GET', '/projects');
  for (const { record, organizationId } of made) {
    const { images } = await call('image', 'GET', `/v2/images?unikorn:organization:id=${organizationId}`);
    for (const { id } of images) await call('image', 'DELETE', `/v2/images/${id}`);
    if (projects.some(({ id }: Json) => id === record.projectID)) await removeProject(call, record.projectID);
  }
  await region.close();
  await store.close();
});

async function original(): Promise<OriginalIdentity> {
  const identity = await makeIdentity();
  made.push(identity);
  return identity;
}

/** Stores a record as the original has it. */
async function moveRecord({ id, organizationId, projectId, record }: OriginalIdentity, fields: Json = record) {
  const metadata = {
    name: id,
    labels: { [labels.organization]: organizationId, [labels.project]: projectId, [labels.region]: regionId },
  };
  await store.create(OpenstackIdentity, { metadata, spec: fields });
}

/** Asks again until it is complete, as a controller does. */
async function settled<T extends { readonly state: string }>(ask: () => Promise<T>): Promise<T> {
  let answer = await ask();
  while (answer.state === 'pending') {
    await world.sleep(1_000);
    answer = await ask();
  }
  return answer;
}

describe('a tenant that the original made', () => {
  const ids = { network: world.uuid(), group: world.uuid(), server: world.uuid(), balancer: world.uuid() };
  const reference = { id: ids.server, name: 'adopted' };
  const vlanId = 100 + Math.floor(world.random() * 800);
  const network: WantedNetwork = {
    id: ids.network,
    prefix: '10.0.0.0/24',
    reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
    dnsNameservers: ['1.1.1.1'],
    routes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.130' }],
  };
  const rules = [
    { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } },
    { direction: 'ingress', protocol: 'icmp', cidr: '10.0.0.0/8' },
  ] as const;
  const balancer: WantedLoadBalancer = {
    id: ids.balancer,
    networkId: ids.network,
    publicIP: 'wanted',
    listeners: [
      {
        name: 'web',
        protocol: 'tcp',
        port: 80,
        allowedCIDRs: [],
        pool: {
          proxyProtocolV2: false,
          members: [{ address: '10.0.0.200', port: 8080 }],
          healthCheck: { intervalSeconds: 10, timeoutSeconds: 5, healthyThreshold: 3, unhealthyThreshold: 3 },
        },
      },
    ],
  };
  let tenant: OriginalIdentity;
  let cloudIds: Awaited<ReturnType<typeof makeNetwork>> & {
    readonly group: string;
    readonly server: string;
    readonly balancer: string;
    readonly image: string;
    readonly snapshot: string;
  };
  let materials: { readonly flavorId: string; readonly imageId: string };
  let before: readonly string[];

  const wantedServer = () => ({
    ...reference,
    ...materials,
    networkId: ids.network,
    securityGroupIds: [ids.group],
    publicIP: 'wanted' as const,
    allowedAddressPairs: [],
    keyPair: 'none' as const,
    metadata: {},
  });

  beforeAll(async () => {
    tenant = await original();
    const flavors: readonly Json[] = (await call('compute', 'GET', '/flavors')).flavors;
    const { images } = await call('image', 'GET', '/v2/images?name=debian-12');
    materials = { flavorId: flavors.find(({ name }) => name === 'm1.tiny').id, imageId: images[0].id };
    const parts = await makeNetwork(tenant, ids.network, vlanId);
    const groupId = await makeSecurityGroup(tenant, ids.group);
    const owner = { 'unikorn:organization:id': tenant.organizationId };
    const asRegion = await logIn(access, { ...access.regionUser, scope: { project: access.regionUser.project } });
    cloudIds = {
      ...parts,
      group: groupId,
      server: await makeServer(tenant, { ...reference, ...materials, ...parts, groupId, regionId }),
      balancer: await makeLoadBalancer(tenant, { id: ids.balancer, ...parts }),
      image: await makeImage(asRegion, owner),
      // A snapshot belongs to the project of the identity; the original publishes it as the user of the region.
      snapshot: await makeImage(tenant.asManager, { ...owner, 'unikorn:identity_id': tenant.id }),
    };
    await moveRecord(tenant);
    before = await inventoryOf(tenant.record.projectID);
  }, 600_000);

  it('has all parts of the cloud of the original', () => {
    const kinds = new Set(before.map((one) => one.split(' ')[0]));
    expect(kinds).toContain('healthmonitors');
    expect(kinds).toContain('floatingips');
    expect(kinds).toContain('images');
  });

  it('is found before anything is changed', async () => {
    expect(await provider.identities.observe(tenant)).toMatchObject({ state: 'present' });
    expect(await provider.networks.list(tenant)).toMatchObject([{ id: ids.network }]);
    expect(await provider.securityGroups.list(tenant)).toMatchObject([{ id: ids.group }]);
    expect(await provider.servers.list(tenant)).toMatchObject([
      { id: ids.server, presence: { state: 'present', observed: { status: 'active' } } },
    ]);
    expect(await provider.loadBalancers.list(tenant)).toMatchObject([{ id: ids.balancer }]);
  });

  it('keeps its project, its user with the password, and its key', async () => {
    const { record } = tenant;
    expect(await provider.identities.ensure(tenant)).toEqual({
      state: 'present',
      observed: { providerId: record.projectID },
    });
    expect((await store.get(OpenstackIdentity, tenant.id))?.spec).toEqual(record);
    expect(await canLogIn(record)).toBe(true);
    expect(await provider.identities.privateKey(tenant)).toBe(record.sshPrivateKey);
    const { server_groups: groups } = await tenant.asUser('compute', 'GET', '/os-server-groups');
    expect(groups.map(({ id }: Json) => id)).toEqual([record.serverGroupID]);
  });

  it('keeps its network and the VLAN, which no other network gets', async () => {
    const ensured = await provider.networks.ensure(tenant, network);
    const { networkId, subnetId } = cloudIds;
    expect(ensured).toMatchObject({
      state: 'present',
      observed: { networkId, subnetId, vlanId, storageRange: { startIP: '10.0.0.16', endIP: '10.0.0.127' } },
    });
    expect(await provider.networks.observe(tenant, network)).toEqual(ensured);
    expect((await store.list(OpenstackVlan)).items).toMatchObject([{ spec: { vlanId, networkId: ids.network } }]);
  });

  it('keeps its security group and every rule', async () => {
    const ensured = await provider.securityGroups.ensure(tenant, { id: ids.group, rules });
    expect(ensured).toMatchObject({ state: 'present', observed: { providerId: cloudIds.group } });
    expect(ensured.observed.rules).toHaveLength(2);
  });

  it('keeps its server with its addresses', async () => {
    const ensured = await provider.servers.ensure(tenant, wantedServer());
    expect(ensured).toMatchObject({ state: 'present', observed: { providerId: cloudIds.server, status: 'active' } });
    const [{ floating_ip_address: publicIP }] = (
      await call(
        'network',
        'GET',
        `/v2.0/floatingips?fixed_ip_address=${ensured.observed.privateIP}&project_id=${tenant.record.projectID}`,
      )
    ).floatingips;
    expect(ensured.observed.publicIP).toBe(publicIP);
  });

  it('keeps its load balancer with all parts', async () => {
    const ensured = await provider.loadBalancers.ensure(tenant, balancer);
    expect(ensured).toMatchObject({ state: 'present', observed: { providerId: cloudIds.balancer } });
    expect(ensured.observed.publicIP).toBeDefined();
  });

  it('keeps its images, which no other organization sees', async () => {
    const { organizationId } = tenant;
    const own = await provider.images.list({ ownedBy: [organizationId] });
    expect(own.map(({ id }) => id).toSorted()).toEqual([cloudIds.image, cloudIds.snapshot].toSorted());
    for (const image of own)
      expect(image).toMatchObject({
        state: 'ready',
        organizationId,
        softwareVersions: { kubernetes: 'v1.31.0' },
        tags: [{ name: 'team', value: 'blue' }],
      });
    expect(own.find(({ id }) => id === cloudIds.snapshot)?.identityId).toBe(tenant.id);
    const others = await provider.images.list({ availableTo: [world.uuid()] });
    expect(others.map(({ organizationId: owner }) => owner)).not.toContain(organizationId);
  });

  it('has nothing more and nothing less than before', async () => {
    expect(await inventoryOf(tenant.record.projectID)).toEqual(before);
  });

  it('takes changes', async () => {
    await provider.networks.ensure(tenant, { ...network, dnsNameservers: [], routes: [] });
    const { subnet } = await call('network', 'GET', `/v2.0/subnets/${cloudIds.subnetId}`);
    expect(subnet).toMatchObject({ dns_nameservers: [], host_routes: [] });
    const { observed: group } = await provider.securityGroups.ensure(tenant, { id: ids.group, rules: [rules[1]] });
    expect(group).toMatchObject({ providerId: cloudIds.group, rules: [rules[1]] });
    const { observed: server } = await provider.servers.ensure(tenant, { ...wantedServer(), publicIP: 'unwanted' });
    expect(server.providerId).toBe(cloudIds.server);
    expect(server).not.toHaveProperty('publicIP');
    await provider.servers.power(tenant, reference, 'stop');
    const stopped = async () => {
      const seen = await provider.servers.observe(tenant, reference);
      return seen.state !== 'absent' && seen.observed.status === 'shutoff';
    };
    while (!(await stopped())) await world.sleep(500);
    const members = [{ address: '10.0.0.201', port: 8080 }];
    const listeners = balancer.listeners.map((one) => ({ ...one, pool: { ...one.pool, members } }));
    const changed = { ...balancer, listeners };
    const { observed } = await settled(() => provider.loadBalancers.ensure(tenant, changed));
    expect(observed).toMatchObject({ providerId: cloudIds.balancer, members: [{ address: '10.0.0.201' }] });
  });

  it('is removed completely', async () => {
    const { record } = tenant;
    await settled(() => provider.loadBalancers.remove(tenant, balancer));
    await settled(() => provider.servers.remove(tenant, reference));
    await provider.securityGroups.remove(tenant, { id: ids.group });
    await provider.networks.remove(tenant, network);
    for (const id of [cloudIds.image, cloudIds.snapshot])
      expect(await provider.images.remove(id)).toEqual({ state: 'absent' });
    const left = (await inventoryOf(record.projectID)).filter((one) => !one.startsWith('security_group'));
    expect(left).toEqual([]);
    expect(await provider.identities.remove(tenant)).toEqual({ state: 'absent' });
    const { projects } = await call('identity', 'GET', '/projects');
    const { users } = await call('identity', 'GET', '/users');
    for (const id of [record.projectID, record.userID])
      expect([...projects, ...users].map((one: Json) => one.id)).not.toContain(id);
    const { images } = await call('image', 'GET', `/v2/images?unikorn:organization:id=${tenant.organizationId}`);
    expect(images).toEqual([]);
    expect((await store.list(OpenstackIdentity)).items).toEqual([]);
    expect((await store.list(OpenstackVlan)).items).toEqual([]);
  });
});

describe('a tenant whose record of the original', () => {
  it('was lost is found by its name, and its user gets another password', async () => {
    const tenant = await original();
    const networkId = world.uuid();
    const { record } = tenant;
    const parts = await makeNetwork(tenant, networkId, 1_000 + Math.floor(world.random() * 2_900));
    const { observed } = await provider.identities.ensure(tenant);
    expect(observed.providerId).toBe(record.projectID);
    expect((await store.get(OpenstackIdentity, tenant.id))?.spec).toMatchObject({ userID: record.userID });
    expect(await canLogIn(record)).toBe(false);
    expect(await provider.networks.list(tenant)).toMatchObject([
      { id: networkId, presence: { observed: { networkId: parts.networkId, subnetId: parts.subnetId } } },
    ]);
    await provider.networks.remove(tenant, { id: networkId });
    await provider.identities.remove(tenant);
  });

  it('ends after the server group gets the missing key', async () => {
    const tenant = await original();
    const { projectID, userID, password, serverGroupID } = tenant.record;
    await tenant.asUser('compute', 'DELETE', `/os-keypairs/${tenant.record.sshKeyName}`);
    await moveRecord(tenant, { projectID, userID, password, serverGroupID });
    await provider.identities.ensure(tenant);
    expect((await store.get(OpenstackIdentity, tenant.id))?.spec).toMatchObject({ projectID, userID, password });
    expect(await provider.identities.privateKey(tenant)).toContain('PRIVATE KEY');
    await provider.identities.remove(tenant);
  });

  it('ends after the project gets the rest', async () => {
    const tenant = await original();
    await moveRecord(tenant, { projectID: tenant.record.projectID });
    const { observed } = await provider.identities.ensure(tenant);
    expect(observed.providerId).toBe(tenant.record.projectID);
    expect((await store.get(OpenstackIdentity, tenant.id))?.spec.password).not.toBe('');
    expect(await provider.servers.list(tenant)).toEqual([]);
    await provider.identities.remove(tenant);
  });
});
