import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { access, asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { openGate, type Gate } from './gate.fixture.ts';
import { eventually, regionSettings, startProduct, type Product } from './product.fixture.ts';
import { openProxy, type Proxy } from './proxy.fixture.ts';
import { removeDomain } from './sweep.fixture.ts';
import { idIn, Tenant } from './tenant.fixture.ts';

/*
 * Two regions of one product on one cloud, with the same user. The way to the cloud of the second one can be closed.
 * The user has a domain of its own, because its password is changed.
 */

// A test makes several networks, which take minutes each on a busy machine. The waits have their own limit.
vi.setConfig({ testTimeout: 1_800_000 });

const domainName = `regions-${systemWorld.uuid().slice(0, 8)}`;
let cloud: Caller;
let product: Product;
let tenant: Tenant;
let proxy: Proxy;
let gate: Gate;
let secret: Readonly<Record<string, string>>;
const regions = { near: '', far: '' };

beforeAll(async () => {
  cloud = await asAdministrator();
  secret = await makeDomain();
  proxy = await openProxy(access.authUrl);
  const throughProxy = new URL(proxy.line({ choose: () => undefined, happened: () => undefined }).authUrl);
  gate = await openGate(Number(throughProxy.port));
  throughProxy.port = String(gate.port);
  product = await startProduct();
  tenant = new Tenant(product);
  const { adminToken: token, organizationId } = product.credentials;
  await product.call('identity', 'PUT', `/api/v1/organizations/${organizationId}/quotas`, {
    token,
    body: { quotas: [{ kind: 'networks', quantity: 100 }] },
  });
  product.keepSecret('shared', secret);
  regions.near = await makeRegion('near', access.authUrl);
  regions.far = await makeRegion('far', throughProxy.href);
});

afterAll(async () => {
  await product.stop();
  await gate.remove();
  await proxy.close();
  await removeDomain(cloud, domainName);
});

/** A domain with a project and a user for regions, as the guide makes it. Returns the credentials. */
async function makeDomain(): Promise<Readonly<Record<string, string>>> {
  const make = async (path: string, kind: string, fields: object): Promise<string> =>
    (await cloud('identity', 'POST', path, { body: { [kind]: fields } }))[kind].id;
  const password = systemWorld.uuid();
  const domain = await make('/domains', 'domain', { name: domainName });
  const project = await make('/projects', 'project', { name: 'unikorn-provider', domain_id: domain });
  const user = await make('/users', 'user', { name: 'unikorn', domain_id: domain, password });
  for (const name of ['member', 'manager', 'load-balancer_member']) {
    const [role] = (await cloud('identity', 'GET', `/roles?name=${name}`)).roles;
    for (const at of [`/domains/${domain}`, `/projects/${project}`])
      await cloud('identity', 'PUT', `${at}/users/${user}/roles/${role.id}`);
  }
  return { 'domain-id': domain, 'project-id': project, 'user-id': user, password };
}

async function makeRegion(name: string, endpoint: string): Promise<string> {
  const { status, body } = await product.call('region', 'POST', '/api/v2/regions', {
    token: product.credentials.adminToken,
    body: { metadata: { name }, spec: { type: 'openstack', openstack: { ...regionSettings('shared'), endpoint } } },
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.metadata.id;
}

function makeNetwork(region: keyof typeof regions, name: string): Promise<string> {
  const { organizationId, projectId } = product.credentials;
  const spec = { organizationId, projectId, regionId: regions[region], prefix: '10.9.0.0/24', dnsNameservers: [] };
  return tenant.make('region', '/api/v2/networks', name, spec);
}

/** The ids in the cloud of a network of ours. There must be one. */
async function networksInCloud(path: string): Promise<readonly string[]> {
  const { networks } = await cloud('network', 'GET', `/v2.0/networks?name=network-${idIn(path)}`);
  return networks.map(({ id }: Json) => id);
}

async function stateOf(path: string): Promise<Json> {
  return (await product.call('region', 'GET', path)).body.metadata;
}

/** Unlike for a test of a sound cloud, an error on the way is expected. */
async function provisioned(path: string): Promise<void> {
  await eventually(
    () => stateOf(path),
    ({ provisioningStatus }) => provisioningStatus === 'provisioned',
  );
}

async function removed(service: 'region' | 'compute', path: string): Promise<void> {
  await tenant.remove(service, path);
  await tenant.untilGone(service, path);
}

/** One network in each region, which the tests share: a network costs this cloud much time. */
let near: string;
let far: string;

it('a password that was changed in the cloud and in the secret is used without a restart', async () => {
  near = await makeNetwork('near', 'near');
  await provisioned(near);
  const password = systemWorld.uuid();
  await cloud('identity', 'PATCH', `/users/${secret['user-id']}`, { body: { user: { password } } });
  // The tokens of the user have ended with its old password, and the secret still has that one.
  far = await makeNetwork('far', 'far');
  await eventually(
    () => stateOf(far),
    ({ provisioningStatusDetail: detail }) => detail?.message.includes('does not accept the credentials') === true,
  );
  product.keepSecret('shared', { ...secret, password });
  await provisioned(far);
});

it.each(['closed', 'silent'] as const)('a region whose cloud is %s does not disturb the other one', async (state) => {
  const before = await networksInCloud(far);
  expect(before).toHaveLength(1);
  gate.set(state);
  const waiting = await makeNetwork('far', `waiting-${state}`);

  const { organizationId, projectId } = product.credentials;
  const instance = await tenant.make('compute', '/api/v2/instances', `near-${state}`, {
    organizationId,
    projectId,
    networkId: idIn(near),
    flavorId: await tenant.idOf(regions.near, 'flavors', 'm1.tiny'),
    imageId: await tenant.idOf(regions.near, 'images', 'debian-12'),
  });
  await tenant.until('compute', instance, ({ status }) => status.powerState === 'Running');
  await removed('compute', instance);

  // All of this happened while the other region was away. Then it goes on by itself, with the network that it had.
  expect((await stateOf(waiting)).provisioningStatus).not.toBe('provisioned');
  gate.set('open');
  for (const path of [far, waiting]) await provisioned(path);
  expect(await networksInCloud(far)).toEqual(before);
  await removed('region', waiting);
});

it('nothing is left in the cloud after both networks are deleted', async () => {
  for (const path of [near, far]) await removed('region', path);
  const inDomain = `domain_id=${secret['domain-id']}`;
  await eventually(
    async () => (await cloud('identity', 'GET', `/projects?${inDomain}`)).projects,
    (left) => left.length === 1,
  );
  expect((await cloud('identity', 'GET', `/users?${inDomain}`)).users).toHaveLength(1);
});
