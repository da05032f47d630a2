import { generateKeyPairSync } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { FileStorageClass, Identity } from '../../kinds/index.ts';
import type { Flavor } from '../../provider/index.ts';
import { networkBody } from '../../testing/networks.ts';
import { startRegion } from '../../testing/index.ts';

interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

const kubernetesRegion = {
  provider: 'kubernetes',
  kubernetes: { kubeConfigSecret: { namespace: 'unikorn', name: 'cluster' }, domainName: 'k8s.example.com', nodes: [] },
} as const;

function openstackSpec(settings: object) {
  return {
    type: 'openstack',
    openstack: { endpoint: 'https://keystone', serviceAccountSecret: { namespace: 'a', name: 'b' }, ...settings },
  };
}

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function flavor(id: string, size: Partial<Flavor>): Flavor {
  return {
    id,
    name: id,
    architecture: 'x86_64',
    cpus: 4,
    memory_bytes: 8 * 2 ** 30,
    disk_gb: 100,
    baremetal: false,
    pinnedOnly: false,
    ...size,
  };
}

const gpu = { vendor: 'NVIDIA', model: 'L4', memory_bytes: 24 * 2 ** 30, physicalCount: 1, logicalCount: 2 } as const;
const flavors = [
  flavor('gpu', { gpu }),
  flavor('metal', { cpus: 64, baremetal: true, pinnedOnly: true }),
  flavor('large', { memory_bytes: 16.5 * 2 ** 30 }),
  flavor('small', { cpuFamily: 'Zen' }),
];
const kubernetesMail = 'kubernetes@example.com';

/** One platform for all tests. Each test creates the regions that it needs. */
async function start() {
  const region = await startRegion({
    identityConfiguration: { globalBindings: { [kubernetesMail]: ['kubernetes-service'] } },
    secrets: { read: ({ name }) => Promise.resolve(name === 'cluster' ? { kubeconfig: 'kind: Config\n' } : undefined) },
    providers: {
      kubernetes: () => ({
        tier: 'inventory',
        provider: { flavors: () => Promise.resolve(flavors), volumeClasses: () => Promise.resolve([]) },
      }),
      openstack: () => ({
        tier: 'inventory',
        provider: { flavors: () => Promise.resolve([]), volumeClasses: () => Promise.resolve([]) },
        check: () =>
          Promise.resolve([{ name: 'create projects', state: 'missing', message: 'no', remedy: 'grant it' } as const]),
      }),
    },
  });
  await region.found.user(kubernetesMail);
  const ids = async (path: string, token?: string) =>
    ((await region.call('GET', path, token === undefined ? {} : { token })).body as readonly Named[]).map(
      ({ metadata }) => metadata.id,
    );
  /** An administrator of another organization. */
  const stranger = async () => {
    const organizationId = await region.found.organization();
    return { organizationId, token: (await region.found.robot(organizationId, ['administrator'])).token };
  };
  return { ...region, own: `/api/v1/organizations/${region.organizationId}/regions`, ids, stranger };
}

let running: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());

describe('regions', () => {
  it('are listed under an organization and without one, and are never cached', async () => {
    const { call, own, regionId } = running;
    for (const path of [own, '/api/v2/regions']) {
      const { status, body, headers } = await call('GET', path);
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
      const shown = {
        metadata: { id: regionId, name: 'sim', provisioningStatus: 'provisioned', healthStatus: 'healthy' },
        spec: { type: 'simulated', features: { physicalNetworks: false } },
      };
      expect(body).toContainEqual(
        expect.objectContaining({ metadata: expect.objectContaining(shown.metadata) as object, spec: shown.spec }),
      );
    }
    expect(await call('GET', `/api/v2/regions/${regionId}`)).toMatchObject({
      status: 200,
      body: { metadata: { id: regionId } },
    });
  });

  it('that are private are shown to their organization and to operators, and are 404 for all others, never 403', async () => {
    const { call, ids, own, openRegion, organizationId, operatorToken, regionId, stranger, projectId } = running;
    const hidden = await openRegion({ security: { organizations: [{ id: organizationId }] } });
    const { token, organizationId: foreign } = await stranger();
    expect(await ids('/api/v2/regions')).toContain(hidden);
    expect(await ids(own)).toContain(hidden);
    expect(await ids('/api/v2/regions', operatorToken)).toContain(hidden);
    for (const path of ['/api/v2/regions', `/api/v1/organizations/${foreign}/regions`]) {
      const seen = await ids(path, token);
      expect([seen.includes(regionId), seen.includes(hidden)]).toEqual([true, false]);
    }
    const v1 = `/api/v1/organizations/${foreign}/regions/${hidden}`;
    for (const path of [
      `/api/v2/regions/${hidden}`,
      `/api/v2/regions/${hidden}/flavors`,
      `/api/v2/regions/${hidden}/externalnetworks`,
      `/api/v2/regions/${hidden}/images`,
      `${v1}/flavors`,
      `${v1}/images`,
    ]) {
      expect([path, (await call('GET', path, { token })).status]).toEqual([path, 404]);
    }
    for (const path of ['flavors', 'images']) expect((await call('GET', `${own}/${hidden}/${path}`)).status).toBe(200);
    const network = networkBody({ organizationId, projectId, regionId: hidden });
    expect((await call('POST', '/api/v2/networks', { body: network })).status).toBe(201);
  });

  it('are loaded after the access check if the path names an organization, and before it if not', async () => {
    const { call, organizationId, regionId, stranger } = running;
    const { token, organizationId: foreign } = await stranger();
    const absent = 'aaaaaaaa-0000-4000-8000-000000000000';
    expect((await call('GET', `/api/v1/organizations/${organizationId}/regions`, { token })).status).toBe(403);
    expect(
      (await call('GET', `/api/v1/organizations/${organizationId}/regions/${absent}/flavors`, { token })).status,
    ).toBe(403);
    expect((await call('GET', `/api/v1/organizations/${foreign}/regions/${absent}/flavors`, { token })).status).toBe(
      404,
    );
    expect(
      (await call('GET', `/api/v1/organizations/${foreign}/regions/${regionId}/externalnetworks`, { token })).status,
    ).toBe(403);
    expect((await call('GET', `/api/v2/regions/${absent}/externalnetworks`, { token })).status).toBe(404);
    expect((await call('GET', `/api/v2/regions/${regionId}/externalnetworks`, { token })).status).toBe(403);
    expect((await call('GET', '/api/v2/regions/no-uuid', { token })).status).toBe(400);
  });

  it('show how a cluster is reached only to callers with the right', async () => {
    const { call, own, openRegion, operatorToken, regionId } = running;
    const cluster = await openRegion(kubernetesRegion);
    const lost = await openRegion({
      ...kubernetesRegion,
      kubernetes: { ...kubernetesRegion.kubernetes, kubeConfigSecret: { namespace: 'unikorn', name: 'lost' } },
    });
    const detail = (id: string, token = `user:${kubernetesMail}`) => call('GET', `${own}/${id}/detail`, { token });
    expect((await detail(cluster, running.token)).status).toBe(403);
    expect((await detail(cluster, operatorToken)).status).toBe(200);
    const kubernetes = {
      kubeconfig: Buffer.from('kind: Config\n').toString('base64url'),
      domainName: 'k8s.example.com',
    };
    expect(await detail(cluster)).toMatchObject({
      status: 200,
      body: { metadata: { id: cluster }, spec: { type: 'kubernetes', kubernetes } },
    });
    expect((await detail(regionId)).body).not.toHaveProperty('spec.kubernetes');
    expect((await detail(lost)).status).toBe(500);
  });
});

describe('the catalogue of a region', () => {
  it('is sorted by GPUs, processors and memory, has sizes in GiB, in MiB where that is not exact, and may be cached for a day', async () => {
    const { call, own, openRegion } = running;
    const cluster = await openRegion(kubernetesRegion);
    for (const path of [`${own}/${cluster}/flavors`, `/api/v2/regions/${cluster}/flavors`]) {
      const { status, body, headers } = await call('GET', path);
      expect([status, headers['cache-control']]).toEqual([200, 'max-age=86400, private']);
      expect((body as readonly { spec: unknown }[]).map(({ spec }) => spec)).toEqual([
        { architecture: 'x86_64', cpus: 4, cpuFamily: 'Zen', memory: 8, disk: 100 },
        { architecture: 'x86_64', cpus: 4, memory: 16, memoryMiB: 16_896, disk: 100 },
        { architecture: 'x86_64', cpus: 64, memory: 8, disk: 100, baremetal: true, pinnedOnly: true },
        {
          architecture: 'x86_64',
          cpus: 4,
          memory: 8,
          disk: 100,
          gpu: { vendor: 'NVIDIA', model: 'L4', memory: 24, physicalCount: 1, logicalCount: 2 },
        },
      ]);
    }
  });

  it('cannot list the images of a region that is not a cloud', async () => {
    const { call, own, openRegion } = running;
    const cluster = await openRegion(kubernetesRegion);
    for (const path of [`${own}/${cluster}/images`, `/api/v2/regions/${cluster}/images`])
      expect((await call('GET', path)).status).toBe(400);
  });

  it('includes the external networks for operators', async () => {
    const { call, own, operatorToken, regionId } = running;
    for (const path of [`${own}/${regionId}/externalnetworks`, `/api/v2/regions/${regionId}/externalnetworks`]) {
      const { body, headers } = await call('GET', path, { token: operatorToken });
      expect(body).toContainEqual({ id: '55555555-5555-5555-5555-555555555555', name: 'sim-public' });
      expect(headers['cache-control']).toBe('max-age=86400, private');
    }
  });

  it('is an error with the reason while the cloud is unavailable', async () => {
    const { call, own, operator, openRegion } = running;
    const away = await openRegion();
    await operator(away).turn({ service: 'down' });
    expect(await call('GET', `${own}/${away}/flavors`)).toMatchObject({
      status: 503,
      headers: { 'cache-control': 'no-cache', 'retry-after': '10' },
    });
  });
});

describe('operating regions', () => {
  const body = { metadata: { name: 'north' }, spec: { type: 'simulated' } };

  it('is only for operators', async () => {
    const { call, regionId, operatorToken } = running;
    expect((await call('POST', '/api/v2/regions', { body })).status).toBe(403);
    expect((await call('PUT', `/api/v2/regions/${regionId}`, { body })).status).toBe(403);
    expect((await call('DELETE', `/api/v2/regions/${regionId}`)).status).toBe(403);
    const created = await call('POST', '/api/v2/regions', { body, token: operatorToken });
    expect(created).toMatchObject({ status: 201, body: { metadata: { name: 'north' }, spec: { type: 'simulated' } } });
  });

  it('creates a region that can be used at once, and changes its organizations', async () => {
    const { call, ids, organizationId, operatorToken, stranger } = running;
    const { token } = await stranger();
    const { body: made } = await call('POST', '/api/v2/regions', { body, token: operatorToken });
    const { id } = (made as Named).metadata;
    expect((await call('GET', `/api/v2/regions/${id}/flavors`, { token })).status).toBe(200);
    const mine = {
      ...body,
      metadata: { name: 'south', description: 'd' },
      spec: { ...body.spec, organizationIds: [organizationId] },
    };
    expect(await call('PUT', `/api/v2/regions/${id}`, { body: mine, token: operatorToken })).toMatchObject({
      status: 202,
      body: { metadata: { name: 'south', description: 'd' } },
    });
    expect(await ids('/api/v2/regions', token)).not.toContain(id);
    // Settings that are left out stay: a change of the name must not make a private region public.
    expect((await call('PUT', `/api/v2/regions/${id}`, { body, token: operatorToken })).status).toBe(202);
    expect(await ids('/api/v2/regions', token)).not.toContain(id);
    expect(await call('GET', `/api/v2/regions/${id}/settings`, { token: operatorToken })).toMatchObject({
      status: 200,
      body: { spec: { type: 'simulated', organizationIds: [organizationId] } },
    });
    expect((await call('GET', `/api/v2/regions/${id}/settings`)).status).toBe(403);
    expect(
      (
        await call('PUT', `/api/v2/regions/${id}`, {
          body: { ...body, spec: { ...body.spec, organizationIds: [] } },
          token: operatorToken,
        })
      ).status,
    ).toBe(202);
    expect(await ids('/api/v2/regions', token)).toContain(id);
  });

  it('refuses an unknown setting, which could have been meant to restrict access', async () => {
    const { call, operatorToken } = running;
    const answer = await call('POST', '/api/v2/regions', {
      body: { ...body, spec: { ...body.spec, security: { organizations: [] } } },
      token: operatorToken,
    });
    expect(answer.status).toBe(400);
  });

  it.each<[string, object, number, string]>([
    ['a type that is not there', { type: 'vmware' }, 400, 'spec.type'],
    ['an openstack without saying where', { type: 'openstack' }, 422, 'spec.openstack: must be given'],
    [
      'a simulated one with a cluster',
      { type: 'simulated', kubernetes: kubernetesRegion.kubernetes },
      422,
      'spec.kubernetes: must be left out',
    ],
    [
      'a cluster with what is simulated',
      { type: 'kubernetes', kubernetes: kubernetesRegion.kubernetes, simulated: {} },
      422,
      'spec.simulated: must be left out',
    ],
    ['an organization that cannot be one', { type: 'simulated', organizationIds: ['x'] }, 400, 'organizationIds'],
    [
      'a range of VLANs that is upside down',
      {
        type: 'openstack',
        openstack: {
          endpoint: 'https://keystone',
          serviceAccountSecret: { namespace: 'a', name: 'b' },
          network: { providerNetworks: { physicalNetwork: 'p', vlan: { segments: [{ startId: 9, endId: 3 }] } } },
        },
      },
      422,
      'segments.0: startId',
    ],
    [
      'VLANs of no physical network',
      openstackSpec({ network: { providerNetworks: { vlan: { segments: [] } } } }),
      422,
      'spec.openstack.network.providerNetworks.physicalNetwork: must be given with vlan',
    ],
    ...['keystone.example.com', 'ftp://keystone', 'https://user:secret@keystone', 'https://keystone/?a=b'].map(
      (endpoint): [string, object, number, string] => [
        `the address ${endpoint}`,
        openstackSpec({ endpoint }),
        422,
        'spec.openstack.endpoint: must be the http or https address of Keystone',
      ],
    ),
    [
      'an authority that is no certificate',
      openstackSpec({ tls: { authority: 'PEM' } }),
      422,
      'spec.openstack.tls.authority: must be a certificate in PEM',
    ],
    [
      'a private key for checking signatures',
      openstackSpec({ image: { selector: { signingKey: privateKey } } }),
      422,
      'signingKey: must be a public ECDSA key in PEM',
    ],
    ...['10.20.0.0', '0.0.0.0/0', 'fd00::/8'].map((source): [string, object, number, string] => [
      `images from ${source}`,
      openstackSpec({ image: { privateSources: [source] } }),
      422,
      'spec.openstack.image.privateSources.0: must be an IPv4 prefix such as 10.20.0.0/16',
    ]),
    [
      'images from addresses with credentials of the cloud',
      openstackSpec({ image: { privateSources: ['10.20.0.0/16', '169.0.0.0/8'] } }),
      422,
      'spec.openstack.image.privateSources.1: must not include link-local addresses',
    ],
    ['an interface that is not there', openstackSpec({ interface: 'secret' }), 400, 'spec.openstack.interface'],
    ['a misspelt setting', openstackSpec({ regionname: 'x' }), 400, 'spec.openstack'],
  ])('refuses %s', async (_name, spec, status, text) => {
    const { call, operatorToken } = running;
    expect(await call('POST', '/api/v2/regions', { body: { ...body, spec }, token: operatorToken })).toMatchObject({
      status,
      body: { error_description: expect.stringContaining(text) as string },
    });
  });

  it('checks the cloud of a region for operators, and refuses if there is nothing to check', async () => {
    const { call, openRegion, operatorToken, regionId, token } = running;
    const other = await openRegion({
      provider: 'openstack',
      openstack: { endpoint: 'https://keystone', serviceAccountSecret: { namespace: 'a', name: 'b' } },
    });
    const check = (id: string, by: string) => call('POST', `/api/v2/regions/${id}/check`, { token: by });
    expect(await check(other, operatorToken)).toMatchObject({
      status: 200,
      body: [{ name: 'create projects', state: 'missing', message: 'no', remedy: 'grant it' }],
    });
    expect((await check(other, token)).status).toBe(403);
    expect(await check(regionId, operatorToken)).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('has the type simulated') as string },
    });
  });

  it('refuses to change the type of a region', async () => {
    const { call, regionId, operatorToken } = running;
    const change = { ...body, spec: { type: 'kubernetes', kubernetes: kubernetesRegion.kubernetes } };
    expect(await call('PUT', `/api/v2/regions/${regionId}`, { body: change, token: operatorToken })).toMatchObject({
      status: 422,
      body: { error_description: expect.stringContaining('spec.type') as string },
    });
  });

  it('refuses to delete a region with resources and names them, and deletes the storage classes with an empty region', async () => {
    const { call, eventually, openRegion, operatorToken, organizationId, projectId, store } = running;
    const regionId = await openRegion();
    const { body: network } = await call('POST', '/api/v2/networks', {
      body: networkBody({ organizationId, projectId, regionId }),
    });
    const { id } = (network as Named).metadata;
    const remove = () => call('DELETE', `/api/v2/regions/${regionId}`, { token: operatorToken });
    expect(await remove()).toMatchObject({
      status: 403,
      body: { error_description: `region ${regionId} is in use by network ${id}: delete these resources first` },
    });
    expect((await call('DELETE', `/api/v2/networks/${id}`)).status).toBe(202);
    const inRegion = { selector: matching({ [labels.region]: regionId }) };
    await eventually(
      () => store.list(Identity, inRegion),
      ({ items }) => items.length === 0,
    );
    const spec = { regionId, provisioner: 'simulated', protocols: ['nfsv4'] };
    expect(
      (
        await call('POST', '/api/v2/filestorageclasses', {
          body: { metadata: { name: 'fast' }, spec },
          token: operatorToken,
        })
      ).status,
    ).toBe(201);
    expect((await remove()).status).toBe(202);
    expect((await remove()).status).toBe(404);
    await eventually(
      () => store.list(FileStorageClass, inRegion),
      ({ items }) => items.length === 0,
    );
  });
});
