import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { inventoryOf } from './inventory.fixture.ts';
import { eventually, regionSettings, startProduct, type Product } from './product.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { removeProject } from './sweep.fixture.ts';
import { idIn, Tenant } from './tenant.fixture.ts';

/*
 * The life of everything that a tenant can have in a real cloud, through the public API. On the way, the product is
 * killed ten times, each time just after it has accepted a request. The administrator of the cloud looks at what is
 * there with plain calls.
 */

// On a busy machine the cloud needs minutes for a load balancer. The waits of a test have their own limit.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });

let product: Product;
let cloud: Caller;
let tenant: Tenant;
let organizationId: string;
let regionId: string;
let kills = 0;
/** All projects that the platform had in the cloud. */
const projects = new Set<string>();

beforeAll(async () => {
  cloud = await asAdministrator();
  product = await startProduct();
  tenant = new Tenant(product);
  organizationId = product.credentials.organizationId ?? '';
  product.keepSecret('cloud', await regionSecret());
  const { body } = await product.call('region', 'POST', '/api/v2/regions', {
    token: product.credentials.adminToken,
    body: { metadata: { name: 'cloud' }, spec: { type: 'openstack', openstack: regionSettings('cloud') } },
  });
  regionId = body.metadata.id;
});

afterAll(async () => {
  await product.stop();
  // Where a test failed, its project is still there.
  for (const id of await projectsInCloud()) await removeProject(cloud, id);
  for (const id of projects) {
    const { security_groups: groups } = await cloud('network', 'GET', `/v2.0/security-groups?project_id=${id}`);
    for (const group of groups) await cloud('network', 'DELETE', `/v2.0/security-groups/${group.id}`);
  }
});

/** Kills the product a while after it has accepted a request, at another moment each time, and starts it again. */
async function interrupted<T>(request: Promise<T>): Promise<T> {
  const answer = await request;
  await systemWorld.sleep((kills * 370) % 1500);
  await product.crash();
  kills += 1;
  return answer;
}

/** The projects of the organization in the cloud. */
async function projectsInCloud(): Promise<readonly string[]> {
  const { projects: found } = await cloud('identity', 'GET', `/projects?tags=organization=${organizationId}`);
  return found.map(({ id }: Json) => id);
}

/** The project of a tenant in the cloud. */
async function projectOf(projectId: string): Promise<string> {
  const { projects: found } = await cloud('identity', 'GET', `/projects?tags=project=${projectId}`);
  expect(found).toHaveLength(1);
  projects.add(found[0].id);
  return found[0].id;
}

async function serversIn(projectId: string): Promise<readonly Json[]> {
  return (await cloud('compute', 'GET', `/servers/detail?all_tenants=1&project_id=${projectId}`)).servers;
}

/** The one server with this name. */
async function serverIn(projectId: string, name: string): Promise<Json> {
  const found = (await serversIn(projectId)).filter((server) => server.name === name);
  expect(found).toHaveLength(1);
  return found[0];
}

/** The addresses that Nova shows. */
function addressesOf(server: Json): readonly string[] {
  const addresses = Object.values<Json>(server.addresses).flat();
  return addresses.map(({ addr }) => addr).toSorted();
}

/** Nova learns the addresses of a server from Neutron a while later. */
async function untilAddressed(projectId: string, name: string, { privateIP, publicIP }: Json): Promise<void> {
  const wanted = [privateIP, publicIP].toSorted();
  await eventually(
    async () => addressesOf(await serverIn(projectId, name)),
    (seen) => seen.join() === wanted.join(),
  );
}

async function publicAddressesIn(projectId: string): Promise<readonly string[]> {
  const { floatingips } = await cloud('network', 'GET', `/v2.0/floatingips?project_id=${projectId}`);
  return floatingips.map(({ floating_ip_address: address }: Json) => address);
}

/** The sentence of the platform for these members of a pool. */
function healthIn(members: readonly Json[]): string {
  const checked = members.filter(({ operating_status: health }) => health !== 'NO_MONITOR');
  const online = checked.filter(({ operating_status: health }) => health === 'ONLINE');
  return checked.length === 0
    ? 'its members have no health checks'
    : `${online.length} of ${checked.length} members answer`;
}

const isRunning = ({ status }: Json) => status.powerState === 'Running';
const isStopped = ({ status }: Json) => status.powerState === 'Stopped';

describe('the things of a tenant', () => {
  let at: string;
  let network: string;
  let group: string;
  let instance: string;
  let flavorId: string;
  let largerFlavorId: string;
  let imageId: string;
  let snapshotId: string;
  let copy: string;
  let balancer: string;

  it('a network and a security group are made', async () => {
    const projectId = product.credentials.projectId ?? '';
    flavorId = await tenant.idOf(regionId, 'flavors', 'm1.small');
    largerFlavorId = await tenant.idOf(regionId, 'flavors', 'm1.medium');
    imageId = await tenant.idOf(regionId, 'images', 'debian-12');
    network = await interrupted(
      tenant.make('region', '/api/v2/networks', 'life', {
        organizationId,
        projectId,
        regionId,
        prefix: '10.9.0.0/24',
        dnsNameservers: ['1.1.1.1'],
      }),
    );
    group = await tenant.make('region', '/api/v2/securitygroups', 'web', {
      networkId: idIn(network),
      rules: [{ direction: 'ingress', protocol: 'tcp', port: 80, prefix: '10.0.0.0/8' }],
    });
    await tenant.until('region', network);
    await tenant.until('region', group);
    at = await projectOf(projectId);
    const { security_groups: groups } = await cloud('network', 'GET', `/v2.0/security-groups?project_id=${at}`);
    const ours = groups.find(({ name }: Json) => name === `securitygroup-${idIn(group)}`);
    expect(
      ours.security_group_rules.filter(({ direction }: Json) => direction === 'ingress'),
      'the rules in the cloud',
    ).toMatchObject([{ protocol: 'tcp', port_range_min: 80, port_range_max: 80, remote_ip_prefix: '10.0.0.0/8' }]);
  });

  it('an instance runs, with its addresses and the output of its console', async () => {
    instance = await interrupted(
      tenant.make('compute', '/api/v2/instances', 'one', {
        organizationId,
        projectId: product.credentials.projectId,
        networkId: idIn(network),
        flavorId,
        imageId,
        networking: { publicIP: true, securityGroups: [idIn(group)] },
      }),
    );
    const { status } = await tenant.until(
      'compute',
      instance,
      (seen) => isRunning(seen) && seen.status.publicIP !== undefined,
    );
    await untilAddressed(at, 'one', status);
    expect(await serverIn(at, 'one')).toMatchObject({
      status: 'ACTIVE',
      image: { id: imageId },
      security_groups: [{ name: `securitygroup-${idIn(group)}` }],
    });
    expect((await tenant.ask('compute', 'GET', `${instance}/consoleoutput`)).contents).toContain('Linux version');
  });

  it('it stops, starts and reboots', async () => {
    await interrupted(tenant.ask('compute', 'POST', `${instance}/stop`));
    await tenant.until('compute', instance, isStopped);
    expect((await serverIn(at, 'one')).status).toBe('SHUTOFF');
    await tenant.ask('compute', 'POST', `${instance}/start`);
    await tenant.until('compute', instance, isRunning);
    await tenant.ask('compute', 'POST', `${instance}/reboot?hard=true`);
    await tenant.until(
      'compute',
      instance,
      (seen) => isRunning(seen) && seen.status.rebootedAt !== undefined && seen.status.rebootingSince === undefined,
    );
    expect((await serverIn(at, 'one')).status).toBe('ACTIVE');
  });

  it('it gives back its public address, and gets another one', async () => {
    const { spec } = await tenant.until('compute', instance);
    await interrupted(tenant.change('compute', instance, { networking: { ...spec.networking, publicIP: false } }));
    await tenant.until('compute', instance, ({ status }) => status.publicIP === undefined);
    expect(await publicAddressesIn(at)).toEqual([]);
    await tenant.change('compute', instance, { networking: { ...spec.networking, publicIP: true } });
    const { status } = await tenant.until('compute', instance, (seen) => seen.status.publicIP !== undefined);
    expect(await publicAddressesIn(at)).toEqual([status.publicIP]);
  });

  it('it is rebuilt with another image: the server stays, with its addresses', async () => {
    const { id } = await serverIn(at, 'one');
    const { status } = await tenant.until('compute', instance);
    const otherImageId = await tenant.idOf(regionId, 'images', 'ubuntu-24.04');
    await interrupted(tenant.change('compute', instance, { imageId: otherImageId }));
    const holds = async () => (await serverIn(at, 'one')).image.id === otherImageId;
    await eventually(holds, (isRebuilt) => isRebuilt);
    await tenant.until('compute', instance, isRunning);
    expect(await serverIn(at, 'one')).toMatchObject({ id, status: 'ACTIVE' });
    await untilAddressed(at, 'one', status);
  });

  it('it is made again with another flavor: the server is another one, with the same private address', async () => {
    const before = await serverIn(at, 'one');
    const { status } = await tenant.until('compute', instance);
    await interrupted(tenant.change('compute', instance, { flavorId: largerFlavorId }));
    await eventually(
      () => serversIn(at),
      ([server, ...others]) => others.length === 0 && server !== undefined && server.id !== before.id,
    );
    const after = await tenant.until('compute', instance, isRunning);
    expect(after.status.privateIP).toBe(status.privateIP);
    expect(await serverIn(at, 'one')).toMatchObject({ status: 'ACTIVE', flavor: { id: largerFlavorId } });
  });

  it('a snapshot of it is an image, on which another instance runs', async () => {
    const image = await interrupted(
      tenant.ask('compute', 'POST', `${instance}/snapshot`, { metadata: { name: 'kept' } }),
    );
    snapshotId = image.metadata.id;
    const images = `/api/v2/regions/${regionId}/images?organizationID=${organizationId}&scope=owned`;
    await eventually(
      () => tenant.ask('region', 'GET', images),
      (found: readonly Json[]) =>
        found.some(({ metadata, status }) => metadata.id === snapshotId && status.state === 'ready'),
    );
    copy = await tenant.make('compute', '/api/v2/instances', 'two', {
      organizationId,
      projectId: product.credentials.projectId,
      networkId: idIn(network),
      // A snapshot needs a disk as large as that of its machine.
      flavorId: largerFlavorId,
      imageId: snapshotId,
    });
    await tenant.until('compute', copy, isRunning);
    expect(await serverIn(at, 'two')).toMatchObject({ status: 'ACTIVE', image: { id: snapshotId } });
  });

  it('a load balancer has both as members, and shows their health', async () => {
    const addresses: string[] = [];
    for (const path of [instance, copy]) addresses.push((await tenant.until('compute', path)).status.privateIP);
    balancer = await interrupted(
      tenant.make('region', '/api/v2/loadbalancers', 'front', {
        networkId: idIn(network),
        publicIP: true,
        listeners: [
          {
            name: 'web',
            protocol: 'tcp',
            port: 80,
            pool: { members: addresses.map((address) => ({ address, port: 8080 })), healthCheck: {} },
          },
        ],
      }),
    );
    const { status } = await tenant.until('region', balancer, (seen) => seen.status.publicIP !== undefined);
    const { loadbalancers } = await cloud('load-balancer', 'GET', `/v2/lbaas/loadbalancers?project_id=${at}`);
    expect(loadbalancers).toMatchObject([
      { name: `lb-${idIn(balancer)}`, provisioning_status: 'ACTIVE', vip_address: status.vipAddress },
    ]);
    const { pools } = await cloud('load-balancer', 'GET', `/v2/lbaas/pools?project_id=${at}`);
    const members = async (): Promise<readonly Json[]> =>
      (await cloud('load-balancer', 'GET', `/v2/lbaas/pools/${pools[0].id}/members`)).members;
    expect((await members()).map(({ address }) => address).toSorted()).toEqual(addresses.toSorted());
    // In the cloud of these tests no agent checks the members, so the statuses are those of a load balancer that has
    // just been made. The platform shows what they say.
    await eventually(
      async () => {
        const { metadata } = await tenant.until('region', balancer);
        return { cloud: healthIn(await members()), platform: metadata.healthStatusDetail?.message };
      },
      (seen) => seen.cloud === seen.platform,
    );
  });

  it('a quota refuses what is over it, and nothing is made', async () => {
    const path = `/api/v1/organizations/${organizationId}/quotas`;
    const { quotas } = await tenant.ask('identity', 'GET', path);
    const { used } = quotas.find(({ kind }: Json) => kind === 'servers');
    const limited = await product.call('identity', 'PUT', path, {
      token: product.credentials.adminToken,
      body: { quotas: [{ kind: 'servers', quantity: used }] },
    });
    expect(limited.status, JSON.stringify(limited.body)).toBeLessThan(300);
    const { status, body } = await product.call('compute', 'POST', '/api/v2/instances', {
      body: {
        metadata: { name: 'three' },
        spec: { organizationId, projectId: product.credentials.projectId, networkId: idIn(network), flavorId, imageId },
      },
    });
    expect(status, JSON.stringify(body)).toBe(403);
    expect((await serversIn(at)).map(({ name }) => name).toSorted()).toEqual(['one', 'two']);
  });

  it('they are deleted in order, and leave nothing in the cloud', async () => {
    await interrupted(tenant.remove('region', balancer));
    await tenant.untilGone('region', balancer);
    for (const path of [copy, instance]) await tenant.remove('compute', path);
    for (const path of [copy, instance]) await tenant.untilGone('compute', path);
    await tenant.remove('region', `/api/v1/organizations/${organizationId}/regions/${regionId}/images/${snapshotId}`);
    await tenant.remove('region', group);
    await tenant.untilGone('region', group);
    await tenant.remove('region', network);
    await tenant.untilGone('region', network);
    await nothingLeft(at);
  });
});

it('a project is deleted with everything in it', async () => {
  const project = await tenant.make('identity', `/api/v1/organizations/${organizationId}/projects`, 'short', {
    groupIDs: [],
  });
  const projectId = idIn(project);
  const network = await tenant.make('region', '/api/v2/networks', 'short', {
    organizationId,
    projectId,
    regionId,
    prefix: '10.9.0.0/24',
    dnsNameservers: ['1.1.1.1'],
  });
  const group = await tenant.make('region', '/api/v2/securitygroups', 'short', {
    networkId: idIn(network),
    rules: [],
  });
  await tenant.until('region', network);
  const instance = await tenant.make('compute', '/api/v2/instances', 'short', {
    organizationId,
    projectId,
    networkId: idIn(network),
    flavorId: await tenant.idOf(regionId, 'flavors', 'm1.tiny'),
    imageId: await tenant.idOf(regionId, 'images', 'debian-12'),
    networking: { publicIP: true, securityGroups: [idIn(group)] },
  });
  await tenant.until('compute', instance, isRunning);
  const at = await projectOf(projectId);
  await interrupted(tenant.remove('identity', project));
  await tenant.untilGone('identity', project);
  await nothingLeft(at);
  expect(kills).toBe(10);
});

/** Waits until the project itself is gone from the cloud. */
async function nothingLeft(projectId: string): Promise<void> {
  await eventually(projectsInCloud, (left) => !left.includes(projectId));
  expect(await inventoryOf(cloud, projectId)).toEqual([]);
}
