import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { access } from './cloud.fixture.ts';
import type { Json } from './cloud/caller.ts';
import { eventually, regionSettings, startProduct, type Product } from './product.fixture.ts';
import { regionSecret, serveImage } from './provider.fixture.ts';

/*
 * What a platform operator does with a region in a real cloud. The suite of the lifecycle shows what tenants do there.
 */

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  expect(await product.stop()).toBe('');
});

it('an operator creates a region, and the platform says what is wrong with its settings', async () => {
  const token = product.credentials.adminToken;
  const create = (name: string, openstack: object | undefined) =>
    product.call('region', 'POST', '/api/v2/regions', {
      token,
      body: { metadata: { name }, spec: { type: 'openstack', openstack } },
    });
  const { status, body } = await create('cloud', regionSettings('cloud'));
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  const flavors = `/api/v1/organizations/${product.credentials.organizationId}/regions/${body.metadata.id}/flavors`;
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

it('users import images from private addresses only if the operator allows it', async () => {
  const { adminToken: token, organizationId } = product.credentials;
  const imageServer = await serveImage();
  const importInto = async (image: object | undefined) => {
    const spec = { type: 'openstack', openstack: { ...regionSettings('cloud'), ...(image ? { image } : {}) } };
    const body = { metadata: { name: image ? 'allowing' : 'usual' }, spec };
    const region = await product.call('region', 'POST', '/api/v2/regions', { token, body });
    const collection = `/api/v1/organizations/${organizationId}/regions/${region.body.metadata.id}/images`;
    const os = { kernel: 'linux', family: 'debian', distro: 'debian', version: '12' };
    const wanted = { uri: imageServer.uri, architecture: 'x86_64', virtualization: 'virtualized', os };
    const made = await product.call('region', 'POST', collection, {
      body: { metadata: { name: 'mirrored' }, spec: wanted },
    });
    return { ...made, collection };
  };
  try {
    expect(await importInto(undefined)).toMatchObject({
      status: 422,
      body: { error_description: 'spec.uri: must resolve to a public address' },
    });
    const { status, body, collection } = await importInto({ privateSources: ['127.0.0.0/8'] });
    expect(status, JSON.stringify(body)).toBe(200);
    const listed = async () => (await product.call('region', 'GET', collection)).body;
    const isListed = (images: readonly Json[]) => images.some(({ metadata }) => metadata.id === body.metadata.id);
    await eventually(listed, isListed);
    expect((await product.call('region', 'DELETE', `${collection}/${body.metadata.id}`)).status).toBe(202);
    await eventually(listed, (images) => !isListed(images));
  } finally {
    await imageServer.close();
  }
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
  // A cloud that is too busy to answer in time leaves some lines unknown. Then an operator repeats the check.
  const checked = await eventually(
    () => product.run('region', 'check', 'typed'),
    ({ output }) => !/^unknown/m.test(output),
  );
  expect(checked.output, checked.errors).toMatch(/^ok +create projects in the domain$/m);
  expect(checked.output).not.toMatch(/^missing/m);
  expect(checked.code).toBe(0);
  expect((await product.run('region', 'delete', 'typed', '--yes')).code).toBe(0);
});

it('an application credential is refused, with what to do instead', async () => {
  const auth = { auth_url: access.authUrl, application_credential_id: 'i', application_credential_secret: 'hidden' };
  const file = join(product.state, '../application.yaml');
  const entry = { auth_type: 'v3applicationcredential', auth, region_name: access.region };
  writeFileSync(file, JSON.stringify({ clouds: { test: entry } }));
  const refused = await product.run('region', 'create', 'application', '--type', 'openstack', '--clouds-yaml', file);
  expect(refused.code).not.toBe(0);
  expect(refused.errors).toContain('an application credential cannot create projects');
  expect(refused.errors).not.toContain('hidden');

  product.keepSecret('application', { 'application-credential-id': 'i', 'application-credential-secret': 'hidden' });
  const settings = JSON.stringify(regionSettings('application'));
  const created = await product.run('region', 'create', 'application', '--type', 'openstack', '--openstack', settings);
  expect(created, created.errors).toMatchObject({ code: 0 });
  const checked = await product.run('region', 'check', 'application');
  expect(checked.output).toMatch(
    /^missing +log in to the domain: the secret of this region has an application credential/m,
  );
  expect(checked).toMatchObject({ code: 1 });
  expect((await product.run('region', 'delete', 'application', '--yes')).code).toBe(0);
});
