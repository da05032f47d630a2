import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { networkOf } from '../../packages/region/src/provider/conformance/specimens.ts';
import {
  isProviderFailure,
  type CloudProvider,
  type IdentityReference,
  type WantedServer,
} from '../../packages/region/src/provider/index.ts';
import {
  checkCloud,
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import { access, asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { removeIdentity } from './inventory.fixture.ts';
import { eventually } from './product.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { insist } from './region.fixture.ts';

/*
 * Servers on chosen hosts, in a region that asks Placement first whether the host is free. The host of this cloud has
 * one machine of a class of its own, as Ironic would declare it.
 */

const world = systemWorld;
const suffix = world.uuid().slice(0, 8);
const [resource, trait] = [`CUSTOM_MACHINE_${suffix.toUpperCase()}`, `CUSTOM_RACK_${suffix.toUpperCase()}`];
const headers = { 'openstack-api-version': 'placement 1.39' };
const identity: IdentityReference = { id: world.uuid(), organizationId: world.uuid(), projectId: world.uuid() };
const networkId = world.uuid();
const store = openMemoryStore({ world, kinds: openstackKinds });

let cloud: Caller;
let region: OpenstackRegion;
let provider: CloudProvider;
let host: Json;
let flavorId: string;
let imageId: string;
let projectId: string;

beforeAll(async () => {
  cloud = await asAdministrator();
  [host] = (await cloud('compute', 'GET', '/os-hypervisors')).hypervisors;
  await cloud('placement', 'PUT', `/resource_classes/${resource}`, { headers });
  await cloud('placement', 'PUT', `/traits/${trait}`, { headers });
  const flavor = { name: `machine-${suffix}`, ram: 512, vcpus: 1, disk: 1 };
  flavorId = (await cloud('compute', 'POST', '/flavors', { body: { flavor } })).flavor.id;
  await cloud('compute', 'POST', `/flavors/${flavorId}/os-extra_specs`, {
    body: { extra_specs: { [`resources:${resource}`]: '1' } },
  });
  imageId = (await cloud('image', 'GET', '/v2/images?name=debian-12')).images[0].id;
  const secret = await regionSecret();
  region = new OpenstackRegion({
    regionId: world.uuid(),
    store,
    world,
    telemetry: silentTelemetry(),
    settings: {
      endpoint: access.authUrl,
      regionName: access.region,
      network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
      compute: { placementPreflight: { enabled: true, requiredTraits: [trait.toLowerCase()] } },
    },
    secret: () => Promise.resolve(secret),
  });
  provider = openstackProvider(region);
  projectId = (await insist(() => provider.identities.ensure(identity))).observed.providerId;
  await insist(() => provider.networks.ensure(identity, networkOf(networkId)));
});

afterAll(async () => {
  await removeIdentity(cloud, identity.id);
  await cloud('compute', 'DELETE', `/flavors/${flavorId}`);
  const inventory = await inventories();
  if (resource in inventory)
    await cloud('placement', 'DELETE', `${atHost()}/inventories/${resource}`, { headers, tolerate: [404, 409] });
  await setTraits((traits) => traits.filter((one) => one !== trait));
  await cloud('placement', 'DELETE', `/traits/${trait}`, { headers, tolerate: [404, 409] });
  await cloud('placement', 'DELETE', `/resource_classes/${resource}`, { headers, tolerate: [404, 409] });
  await region.close();
  await store.close();
});

async function hostProvider(): Promise<Json> {
  const { resource_providers: found } = await cloud(
    'placement',
    'GET',
    `/resource_providers?name=${host.hypervisor_hostname}`,
    { headers },
  );
  return found[0];
}

let hostId = '';
const atHost = () => `/resource_providers/${hostId}`;

async function inventories(): Promise<Json> {
  hostId = (await hostProvider()).uuid;
  return (await cloud('placement', 'GET', `${atHost()}/inventories`, { headers })).inventories;
}

/** Nova writes its own inventory of the host now and then, and removes what it does not know. */
async function declareMachine(): Promise<void> {
  if (resource in (await inventories())) return;
  const { generation } = await hostProvider();
  const body = { resource_provider_generation: generation, resource_class: resource, total: 1 };
  await cloud('placement', 'POST', `${atHost()}/inventories`, { headers, body, tolerate: [409] });
}

async function setTraits(change: (traits: readonly string[]) => readonly string[]): Promise<void> {
  await eventually(
    async () => {
      const { traits, resource_provider_generation } = await cloud('placement', 'GET', `${atHost()}/traits`, {
        headers,
      });
      const body = { traits: change(traits), resource_provider_generation };
      await cloud('placement', 'PUT', `${atHost()}/traits`, { headers, body, tolerate: [409] });
      const after = (await cloud('placement', 'GET', `${atHost()}/traits`, { headers })).traits;
      return change(after).length === after.length;
    },
    (isDone) => isDone,
  );
}

function serverOn(infrastructureRef: string): WantedServer {
  const id = world.uuid();
  return {
    id,
    name: `pinned-${id}`,
    flavorId,
    imageId,
    networkId,
    securityGroupIds: [],
    publicIP: 'unwanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    metadata: {},
    infrastructureRef,
  };
}

/** The kind of the failure, or that there was none. */
async function outcome(wanted: WantedServer): Promise<string> {
  try {
    return (await insist(() => provider.servers.ensure(identity, wanted))).state;
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    return error.kind;
  }
}

describe('a server on a chosen host', () => {
  let first: WantedServer;

  it('is not made while the host has no machine of its class', async () => {
    expect(await outcome(serverOn(host.hypervisor_hostname))).toBe('capacity');
  });

  it('is not made while the host lacks a trait that the region requires', async () => {
    await eventually(
      async () => {
        await declareMachine();
        return resource in (await inventories());
      },
      (isDeclared) => isDeclared,
    );
    expect(await outcome(serverOn(host.hypervisor_hostname))).toBe('capacity');
  });

  it('is made on the host that has both, and runs there', async () => {
    await setTraits((traits) => [...traits.filter((one) => one !== trait), trait]);
    first = serverOn(host.hypervisor_hostname);
    await eventually(
      async () => {
        await declareMachine();
        const presence = await insist(() => provider.servers.ensure(identity, first)).catch((error: unknown) => {
          // Nova has removed the machine from the inventory meanwhile.
          if (!isProviderFailure(error, 'capacity')) throw error;
          return undefined;
        });
        expect(presence?.observed.status).not.toBe('error');
        return presence?.observed.status;
      },
      (status) => status === 'active',
    );
    const { servers } = await cloud('compute', 'GET', `/servers/detail?all_tenants=1&project_id=${projectId}`);
    expect(servers).toMatchObject([
      { name: first.name, 'OS-EXT-SRV-ATTR:hypervisor_hostname': host.hypervisor_hostname },
    ]);
  });

  it('is not made while another one has the machine, and leaves no server in the cloud', async () => {
    const second = serverOn(host.hypervisor_hostname);
    expect(await outcome(second)).toBe('capacity');
    expect(await provider.servers.observe(identity, second)).toEqual({ state: 'absent' });
    expect(await outcome(serverOn('no-such-host'))).toBe('capacity');
  });

  it('releases the machine when it is removed', async () => {
    await eventually(
      () => insist(() => provider.servers.remove(identity, first)),
      ({ state }) => state === 'absent',
    );
    await eventually(
      async () => {
        await declareMachine();
        return (await cloud('placement', 'GET', `${atHost()}/usages`, { headers })).usages[resource];
      },
      (used) => used === 0,
    );
  });
});

it('the check of the region finds that free hosts can be looked for', async () => {
  expect((await checkCloud(region)).find(({ name }) => name === 'look for free hosts')).toMatchObject({ state: 'ok' });
});
