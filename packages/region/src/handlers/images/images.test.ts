import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { fieldLimits } from '@unikorn/core/limits';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { simulatedKinds, simulatedOperator, simulatedProvider } from '../../providers/simulated/index.ts';
import { startRegion } from '../../testing/index.ts';
import type { Head } from './probe.ts';

interface Wire {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly description?: string;
    readonly tags?: readonly object[];
  };
  readonly spec: object;
  readonly status: { readonly state: string };
}

const bootable = Uint8Array.from({ length: 512 }, (_, index) => (index === 510 ? 0x55 : index === 511 ? 0xaa : 0));
const found = (bytes: Uint8Array, status = 206): Head => ({ type: 'answered', status, bytes });

let head: Head;
let probed: string[] = [];
/** The addresses of these from which the last image could be read. */
const addresses = ['8.8.8.8', '10.20.0.7', '10.21.0.7', '127.0.0.1', '169.254.169.254'];
let readable: readonly string[] = [];

async function start() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: simulatedKinds });
  const region = await startRegion({
    // A simulated cloud stands for that of a region with the settings of OpenStack.
    providers: {
      openstack: ({ metadata }) => ({
        tier: 'cloud',
        provider: simulatedProvider({ store, world, regionId: metadata.name }),
      }),
    },
    imageProbe: (uri, _signal, allows = () => true) => {
      probed.push(uri);
      readable = addresses.filter(allows);
      return Promise.resolve(head);
    },
  });
  const { call, organizationId, regionId } = region;
  const collection = `/api/v1/organizations/${organizationId}/regions/${regionId}/images`;
  const importing = (spec: object = {}, metadata: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    call('POST', collection, { body: body(spec, metadata), headers });
  const imported = async (metadata: object = {}) => {
    const answer = await importing({}, metadata);
    expect(answer.status).toBe(200);
    return answer.body as Wire;
  };
  const names = async (query: string, token?: string) =>
    (
      (await call('GET', `/api/v2/regions/${regionId}/images${query}`, token === undefined ? {} : { token }))
        .body as readonly Wire[]
    ).map(({ metadata }) => metadata.name);
  const instantly = (id: string) => simulatedOperator({ store, world, regionId: id }).turn({ call_ms: 0, image_ms: 0 });
  return { ...region, instantly, collection, importing, imported, names };
}

function body(spec: object = {}, metadata: object = {}) {
  const os = { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' };
  return {
    metadata: { name: 'mine', ...metadata },
    spec: { uri: 'https://images.example.com/a.raw', architecture: 'x86_64', virtualization: 'any', os, ...spec },
  };
}

let running: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());
beforeEach(() => {
  head = found(bootable);
  probed = [];
});

describe('importing an image', () => {
  it('answers with the image before its data is complete, and the image is then ready for its organization only', async () => {
    const { call, collection, found: founder, imported, names, operator, organizationId, regionId } = running;
    await operator(regionId).turn({ image_ms: 10_000 });
    const gpu = { vendor: 'NVIDIA', driver: '550', models: ['L4'] };
    const answer = await running.importing(
      { gpu, softwareVersions: { kubernetes: 'v1.31.0' } },
      { name: 'full', description: 'for the red team', tags: [{ name: 'team', value: 'red' }] },
    );
    const tags = [
      { name: 'images.unikorn-cloud.org:organization-id', value: organizationId },
      { name: 'images.unikorn-cloud.org:source', value: 'import' },
      { name: 'team', value: 'red' },
    ];
    expect(answer).toMatchObject({
      status: 200,
      body: {
        metadata: { name: 'full', description: 'for the red team', tags },
        spec: { gpu, softwareVersions: { kubernetes: 'v1.31.0' }, sizeGiB: 20 },
        status: { state: 'pending' },
      },
    });
    expect((await call('GET', collection)).body).not.toContainEqual(
      expect.objectContaining({ status: { state: 'pending' } }),
    );
    await running.world.advance(10_000);
    const ready = (await call('GET', collection)).body as readonly Wire[];
    expect(ready.map(({ metadata: { name, description } }) => [name, description])).toContainEqual([
      'full',
      'for the red team',
    ]);
    const { token } = await founder.robot(await founder.organization(), ['administrator']);
    expect(await names(`?organizationID=${organizationId}`, token)).not.toContain('full');
    await operator(regionId).turn({ image_ms: 0 });
    expect((await imported()).status.state).toBe('ready');
  });

  it('is done once however often it is requested with one key', async () => {
    const { call, collection } = running;
    const headers = { 'idempotency-key': 'once' };
    const ids = new Set<string>();
    for (let repetition = 0; repetition < 3; repetition++)
      ids.add(((await running.importing({}, { name: 'keyed' }, headers)).body as Wire).metadata.id);
    expect(ids.size).toBe(1);
    expect(
      ((await call('GET', collection)).body as readonly Wire[]).filter(({ metadata }) => metadata.name === 'keyed'),
    ).toHaveLength(1);
  });

  it.each<[string, () => Head, string]>([
    ['is served with an error', () => found(bootable, 403), 'status 403'],
    ['has no boot signature', () => found(new Uint8Array(512)), 'boot signature'],
    ['has half a boot signature', () => found(bootable.with(511, 0)), 'boot signature'],
    ['is shorter than a sector', () => found(bootable.subarray(0, 511)), 'boot signature'],
    ['leads to an internal address', () => ({ type: 'internal' }), 'public address'],
  ])('refuses an image that %s, and imports nothing', async (_name, found, text) => {
    head = found();
    expect(await running.importing({}, { name: 'refused' })).toMatchObject({
      status: 422,
      body: { error_description: expect.stringContaining(text) as string },
    });
    expect(await running.names(`?organizationID=${running.organizationId}`)).not.toContain('refused');
  });

  it.each(['file:///etc/passwd', 'ftp://images.example.com/a', 'gopher://x', 'nonsense'])(
    'refuses %s and does not even look',
    async (uri) => {
      expect((await running.importing({ uri })).status).toBe(422);
      expect(probed).toEqual([]);
    },
  );

  it('reads from public addresses, and from the private ones that the operator of the region allows', async () => {
    const { importing, call, collection, regionId, openRegion, instantly } = running;
    await importing({}, { name: 'public' });
    expect(readable).toEqual(['8.8.8.8']);
    const allowing = await openRegion({
      provider: 'openstack',
      openstack: {
        endpoint: 'https://keystone',
        serviceAccountSecret: { namespace: 'a', name: 'b' },
        image: { privateSources: ['10.20.0.0/16'] },
      },
    });
    await instantly(allowing);
    const imported = await call('POST', collection.replace(regionId, allowing), {
      body: body({ uri: 'http://mirror.internal/a.raw' }),
    });
    expect(imported).toMatchObject({ status: 200 });
    expect(readable).toEqual(['8.8.8.8', '10.20.0.7']);
  });

  it('leaves a URL that cannot be reached from here to the provider, and the state shows the result', async () => {
    const { operator, regionId, names, organizationId } = running;
    head = { type: 'unreachable' };
    await operator(regionId).turn({ buildFailureRate: 1 });
    expect((await running.importing({}, { name: 'far' })).status).toBe(200);
    await operator(regionId).turn({ buildFailureRate: 0 });
    expect(await names(`?organizationID=${organizationId}&status=failed`)).toEqual(['far']);
    expect(await names(`?organizationID=${organizationId}&status=ready`)).not.toContain('far');
  });

  it('takes a description of the length that other resources take, and no longer one', async () => {
    const longest = 'x'.repeat(fieldLimits.description);
    expect(await running.importing({}, { name: 'long', description: longest })).toMatchObject({
      status: 200,
      body: { metadata: { description: longest } },
    });
    expect(await running.importing({}, { name: 'longer', description: `${longest}x` })).toMatchObject({ status: 400 });
  });

  it('refuses reserved tags and invalid versions', async () => {
    const reserved = await running.importing(
      {},
      { tags: [{ name: 'images.unikorn-cloud.org:source', value: 'snapshot' }] },
    );
    expect(reserved.status).toBe(400);
    expect((await running.importing({ softwareVersions: { kubernetes: '1.31' } })).status).toBe(400);
  });

  it('checks rights before the region, and both before it connects anywhere', async () => {
    const { call, collection, found: founder, organizationId } = running;
    const { token } = await founder.robot(organizationId, ['reader']);
    expect((await call('POST', collection, { body: body(), token })).status).toBe(403);
    expect(
      (
        await call('POST', collection.replace(/regions\/[^/]+/, 'regions/aaaaaaaa-0000-4000-8000-000000000000'), {
          body: body(),
        })
      ).status,
    ).toBe(404);
    expect(probed).toEqual([]);
  });
});

describe('listing images', () => {
  it('by organization has the ready images that are public or of the organization, in order of name, and may be cached for a day', async () => {
    await running.imported({ name: 'aaa' });
    const { body: list, headers } = await running.call('GET', running.collection);
    const names = (list as readonly Wire[]).map(({ metadata }) => metadata.name);
    expect(names[0]).toBe('aaa');
    expect(names).toEqual(names.toSorted());
    expect(names).toContain('ubuntu-24.04-arm64');
    expect(headers['cache-control']).toBe('max-age=86400, private');
  });

  it('by region has the public images, and those of the named organizations that the caller may read', async () => {
    const { call, found: founder, imported, names, organizationId, regionId } = running;
    await imported({ name: 'bbb' });
    await imported({ name: 'zulu' });
    const { token } = await founder.robot(await founder.organization(), ['administrator']);
    const everybody = await names('');
    expect(everybody).not.toContain('bbb');
    expect(await names('?scope=owned')).toEqual(everybody);
    expect(await names(`?organizationID=${organizationId}`)).toEqual(expect.arrayContaining(['bbb', ...everybody]));
    expect(await names(`?organizationID=${organizationId}&scope=available`)).toContain('bbb');
    expect(await names(`?organizationID=${organizationId}&scope=owned`)).not.toContain(everybody[0]);
    expect(await names(`?organizationID=${organizationId}&search=ZUL`)).toEqual(['zulu']);
    expect(await names(`?organizationID=${organizationId}&search=ZUL`, token)).toEqual([]);
    for (const organization of [organizationId, 'no-uuid']) {
      expect(await names(`?organizationID=${organization}`, token)).toEqual(everybody);
      expect(await names(`?organizationID=${organization}&scope=owned`, token)).toEqual([]);
    }
    expect((await call('GET', `/api/v2/regions/${regionId}/images`)).headers['cache-control']).toBe('no-cache');
    expect((await call('GET', `/api/v2/regions/${regionId}/images?scope=mine`)).status).toBe(400);
    expect((await call('GET', `/api/v2/regions/${regionId}/images?status=gone`)).status).toBe(400);
  });
});

describe('deleting an image', () => {
  it('is for its own organization: images of others and public images do not exist there', async () => {
    const { call, collection, found: founder, imported, organizationId, regionId } = running;
    const { metadata } = await imported({ name: 'ccc' });
    const foreign = await founder.organization();
    const { token } = await founder.robot(foreign, ['administrator']);
    expect((await call('DELETE', `${collection}/${metadata.id}`, { token })).status).toBe(403);
    expect(
      (await call('DELETE', `/api/v1/organizations/${foreign}/regions/${regionId}/images/${metadata.id}`, { token }))
        .status,
    ).toBe(404);
    expect((await call('DELETE', `${collection}/33333333-3333-3333-3333-333333333333`)).status).toBe(404);
    expect((await call('DELETE', `${collection}/no-uuid`)).status).toBe(400);
    expect((await call('DELETE', `${collection}/${metadata.id}`)).status).toBe(202);
    expect((await call('DELETE', `${collection}/${metadata.id}`)).status).toBe(404);
    expect(organizationId).not.toBe(foreign);
  });

  it('is announced for own images, and refused for those of the region with the reason', async () => {
    const { call, collection, found: founder, imported, regionId } = running;
    const { metadata } = await imported({ name: 'eee' });
    expect(await call('GET', `${collection}/${metadata.id}/actions`)).toMatchObject({
      status: 200,
      body: [{ action: 'delete', allowed: true }],
    });
    // Without an organization, the list has the public images.
    const { body } = await call('GET', `/api/v2/regions/${regionId}/images`);
    const [shared] = body as readonly { readonly metadata: { readonly id: string } }[];
    expect(await call('GET', `${collection}/${shared?.metadata.id ?? ''}/actions`)).toMatchObject({
      status: 200,
      body: [{ action: 'delete', allowed: false, reason: expect.stringContaining('belongs to the region') as string }],
    });
    const foreign = await founder.organization();
    const { token } = await founder.robot(foreign, ['administrator']);
    const elsewhere = `/api/v1/organizations/${foreign}/regions/${regionId}/images/${metadata.id}/actions`;
    expect((await call('GET', elsewhere, { token })).status).toBe(404);
  });

  it('is refused while a server runs on it', async () => {
    const { call, collection, imported, organizationId, projectId } = running;
    const provider = simulatedProvider(running);
    const { metadata } = await imported({ name: 'ddd' });
    const identity = { id: 'an-identity', organizationId, projectId };
    await provider.identities.ensure(identity);
    await provider.networks.ensure(identity, {
      id: 'n',
      prefix: '10.0.0.0/24',
      reservations: { prefixLength: 25 },
      dnsNameservers: [],
      routes: [],
    });
    const server = {
      id: 's',
      name: 's',
      flavorId: '11111111-1111-1111-1111-111111111111',
      imageId: metadata.id,
      networkId: 'n',
      securityGroupIds: [],
      publicIP: 'unwanted',
      allowedAddressPairs: [],
      keyPair: 'none',
      metadata: {},
    } as const;
    await provider.servers.ensure(identity, server);
    expect((await call('DELETE', `${collection}/${metadata.id}`)).status).toBe(409);
    while ((await provider.servers.remove(identity, server)).state !== 'absent') await running.world.advance(1_000);
    expect((await call('DELETE', `${collection}/${metadata.id}`)).status).toBe(202);
  });
});
