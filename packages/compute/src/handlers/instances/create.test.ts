import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { IdempotencyRecord } from '@unikorn/core/http';
import { limits } from '@unikorn/core/limits';
import { requestDeletion } from '@unikorn/core/references';
import { labels } from '@unikorn/core/resource';
import { Network } from '@unikorn/region/kinds';
import { simulatedProvider } from '@unikorn/region/providers/simulated';

import { ComputeInstance } from '../../kinds/index.ts';
import { debianImage, gpuFlavor, standardFlavor } from '../../testing/index.ts';
import {
  base64,
  flavors,
  images,
  mentioning,
  nowhere,
  reasonOf,
  seen,
  startInstances,
  type Instances,
} from './instances.fixture.ts';

const script = base64('#!/bin/sh\n');

let compute: Instances;
beforeAll(async () => {
  compute = await startInstances({ knobs: { image_ms: 3600_000 } });
});
afterAll(() => compute.stop());

describe('the creation of an instance', () => {
  it('returns 201 with the requested instance, pending and of unknown health, and the instance then runs', async () => {
    const networking = {
      publicIP: true,
      securityGroups: [await compute.securityGroup('b'), await compute.securityGroup('a')],
      allowedSourceAddresses: ['10.9.1.7/24', '10.8.0.0/16'],
    };
    const tags = [{ name: 'terraform.nscale.com/1f', value: '2026-01-01T00:00:00Z' }];
    const answer = await compute.create(
      'full',
      { networking, userData: script, afterRebuild: 'stop' },
      { description: 'mine', tags },
    );
    const { organizationId, projectId, regionId, networkId } = compute;
    expect(answer).toMatchObject({
      status: 201,
      body: {
        metadata: {
          name: 'full',
          description: 'mine',
          tags,
          provisioningStatus: 'pending',
          healthStatus: 'unknown',
          organizationId,
          projectId,
        },
      },
    });
    expect(seen(answer)).toMatchObject({
      spec: { ...compute.wanted, networking, userData: script, afterRebuild: 'stop' },
      status: { regionId, networkId },
    });
    const instance = await compute.until(seen(answer).metadata.id, 'provisioned');
    expect(instance.spec).toEqual(seen(answer).spec);
    expect(instance.status).toMatchObject({
      powerState: 'Running',
      privateIP: mentioning('10.'),
      publicIP: mentioning('198.18.'),
      macAddress: mentioning(':'),
    });
  });

  it.each([
    ['nothing', undefined, {}],
    ['an empty object', {}, {}],
    ['no public address', { publicIP: false }, { publicIP: false }],
    [
      'empty lists',
      { securityGroups: [], allowedSourceAddresses: [] },
      { securityGroups: [], allowedSourceAddresses: [] },
    ],
  ])('echoes networking as an object whatever was sent: %s', async (name, networking, echoed) => {
    const instance = seen(
      await compute.create(`net-${name.replaceAll(' ', '-')}`, networking === undefined ? {} : { networking }),
    );
    expect(instance.spec['networking']).toEqual(echoed);
    expect((await compute.read(instance.metadata.id)).spec['networking']).toEqual(echoed);
  });

  it('accepts user data that was encoded twice if there is no authority, and returns it unchanged', async () => {
    const userData = base64(base64('#cloud-config\n'));
    const instance = seen(await compute.create('twice', { userData }));
    expect(instance.spec).toMatchObject({ userData });
    expect((await compute.until(instance.metadata.id, 'provisioned')).spec).toMatchObject({ userData });
  });

  it('gives the same network and name the same id: a second one is refused, and accepted after the first is deleted', async () => {
    const { create, ask, until, gone, charged } = await compute.openTenant();
    const first = seen(await create('once'));
    expect(await create('once')).toMatchObject({
      status: 409,
      body: { error: 'conflict', error_description: mentioning('metadata.name') },
    });
    expect(await charged()).toMatchObject({ servers: 1 });
    await until(first.metadata.id, 'provisioned');
    await ask('DELETE', `/${first.metadata.id}`);
    await gone(first.metadata.id);
    expect(await charged()).toMatchObject({ servers: 0 });
    expect(seen(await create('once')).metadata.id).toBe(first.metadata.id);
  });

  it('reports that a name is in use while its instance is being deleted', async () => {
    const { id } = seen(await compute.create('lingering')).metadata;
    const held = await compute.store.get(ComputeInstance, id);
    if (!held) throw new Error('the instance is not there');
    await compute.store.update(ComputeInstance, {
      ...held,
      metadata: { ...held.metadata, finalizers: [...(held.metadata.finalizers ?? []), 'test/held'] },
    });
    await compute.ask('DELETE', `/${id}`);
    expect(await compute.create('lingering')).toMatchObject({
      status: 409,
      body: { error_description: mentioning('still being deleted') },
    });
  });

  it('reports that a name is in use by an instance from before ids were derived from names', async () => {
    const { id } = seen(await compute.create('modern')).metadata;
    const held = await compute.store.get(ComputeInstance, id);
    const name = compute.world.uuid();
    const label = { ...held?.metadata.labels, [labels.name]: 'ancient' };
    await compute.store.create(ComputeInstance, {
      metadata: { name, labels: label },
      spec: { flavorId: 'f', imageId: 'i', pause: true },
    });
    await compute.world.advance(100);
    expect(await compute.create('ancient')).toMatchObject({
      status: 409,
      body: { error_description: mentioning('an instance called ancient') },
    });
  });

  it('reports it also while the cache of the process is not synchronized', async () => {
    const starting = await startInstances({ controllers: 'asleep' });
    const { id } = seen(await starting.create('modern')).metadata;
    const held = await starting.store.get(ComputeInstance, id);
    const label = { ...held?.metadata.labels, [labels.name]: 'ancient' };
    await starting.store.create(ComputeInstance, {
      metadata: { name: starting.world.uuid(), labels: label },
      spec: { flavorId: 'f', imageId: 'i' },
    });
    expect(await starting.create('ancient')).toMatchObject({
      status: 409,
      body: { error_description: mentioning('an instance called ancient') },
    });
    expect(await starting.charged()).toMatchObject({ servers: 1 });
    await starting.stop();
  });

  it('returns the same response for the same Idempotency-Key, and is done once', async () => {
    const { create, charged } = await compute.openTenant();
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const first = await create('keyed', {}, {}, headers);
    const second = await create('keyed', {}, {}, headers);
    expect(second).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } });
    expect(await charged()).toMatchObject({ servers: 1 });
  });

  it('with an Idempotency-Key that runs again finds its instance, and another key does not', async () => {
    let lost = 0;
    const cut = await startInstances({
      around: (call, happen) => {
        if (call.kind !== IdempotencyRecord || call.verb !== 'updateStatus' || lost > 0) return happen();
        lost += 1;
        return Promise.reject(new Problem('storage_unavailable', 'the API server does not answer'));
      },
    });
    const { create, charged } = cut;
    const post = (key: string) => create('keyed', {}, {}, { 'idempotency-key': key });
    const first = await post('one');
    expect([first.status, lost]).toEqual([201, 1]);
    await cut.world.advance(limits.lease_ms);
    const second = await post('one');
    expect([second.status, seen(second).metadata.id]).toEqual([201, seen(first).metadata.id]);
    expect((await post('two')).status).toBe(409);
    expect(await charged()).toMatchObject({ servers: 1 });
    await cut.stop();
  });

  it('in a network that is about to be deleted can succeed with the same Idempotency-Key, if the deletion is refused', async () => {
    const { store, world } = compute;
    const { create, networkId, charged } = await compute.openTenant();
    const network = await store.get(Network, networkId);
    if (!network) throw new Error('the network is not there');
    const checked = Promise.withResolvers<undefined>();
    const deletion = requestDeletion({ store, world }, Network, network, { check: () => checked.promise });
    const refused = expect(deletion).rejects.toMatchObject({ code: 'in_use' });
    await world.settle();
    const post = () => create('patient', {}, {}, { 'idempotency-key': 'patient' });
    expect(await post()).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { error_description: mentioning('is about to be deleted: try again in a moment') },
    });
    expect(await charged()).toMatchObject({ servers: 0 });
    checked.reject(new Problem('in_use', 'it is in use'));
    await refused;
    expect((await post()).status).toBe(201);
    expect(await charged()).toMatchObject({ servers: 1 });
  });

  it('an image for any machine goes with virtual and bare metal flavors alike', async () => {
    const answers = await Promise.all([
      compute.create('any-1', { imageId: debianImage }),
      compute.create('any-2', { imageId: debianImage, flavorId: flavors.metal }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('what an instance costs', () => {
  it('is one server, the physical GPUs of its flavor, and a public address, by the names of quota kinds', async () => {
    const { create, charged, limit } = await compute.openTenant();
    await create('plain');
    expect(await charged()).toEqual({ servers: 1, gpus: 0, publicips: 0 });
    await create('gpu', { flavorId: flavors.manyGpus, networking: { publicIP: true } });
    expect(await charged()).toEqual({ servers: 2, gpus: 8, publicips: 1 });
    await limit({ publicips: 1 });
    expect(await create('another', { networking: { publicIP: true } })).toMatchObject({
      status: 403,
      body: { error_description: mentioning('publicips') },
    });
  });

  it('over quota is 403, and leaves no record', async () => {
    const { create, ask, charged, limit } = await compute.openTenant();
    await limit({ servers: 1, gpus: 0 });
    expect(await create('gpu', { flavorId: gpuFlavor })).toMatchObject({
      status: 403,
      body: { error: 'forbidden', error_description: mentioning('gpus') },
    });
    expect((await ask('GET')).body).toEqual([]);
    expect(await charged()).toEqual({ servers: 0, gpus: 0, publicips: 0 });
    expect((await create('plain')).status).toBe(201);
  });

  it('at the quota limit a duplicate is still 409, also one that would cost more', async () => {
    const { create, charged, limit } = await compute.openTenant();
    await limit({ servers: 1, gpus: 0 });
    expect((await create('last')).status).toBe(201);
    expect((await create('last')).status).toBe(409);
    expect((await create('last', { flavorId: gpuFlavor })).status).toBe(409);
    expect((await create('one-more')).status).toBe(403);
    expect(await charged()).toEqual({ servers: 1, gpus: 0, publicips: 0 });
  });

  it.each([100, 1])(
    'is charged once for any number of concurrent creates with one name, with quota for %i',
    async (servers) => {
      const { create, ask, charged, limit } = await compute.openTenant();
      await limit({ servers });
      const answers = await Promise.all(Array.from({ length: 12 }, () => create('rush')));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
      expect((await ask('GET')).body).toHaveLength(1);
      await compute.world.settle();
      expect(await charged()).toEqual({ servers: 1, gpus: 0, publicips: 0 });
    },
  );
});

describe('what a new instance may not be', () => {
  it.each<[string, object, number, string]>([
    [
      'in a network that does not exist',
      { networkId: nowhere },
      404,
      `spec.networkId: network ${nowhere} does not exist`,
    ],
    ['in a project that does not exist', { projectId: nowhere }, 404, `project ${nowhere} does not exist`],
    ['in an organization that is not yours', { organizationId: nowhere }, 403, 'compute:instances'],
    ['of a flavor that does not exist', { flavorId: nowhere }, 400, 'spec.flavorId'],
    ['on an image that does not exist', { imageId: nowhere }, 400, 'spec.imageId'],
    [
      'on an image for another architecture',
      { imageId: images.arm },
      400,
      'spec.imageId: does not fit the flavor: it is for aarch64',
    ],
    [
      'on an image for bare metal with a virtual flavor',
      { imageId: images.metal },
      400,
      'spec.imageId: does not fit the flavor: it is for bare metal',
    ],
    [
      'on an image for virtual machines with a bare metal flavor',
      { flavorId: flavors.metal },
      400,
      'spec.imageId: does not fit the flavor: it is for virtual machines',
    ],
    [
      'in a security group that does not exist',
      { networking: { securityGroups: [nowhere] } },
      404,
      'spec.networking.securityGroups.0',
    ],
    [
      'trusting an authority that does not exist',
      { sshCertificateAuthorityId: nowhere },
      404,
      'spec.sshCertificateAuthorityId',
    ],
    ['booted with user data in an unknown format', { userData: base64('echo hi') }, 422, 'spec.userData'],
    ['booted with user data that is not base64', { userData: '#!/bin/sh' }, 400, 'body.spec.userData'],
    [
      'sending from a text that is not a prefix',
      { networking: { allowedSourceAddresses: ['10.0.0.0/24', '10.0.0.1'] } },
      400,
      'body.spec.networking.allowedSourceAddresses.1: must be an IPv4 prefix',
    ],
    [
      'sending from an IPv6 prefix',
      { networking: { allowedSourceAddresses: ['fd00::/8'] } },
      400,
      'body.spec.networking.allowedSourceAddresses.0',
    ],
    ['in a network with an invalid id', { networkId: 'here' }, 400, 'body.spec.networkId: must be an identifier'],
  ])('%s', async (_name, spec, status, mentioned) => {
    const answer = await compute.create('refused', spec);
    expect(answer).toMatchObject({ status, body: { error_description: mentioning(mentioned) } });
  });

  it.each(['', 'a'.repeat(64), '-a', 'a/../b', '<b>', 'ä'])('called %o', async (name) => {
    expect(await compute.create(name)).toMatchObject({
      status: 400,
      body: { error_description: mentioning('body.metadata.name') },
    });
  });

  it('tagged with a name that is reserved for the platform', async () => {
    const tags = [{ name: 'compute.unikorn-cloud.org/instance-id', value: 'mine' }];
    expect(await compute.create('forged', {}, { tags })).toMatchObject({
      status: 400,
      body: { error_description: mentioning('metadata.tags') },
    });
  });

  it('in the network of another project, of another organization, or one that is being deleted', async () => {
    const sibling = await compute.openNetwork('sibling', await compute.found.project(compute.organizationId));
    expect(await compute.create('astray', { networkId: sibling })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.networkId: must be of the same project as the instance' },
    });
    const { networkId: foreign } = await compute.openTenant();
    expect(await compute.create('astray', { networkId: foreign })).toMatchObject({
      status: 404,
      body: { error_description: `spec.networkId: network ${foreign} does not exist` },
    });
    const going = await compute.openNetwork('going');
    const network = await compute.store.get(Network, going);
    if (!network) throw new Error('the network is not there');
    await compute.store.update(Network, {
      ...network,
      metadata: { ...network.metadata, finalizers: [...(network.metadata.finalizers ?? []), 'test/held'] },
    });
    await compute.store.delete(Network, going);
    expect(await compute.create('astray', { networkId: going })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.networkId: is being deleted' },
    });
  });

  it('in a network or security group that compute may see, but the caller may not', async () => {
    const { found, organizationId, request, regionId } = compute;
    const mail = 'narrow@example.com';
    await found.user(mail, organizationId);
    const project = await found.project(organizationId, [
      await found.group(organizationId, ['user'], { users: [mail] }),
    ]);
    const own = await compute.openNetwork('own', project);
    const as = (spec: object) =>
      request('POST', '/compute/api/v2/instances', {
        token: `user:${mail}`,
        body: compute.bodyOf('narrow', { projectId: project, networkId: own, ...spec }),
      });
    expect(await as({ networkId: compute.networkId })).toMatchObject({
      status: 404,
      body: { error_description: `spec.networkId: network ${compute.networkId} does not exist` },
    });
    const group = await compute.securityGroup('unseen');
    expect(await as({ networking: { securityGroups: [group] } })).toMatchObject({
      status: 404,
      body: { error_description: mentioning(`security group ${group} does not exist`) },
    });
    const authority = await compute.authority();
    expect(await as({ sshCertificateAuthorityId: authority })).toMatchObject({
      status: 404,
      body: { error_description: mentioning(`ssh certificate authority ${authority} does not exist`) },
    });
    expect(await as({})).toMatchObject({ status: 201, body: { status: { regionId } } });
  });

  it('in a security group of another network, or twice in one', async () => {
    const own = await compute.securityGroup('own');
    const other = await compute.securityGroup('other', await compute.openNetwork('other'));
    expect(await compute.create('grouped', { networking: { securityGroups: [own, other] } })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.networking.securityGroups.1: must be of the same network as the instance' },
    });
    expect(await compute.create('grouped', { networking: { securityGroups: [own, own] } })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.networking.securityGroups.1: is listed twice' },
    });
  });

  it('with an authority that cannot be added to its user data, or with an authority of another project', async () => {
    const sshCertificateAuthorityId = await compute.authority();
    const withData = (userData: string | Uint8Array) =>
      compute.create('trusting', { sshCertificateAuthorityId, userData: base64(userData) });
    expect(await withData('echo hi')).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.userData') },
    });
    expect(await withData(Uint8Array.of(0x1f, 0x8b, 8, 0))).toMatchObject({
      status: 422,
      body: { error_description: mentioning('must not be compressed') },
    });
    const foreign = await compute.authority(await compute.found.project(compute.organizationId));
    expect(await compute.create('trusting', { sshCertificateAuthorityId: foreign })).toMatchObject({
      status: 422,
      body: { error_description: 'spec.sshCertificateAuthorityId: must be of the same project as the instance' },
    });
    const instance = seen(await withData('#!/bin/sh\n'));
    expect(instance.spec).toMatchObject({ sshCertificateAuthorityId });
    await compute.until(instance.metadata.id, 'provisioned');
  });

  it('on an image that is not ready, or of another organization', async () => {
    const cloud = simulatedProvider(compute);
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
      { ...description, id: compute.world.uuid(), organizationId: compute.organizationId },
      'https://example.com/a.raw',
    );
    const theirs = await cloud.images.import(
      { ...description, id: compute.world.uuid(), organizationId: nowhere },
      'https://example.com/b.raw',
    );
    // Another process changed the catalogue, which is noticed within a second.
    await compute.world.advance(1_000);
    expect(reasonOf(await compute.create('early', { imageId: mine.id }))).toMatch(
      /^spec\.imageId: image \S+ is (pending|creating); it must be ready$/,
    );
    expect(await compute.create('early', { imageId: theirs.id })).toMatchObject({
      status: 400,
      body: { error_description: mentioning('or you may not use it') },
    });
  });

  it('refused for several reasons: the first one in the order of the contract is reported', async () => {
    const wrong = {
      networkId: nowhere,
      flavorId: nowhere,
      imageId: nowhere,
      networking: { securityGroups: [nowhere] },
      sshCertificateAuthorityId: nowhere,
      userData: base64('echo hi'),
    };
    const remedies = [
      { networkId: compute.networkId },
      { flavorId: standardFlavor },
      { imageId: debianImage },
      { networking: {} },
      { userData: script },
    ];
    const told = [reasonOf(await compute.create('wrong', wrong))];
    let spec: object = wrong;
    for (const remedy of remedies) {
      spec = { ...spec, ...remedy };
      told.push(reasonOf(await compute.create('wrong', spec)));
    }
    const fields = told.map((reason) => reason.split(':')[0]);
    expect(fields).toEqual([
      'spec.networkId',
      'spec.flavorId',
      'spec.imageId',
      'spec.networking.securityGroups.0',
      'spec.userData',
      'spec.sshCertificateAuthorityId',
    ]);
  });
});
