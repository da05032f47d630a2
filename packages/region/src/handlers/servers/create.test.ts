import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { encodePrincipal } from '@unikorn/core/access';
import { addReference, removeReference } from '@unikorn/core/references';
import { deterministicId } from '@unikorn/core/resource';
import type { Around } from '@unikorn/core/testing';
import { certificateHeaders } from '@unikorn/identity/testing';

import { Network, Server } from '../../kinds/index.ts';
import { simulatedProvider } from '../../providers/simulated/index.ts';
import { anyText, flavors, images, mentioning, seen, startServers } from './servers.fixture.ts';

const absent = 'f0000000-0000-4000-8000-00000000dead';
const script = Buffer.from('#!/bin/sh\n').toString('base64');
const nonsense = Buffer.from('nonsense').toString('base64');
const compressed = Buffer.from([0x1f, 0x8b, 8, 0]).toString('base64');

type Region = Awaited<ReturnType<typeof startServers>>;
const untouched: Around = (_call, happen) => happen();
let around = untouched;
let region: Region;
beforeAll(async () => {
  region = await startServers({
    knobs: { delete_ms: 10_000, image_ms: 60_000 },
    around: (call, happen) => around(call, happen),
  });
});
afterAll(() => region.stop());

describe('the creation of a server', () => {
  it('is answered with the request, and the server runs later', async () => {
    const group = await region.securityGroup();
    const networking = { securityGroups: [group], publicIP: true, allowedSourceAddresses: ['10.9.0.0/24'] };
    const answer = await region.create(
      { networking, userData: script },
      { name: 'full', description: 'mine', tags: [{ name: 'a', value: 'b' }] },
    );
    expect(answer).toMatchObject({
      status: 201,
      body: {
        metadata: {
          name: 'full',
          description: 'mine',
          tags: [{ name: 'a', value: 'b' }],
          provisioningStatus: 'pending',
          organizationId: region.organizationId,
          projectId: region.projectId,
        },
        spec: { ...region.wanted, networking, userData: script },
        status: { regionId: region.regionId, networkId: region.networkId, sshInjection: 'identityKeypair' },
      },
    });
    const server = await region.until(seen(answer).metadata.id, 'provisioned');
    expect(server).toMatchObject({
      metadata: { healthStatus: 'healthy' },
      status: { powerState: 'Running', privateIP: anyText, publicIP: anyText, macAddress: anyText },
    });
  });

  it('is refused for a resource that no longer uses the network, also if that happens meanwhile', async () => {
    const { store, world, networkId } = region;
    const network = await store.get(Network, networkId);
    if (!network) throw new Error('there is no network');
    const heldBy = 'computeinstances.compute.unikorn-cloud.org/late';
    const id = deterministicId(networkId, 'late');
    const gone = () =>
      region.eventually(
        () => store.get(Server, id),
        (server) => server === undefined,
      );
    const refused = { status: 409, body: { error_description: mentioning('has no reference to network') } };
    expect(await region.create({ heldBy }, { name: 'late' })).toMatchObject(refused);
    expect(await store.get(Server, id)).toBeUndefined();

    await addReference({ store, world }, Network, network.metadata, { reference: heldBy });
    around = async (call, happen) => {
      if (call.verb === 'create' && call.kind === Server) await removeReference(store, Network, networkId, heldBy);
      return happen();
    };
    expect(await region.create({ heldBy }, { name: 'late' })).toMatchObject(refused);
    around = untouched;
    await gone();

    await addReference({ store, world }, Network, network.metadata, { reference: heldBy });
    const server = seen(await region.create({ heldBy }, { name: 'late' }));
    expect(server.spec).not.toHaveProperty('heldBy');
    await region.servers('DELETE', `/${id}`);
    await gone();
    await removeReference(store, Network, networkId, heldBy);
  });

  it('omits fields that were not requested', async () => {
    const server = seen(await region.create({ networking: {} }, { name: 'bare' }));
    expect(server.spec).toEqual(region.wanted);
    expect(server.metadata).not.toHaveProperty('tags');
  });

  it('allows a name once in a network, also while the former server is being deleted, and again in another network', async () => {
    const first = seen(await region.create({}, { name: 'once' }));
    await region.until(first.metadata.id, 'provisioned');
    expect(await region.create({}, { name: 'once' })).toMatchObject({
      status: 409,
      body: { error: 'conflict', error_description: mentioning('metadata.name') },
    });
    await region.servers('DELETE', `/${first.metadata.id}`);
    expect((await region.create({}, { name: 'once' })).status).toBe(409);
    const other = seen(await region.create({ networkId: await region.network('other') }, { name: 'once' }));
    expect(other.metadata.id).not.toBe(first.metadata.id);
    await region.eventually(
      () => region.servers('GET', `/${first.metadata.id}`),
      ({ status }) => status === 404,
    );
    expect(seen(await region.create({}, { name: 'once' })).metadata.id).toBe(first.metadata.id);
  });

  it('uses only the certificate authority of the network, and shows it in the status', async () => {
    const authority = await region.authority();
    const server = seen(
      await region.create({ sshCertificateAuthorityId: authority, userData: script }, { name: 'with-ca' }),
    );
    expect(server.status).toMatchObject({ sshCertificateAuthorityId: authority, sshInjection: 'ca' });
    await region.until(server.metadata.id, 'provisioned');
    const inUse = await region.call('DELETE', `/api/v2/sshcertificateauthorities/${authority}`, {
      token: region.token,
    });
    expect(inUse).toMatchObject({ status: 403, body: { error_description: mentioning('in use') } });
  });

  it('places a server on the named host, and shows the host', async () => {
    const server = seen(
      await region.create({ infrastructureRef: 'sim-standard-4-host-7', sshInjection: 'none' }, { name: 'pinned' }),
    );
    expect(server.status).toMatchObject({ infrastructureRef: 'sim-standard-4-host-7', sshInjection: 'none' });
    await region.until(server.metadata.id, 'provisioned');
    expect(await region.servers('GET', `/${server.metadata.id}/consoleoutput`)).toMatchObject({
      body: { contents: mentioning('sim-standard-4-host-7') },
    });
  });

  it('allows reserved tags only for our own services', async () => {
    const metadata = { name: 'tagged', tags: [{ name: 'compute.unikorn-cloud.org/instance-id', value: 'i' }] };
    expect((await region.create({}, metadata)).status).toBe(400);
    const headers = {
      ...certificateHeaders('unikorn-compute'),
      'x-principal': encodePrincipal({
        actor: 'somebody',
        organizationId: region.organizationId,
        projectId: region.projectId,
      }),
    };
    const answer = await region.server.inject({
      method: 'POST',
      url: '/region/api/v2/servers',
      headers,
      payload: { metadata, spec: { ...region.wanted, networkId: region.networkId } },
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ metadata });
  });
});

describe('a new server is refused', () => {
  it.each<[string, object, number, string]>([
    ['in a network that does not exist', { networkId: absent }, 404, `network ${absent} does not exist`],
    ['open through an authority that is not named', { sshInjection: 'ca' }, 422, 'spec.sshCertificateAuthorityId'],
    [
      'open through a key while it names an authority',
      { sshInjection: 'identityKeypair', sshCertificateAuthorityId: absent },
      422,
      'spec.sshCertificateAuthorityId',
    ],
    [
      'closed while it names an authority',
      { sshInjection: 'none', sshCertificateAuthorityId: absent },
      422,
      'spec.sshCertificateAuthorityId',
    ],
    ['open in an unknown way', { sshInjection: 'telnet' }, 400, 'sshInjection'],
    ['on a host of its own with the key of the network', { infrastructureRef: 'host-1' }, 422, 'spec.sshInjection'],
    ['booted with unknown user data', { userData: nonsense }, 422, 'spec.userData'],
    ['booted with user data that is not base64', { userData: '#!/bin/sh' }, 400, 'userData'],
    ['trusting an authority that does not exist', { sshCertificateAuthorityId: absent }, 404, absent],
    [
      'in a security group that does not exist',
      { networking: { securityGroups: [absent] } },
      404,
      `security group ${absent} does not exist`,
    ],
    ['on an image that does not exist', { imageId: absent }, 404, `image ${absent} does not exist`],
    ['of a flavor that is not offered', { flavorId: absent }, 422, 'spec.flavorId'],
    ['on an image for another architecture', { imageId: images.arm }, 422, 'spec.imageId'],
    ['on an image for bare metal without bare metal', { imageId: images.metal }, 422, 'spec.imageId'],
    ['on an image for virtual machines with bare metal', { flavorId: flavors.metal }, 422, 'spec.imageId'],
    [
      'sending from an invalid prefix',
      { networking: { allowedSourceAddresses: ['10.0.0.0/24', 'fd00::/8'] } },
      422,
      'spec.networking.allowedSourceAddresses.1',
    ],
  ])('%s', async (_name, spec, status, mentioned) => {
    const answer = await region.create(spec, { name: 'refused' });
    expect(answer).toMatchObject({ status, body: { error_description: mentioning(mentioned) } });
  });

  it('in the security group of a sibling network, or twice in one', async () => {
    const [own, foreign] = [
      await region.securityGroup('own'),
      await region.securityGroup('foreign', await region.network('sibling')),
    ];
    expect(await region.create({ networking: { securityGroups: [own, foreign] } })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.networking.securityGroups.1') },
    });
    expect(await region.create({ networking: { securityGroups: [own, own] } })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.networking.securityGroups.1: is listed twice' },
    });
  });

  it('trusting the authority of another project, or compressed beside one', async () => {
    const foreign = await region.authority(await region.found.project(region.organizationId));
    expect(await region.create({ sshCertificateAuthorityId: foreign })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.sshCertificateAuthorityId') },
    });
    expect(
      await region.create({ sshCertificateAuthorityId: await region.authority(), userData: compressed }),
    ).toMatchObject({ status: 422, body: { error_description: mentioning('spec.userData') } });
  });

  it('on an image that is not ready, or of another organization', async () => {
    const cloud = simulatedProvider({ store: region.store, world: region.world, regionId: region.regionId });
    const [source] = await cloud.images.list();
    if (!source) throw new Error('the catalogue is empty');
    const description = {
      name: 'custom',
      tags: [],
      architecture: source.architecture,
      virtualization: source.virtualization,
      os: source.os,
      softwareVersions: {},
    };
    const mine = await cloud.images.import(
      { ...description, id: region.world.uuid(), organizationId: region.organizationId },
      'https://example.com/a.raw',
    );
    const theirs = await cloud.images.import(
      { ...description, id: region.world.uuid(), organizationId: absent },
      'https://example.com/b.raw',
    );
    // Another than this process changed the catalogue, which is noticed within a second.
    await region.world.advance(1_000);
    expect(await region.create({ imageId: mine.id })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.imageId: the image is pending; it must be ready' },
    });
    expect((await region.create({ imageId: theirs.id })).status).toBe(404);
  });

  it('in a network that is being deleted', async () => {
    const networkId = await region.network('going');
    seen(await region.create({ networkId }));
    await region.store.delete(Network, networkId, { propagation: 'foreground' });
    expect(await region.create({ networkId }, { name: 'late' })).toMatchObject({
      status: 422,
      body: { error_description: `network ${networkId} is being deleted` },
    });
  });

  it('with several mistakes, for the first one in the order of the contract', async () => {
    const wrong = {
      sshInjection: 'ca',
      userData: nonsense,
      networking: { securityGroups: [absent], allowedSourceAddresses: ['x'] },
      imageId: absent,
      flavorId: absent,
    };
    const remedies = [
      { sshInjection: undefined, sshCertificateAuthorityId: absent },
      { userData: script },
      { sshCertificateAuthorityId: await region.authority() },
      { networking: { allowedSourceAddresses: ['x'] } },
      { imageId: images.ubuntu },
      { flavorId: flavors.arm },
      { flavorId: flavors.standard },
      { networking: undefined },
    ];
    const told: unknown[] = [];
    let spec: object = wrong;
    for (const remedy of [{}, ...remedies]) {
      spec = { ...spec, ...remedy };
      const { status, body } = await region.create(spec, { name: 'ordered' });
      told.push(
        status === 201
          ? 'created'
          : JSON.stringify(body).replace(/.*"error_description":"(?:spec\.)?([a-zA-Z ]+).*/, `${status} $1`),
      );
    }
    expect(told).toEqual([
      '422 sshCertificateAuthorityId',
      '422 userData',
      '404 ssh certificate authority f',
      '404 security group f',
      '404 image f',
      '422 flavorId',
      '422 imageId',
      '422 networking',
      'created',
    ]);
  });
});

describe('the right to', () => {
  it('create servers: no tenant has it, not even an administrator', async () => {
    const body = { metadata: { name: 'mine' }, spec: { ...region.wanted, networkId: region.networkId } };
    const robot = await region.found.robot(region.organizationId, ['administrator']);
    expect((await region.call('POST', '/api/v2/servers', { token: robot.token, body })).status).toBe(403);
    expect(await region.call('GET', '/api/v2/servers', { token: robot.token })).toMatchObject({
      status: 200,
      body: [],
    });
  });

  it('read servers: members of the organization get 403, and for others they do not exist', async () => {
    const { metadata } = seen(await region.create({}, { name: 'secret' }));
    const [own, other] = [
      await region.found.robot(region.organizationId, ['administrator']),
      await region.found.robot(await region.found.organization(), ['administrator']),
    ];
    expect((await region.call('GET', `/api/v2/servers/${metadata.id}`, { token: own.token })).status).toBe(403);
    expect((await region.call('GET', `/api/v2/servers/${metadata.id}`, { token: other.token })).status).toBe(404);
    expect((await region.call('POST', `/api/v2/servers/${metadata.id}/stop`, { token: other.token })).status).toBe(404);
  });
});

describe('the list of servers', () => {
  it('is filtered by network, project, tag and organization, and is in order of id', async () => {
    const networkId = await region.network('listed');
    for (const [name, colour] of [
      ['l-1', 'red'],
      ['l-2', 'blue'],
      ['l-3', 'red'],
    ])
      seen(await region.create({ networkId }, { name, tags: [{ name: 'colour', value: colour }] }));
    const names = async (query: string) => {
      const { body } = await region.servers('GET', `?networkID=${networkId}&${query}`);
      const items: readonly unknown[] = Array.isArray(body) ? body : [];
      return items.map((item) => seen({ status: 200, body: item }).metadata);
    };
    const all = await names('');
    expect(all).toHaveLength(3);
    expect(all).toEqual(all.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(await names('tag=colour%3Dred')).toHaveLength(2);
    expect(await names(`projectID=${absent}`)).toEqual([]);
    expect(await names(`organizationID=${absent}`)).toEqual([]);
    expect(await names(`regionID=${region.regionId}`)).toHaveLength(3);
    expect((await region.servers('GET', '?tag=colour')).status).toBe(400);
  });
});
