import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { access, asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { eventually, regionSettings, startProduct, type Product } from './product.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { removeProject } from './sweep.fixture.ts';

/*
 * The product with a region in a real cloud, through its public API only. The administrator of the cloud looks at what
 * is there with plain calls.
 */

let product: Product;
let cloud: Caller;
let regionId: string;

beforeAll(async () => {
  cloud = await asAdministrator();
  product = await startProduct();
});

afterAll(async () => {
  const errors = await product.stop();
  // Where a test failed, its project is still there.
  for (const { id } of await projectsOf(product.credentials.organizationId ?? '')) await removeProject(cloud, id);
  expect(errors).toBe('');
});

/** The projects in the cloud that belong to an organization of the platform. */
async function projectsOf(organizationId: string): Promise<readonly Json[]> {
  return (await cloud('identity', 'GET', `/projects?tags=organization=${organizationId}`)).projects;
}

async function made(service: 'region' | 'compute', path: string, name: string, spec: object): Promise<string> {
  const { status, body } = await product.call(service, 'POST', path, { body: { metadata: { name }, spec } });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.metadata.id;
}

/** Waits until a resource is provisioned, and returns it. */
async function provisioned(service: 'region' | 'compute', path: string): Promise<Json> {
  const { body } = await eventually(
    () => product.call(service, 'GET', path),
    ({ body: seen }) => ['provisioned', 'error'].includes(seen.metadata?.provisioningStatus),
  );
  expect(body.metadata.provisioningStatus, JSON.stringify(body)).toBe('provisioned');
  return body;
}

async function goneAfterDelete(service: 'region' | 'compute', path: string): Promise<void> {
  expect((await product.call(service, 'DELETE', path)).status).toBe(202);
  await eventually(
    () => product.call(service, 'GET', path),
    ({ status }) => status === 404,
  );
}

it('an operator creates a region, and the platform says what is wrong with its settings', async () => {
  const token = product.credentials.adminToken;
  const create = (name: string, openstack: object | undefined) =>
    product.call('region', 'POST', '/api/v2/regions', {
      token,
      body: { metadata: { name }, spec: { type: 'openstack', openstack } },
    });
  const { status, body } = await create('cloud', regionSettings('cloud'));
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  regionId = body.metadata.id;
  const flavors = `/api/v1/organizations/${product.credentials.organizationId}/regions/${regionId}/flavors`;
  expect((await product.call('region', 'GET', flavors)).body).toMatchObject({
    error_description: expect.stringContaining('the secret of this region') as string,
  });
  product.keepSecret('cloud', await regionSecret());
  const { body: offered } = await eventually(
    () => product.call('region', 'GET', flavors),
    (answer) => answer.status === 200,
  );
  expect(offered.map(({ metadata }: Json) => metadata.name)).toContain('m1.small');
});

it('an operator creates a region from a clouds.yaml, and checks its cloud', async () => {
  const { user, domain, project } = access.regionUser;
  const auth = {
    auth_url: access.authUrl,
    username: user,
    user_domain_name: domain,
    password: access.password,
    project_name: project,
    project_domain_name: domain,
  };
  const file = join(product.state, '../clouds.yaml');
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify({ clouds: { test: { auth, region_name: access.region } } }));
  const created = await product.run('region', 'create', 'typed', '--type', 'openstack', '--clouds-yaml', file);
  expect(created, created.errors).toMatchObject({ code: 0 });
  const checked = await product.run('region', 'check', 'typed');
  expect(checked.output, checked.errors).toMatch(/^ok +create projects in the domain$/m);
  expect(checked.output).not.toMatch(/^(missing|unknown)/m);
  expect(checked.code).toBe(0);
  expect((await product.run('region', 'delete', 'typed')).code).toBe(0);
});

it('a network and an instance come to life in the cloud, and leave nothing there', async () => {
  const { organizationId = '', projectId = '' } = product.credentials;
  const at = `/api/v1/organizations/${organizationId}/regions/${regionId}`;
  const idOf = async (what: 'flavors' | 'images', name: string): Promise<string> => {
    const { body } = await product.call('region', 'GET', `${at}/${what}`);
    return body.find(({ metadata }: Json) => metadata.name === name).metadata.id;
  };
  const [flavorId, imageId] = [await idOf('flavors', 'm1.small'), await idOf('images', 'debian-12')];

  const network = `/api/v2/networks/${await made('region', '/api/v2/networks', 'real', {
    organizationId,
    projectId,
    regionId,
    prefix: '10.9.0.0/24',
    dnsNameservers: ['1.1.1.1'],
  })}`;
  const networkId = (await provisioned('region', network)).metadata.id;
  const [project] = await projectsOf(organizationId);
  const { networks } = await cloud('network', 'GET', `/v2.0/networks?project_id=${project.id}`);
  expect(networks).toMatchObject([{ name: `network-${networkId}`, status: 'ACTIVE' }]);

  const instance = `/api/v2/instances/${await made('compute', '/api/v2/instances', 'real-1', {
    organizationId,
    projectId,
    networkId,
    flavorId,
    imageId,
    networking: { publicIP: true },
  })}`;
  await provisioned('compute', instance);
  const { body: running } = await eventually(
    () => product.call('compute', 'GET', instance),
    ({ body }) => body.status.powerState === 'Running' && body.status.publicIP !== undefined,
  );
  const servers = async (): Promise<readonly Json[]> =>
    (await cloud('compute', 'GET', `/servers/detail?all_tenants=1&project_id=${project.id}`)).servers;
  const [server] = await servers();
  expect(server).toMatchObject({ name: 'real-1', status: 'ACTIVE' });
  const addresses = Object.values<Json>(server.addresses).flat();
  expect(addresses.map(({ addr }) => addr).toSorted()).toEqual(
    [running.status.privateIP, running.status.publicIP].toSorted(),
  );

  await goneAfterDelete('compute', instance);
  expect(await servers()).toEqual([]);
  expect((await cloud('network', 'GET', `/v2.0/floatingips?project_id=${project.id}`)).floatingips).toEqual([]);
  await goneAfterDelete('region', network);
  await eventually(
    () => projectsOf(organizationId),
    (left) => left.length === 0,
  );
});
