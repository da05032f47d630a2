import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { networkOf } from '../../packages/region/src/provider/conformance/specimens.ts';
import type { WantedServer } from '../../packages/region/src/provider/index.ts';
import { checkCloud } from '../../packages/region/src/providers/openstack/index.ts';
import { asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { removeIdentity } from './inventory.fixture.ts';
import { eventually } from './product.fixture.ts';
import { insist, openRegionWith, requireService } from './region.fixture.ts';

/*
 * The state of a bare metal server that is being built, which depends on the state of its machine in Ironic. Needs a
 * cloud with Ironic. Nova runs the server on its own hypervisor, and an administrator does to the machine what the
 * driver of Nova would do.
 */

const suffix = systemWorld.uuid().slice(0, 8);
const headers = { 'x-openstack-ironic-api-version': '1.78' };
const [serverId, networkId] = [systemWorld.uuid(), systemWorld.uuid()];
let cloud: Caller;
let region: Awaited<ReturnType<typeof openRegionWith>>;
let machineId: string;
let flavorId: string;
let wanted: WantedServer;

beforeAll(async () => {
  cloud = await asAdministrator();
  await requireService(cloud, 'baremetal', 'ironic');
  const flavor = { name: `metal-${suffix}`, ram: 512, vcpus: 1, disk: 1 };
  flavorId = (await cloud('compute', 'POST', '/flavors', { body: { flavor } })).flavor.id;
  const [image] = (await cloud('image', 'GET', '/v2/images?name=debian-12')).images;
  region = await openRegionWith({ compute: { flavors: { metadata: [{ id: flavorId, baremetal: true }] } } });
  await insist(() => region.provider.identities.ensure(region.identity));
  await insist(() => region.provider.networks.ensure(region.identity, networkOf(networkId)));
  wanted = {
    id: serverId,
    name: `metal-${suffix}`,
    flavorId,
    imageId: image.id,
    networkId,
    securityGroupIds: [],
    publicIP: 'unwanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    // The hypervisor of this cloud waits with it.
    metadata: { hold: 'yes' },
  };
  const body = { name: `machine-${suffix}`, driver: 'fake-hardware' };
  machineId = (await cloud('baremetal', 'POST', '/v1/nodes', { headers, body })).uuid;
});

afterAll(async () => {
  await release();
  await removeIdentity(cloud, region.identity.id);
  await changeMachine({ op: 'remove', path: '/instance_uuid' }).catch(() => undefined);
  await cloud('baremetal', 'PUT', `/v1/nodes/${machineId}/maintenance`, { headers, body: {}, tolerate: [404, 409] });
  await cloud('baremetal', 'DELETE', `/v1/nodes/${machineId}`, { headers, tolerate: [404, 409] });
  await cloud('compute', 'DELETE', `/flavors/${flavorId}`);
  await region.close();
});

/** The server in Nova, if there is one. */
async function inNova(): Promise<Json> {
  return (await cloud('compute', 'GET', `/servers/detail?all_tenants=1&name=${wanted.name}`)).servers[0];
}

/** Lets the hypervisor build the server. */
async function release(): Promise<void> {
  const server = await inNova();
  const body = { server: { description: 'released' } };
  const version = { 'openstack-api-version': 'compute 2.19' };
  if (server) await cloud('compute', 'PUT', `/servers/${server.id}`, { headers: version, body });
}

function changeMachine(...changes: readonly object[]): Promise<Json> {
  return cloud('baremetal', 'PATCH', `/v1/nodes/${machineId}`, { headers, body: changes });
}

/** Lets Ironic bring the machine into a state. */
async function move(target: string, reached: string): Promise<void> {
  const path = `/v1/nodes/${machineId}`;
  await cloud('baremetal', 'PUT', `${path}/states/provision`, { headers, body: { target } });
  await eventually(
    async () => (await cloud('baremetal', 'GET', path, { headers })).provision_state,
    (state) => state === reached,
  );
}

/** What the provider says of the server, read by itself and in the list. */
async function seen(): Promise<readonly (string | undefined)[]> {
  const { provider, identity } = region;
  const presence = await insist(() => provider.servers.observe(identity, wanted));
  const [listed] = await insist(() => provider.servers.list(identity));
  const alone = presence.state === 'absent' ? presence.state : presence.observed.status;
  return [alone, listed?.presence.observed.status];
}

describe('a bare metal server', () => {
  it('waits in the queue when Nova has accepted it', async () => {
    const { state, observed } = await insist(() => region.provider.servers.ensure(region.identity, wanted));
    expect([state, observed.status]).toEqual(['pending', 'queued']);
  });

  it('waits while it has no machine', async () => {
    expect(await seen()).toEqual(['queued', 'queued']);
  });

  it('waits while its machine is made ready', async () => {
    const { id } = await inNova();
    await changeMachine({ op: 'add', path: '/instance_uuid', value: id });
    expect(await seen()).toEqual(['queued', 'queued']);
    await move('manage', 'manageable');
    expect(await seen()).toEqual(['queued', 'queued']);
    await move('provide', 'available');
    expect(await seen()).toEqual(['queued', 'queued']);
  });

  it('is built once its machine is deployed', async () => {
    await move('active', 'active');
    expect(await seen()).toEqual(['building', 'building']);
  });

  it('runs when Nova says so', async () => {
    await release();
    expect(await eventually(seen, ([alone]) => alone !== 'building')).toEqual(['active', 'active']);
  });
});

it('the check of the region finds that the state of machines can be seen', async () => {
  const checks = await checkCloud(region.region);
  expect(checks.find(({ name }) => name === 'see the state of bare metal machines')).toMatchObject({ state: 'ok' });
});
