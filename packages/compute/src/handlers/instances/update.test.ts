import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { annotations, labels } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { together, type Around } from '@unikorn/core/testing';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../../kinds/index.ts';
import { storedPrice } from '../../sagas/index.ts';
import { debianImage, gpuFlavor, LegacyInstance, standardFlavor } from '../../testing/index.ts';
import {
  base64,
  flavors,
  idsOf,
  images,
  mentioning,
  nowhere,
  seen,
  startInstances,
  type Instances,
} from './instances.fixture.ts';

const nothing: Around = (_call, happen) => happen();

/** Intercepts the calls of the services to their store. */
let between = nothing;
/** Flavors, images and security groups that region no longer offers. */
const withdrawn = new Set<string>();
/** The calls of compute to region. */
const asked: string[] = [];

/** Region after some of its offers are withdrawn. Calls on behalf of a user are recorded. */
function observed(regionClient: RegionClient): RegionClient {
  const left = <Item extends { readonly metadata: { readonly id: string } }>(items: readonly Item[]) =>
    items.filter(({ metadata }) => !withdrawn.has(metadata.id));
  const offering: RegionClient = {
    ...regionClient,
    flavors: async (...ask) => left(await regionClient.flavors(...ask)),
    images: async (...ask) => left(await regionClient.images(...ask)),
    securityGroup: (on, id) =>
      withdrawn.has(id)
        ? Promise.reject(new Problem('not_found', `security group ${id} does not exist`))
        : regionClient.securityGroup(on, id),
  };
  const noted = Object.entries(offering).map(([name, ask]: [string, (...parameters: unknown[]) => unknown]) => [
    name,
    (...parameters: unknown[]) => {
      asked.push(name);
      return ask(...parameters);
    },
  ]);
  return Object.fromEntries(noted) as RegionClient;
}

let compute: Instances;
beforeAll(async () => {
  compute = await startInstances({ around: (call, happen) => between(call, happen), regionClient: observed });
});
afterEach(() => {
  between = nothing;
  withdrawn.clear();
});
afterAll(() => compute.stop());

async function provisioned(name: string, spec?: object, metadata?: object): Promise<string> {
  const { id } = seen(await compute.create(name, spec, metadata)).metadata;
  await compute.until(id, 'provisioned');
  return id;
}

async function stored(id: string): Promise<ComputeInstance> {
  const instance = await compute.store.get(ComputeInstance, id);
  if (!instance) throw new Error(`there is no instance ${id}`);
  return instance;
}

describe('an update of an instance', () => {
  it('replaces the fields of the contract: omitted fields are cleared, and no longer charged', async () => {
    const { create, update, until, charged } = await compute.openTenant();
    const full = {
      networking: { publicIP: true, allowedSourceAddresses: ['10.0.0.0/8'] },
      userData: base64('#!/bin/sh\n'),
    };
    const { id } = seen(
      await create('full', full, { description: 'mine', tags: [{ name: 'a', value: '1' }] }),
    ).metadata;
    await until(id, 'provisioned');
    expect(await charged()).toMatchObject({ publicips: 1 });
    const answer = await update(id, 'full');
    expect(answer).toMatchObject({
      status: 202,
      body: { metadata: { id, name: 'full', provisioningStatus: 'provisioning' } },
    });
    expect(seen(answer).spec).toEqual({ flavorId: standardFlavor, imageId: compute.wanted.imageId, networking: {} });
    expect(seen(answer).metadata).not.toHaveProperty('description');
    expect(seen(answer).metadata).not.toHaveProperty('tags');
    expect(await charged()).toEqual({ servers: 1, gpus: 0, publicips: 0 });
    expect((await until(id, 'provisioned')).status).not.toHaveProperty('publicIP');
  });

  it('keeps creator, pause, price and foreign metadata, and sets modifier and time', async () => {
    const id = await provisioned('kept', { flavorId: gpuFlavor });
    await modify(compute.store, ComputeInstance, id, ({ metadata, spec }) => ({
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, 'example.com/team': 'red' },
        annotations: { ...metadata.annotations, 'example.com/note': 'theirs' },
      },
      spec: { ...spec, pause: true },
    }));
    const before = await stored(id);
    await compute.found.user('second@example.com', compute.organizationId);
    await compute.found.group(compute.organizationId, ['administrator'], { users: ['second@example.com'] });
    await compute.world.advance(60_000);
    const body = { metadata: { name: 'kept', description: 'new' }, spec: { ...compute.wanted, flavorId: gpuFlavor } };
    const answer = await compute.call('PUT', `/api/v2/instances/${id}`, { token: 'user:second@example.com', body });
    expect(answer.status).toBe(202);
    const { createdBy, modifiedBy, modifiedTime } = seen(answer).metadata;
    expect({ createdBy, modifiedBy }).toEqual({
      createdBy: before.metadata.annotations?.[annotations.creator],
      modifiedBy: 'second@example.com',
    });
    expect(Date.parse(String(modifiedTime))).toBeGreaterThan(Date.parse(before.metadata.creationTimestamp));
    const after = await stored(id);
    expect(after.metadata.labels).toEqual(before.metadata.labels);
    expect(after.metadata.annotations).toMatchObject({
      'example.com/note': 'theirs',
      [annotations.principalCreator]: before.metadata.annotations?.[annotations.principalCreator],
    });
    expect(after.spec.pause).toBe(true);
    expect(storedPrice(after)).toEqual({ gpus: 1, publicIP: false });
  });

  it('keeps deletionProtection and afterRebuild if it omits them, and changes them if it contains them', async () => {
    const id = await provisioned('optional', { deletionProtection: true, afterRebuild: 'stop' });
    expect(seen(await compute.update(id, 'optional')).spec).toMatchObject({
      deletionProtection: true,
      afterRebuild: 'stop',
    });
    expect(
      seen(await compute.update(id, 'optional', { deletionProtection: false, afterRebuild: 'start' })).spec,
    ).toMatchObject({ deletionProtection: false, afterRebuild: 'start' });
  });

  it('recharges: more when it costs more, less when it costs less, and nothing changes when it would cost too much', async () => {
    const { create, update, read, charged, limit } = await compute.openTenant();
    const { id } = seen(await create('priced')).metadata;
    await limit({ gpus: 8, publicips: 0 });
    expect((await update(id, 'priced', { flavorId: flavors.manyGpus })).status).toBe(202);
    expect(await charged()).toEqual({ servers: 1, gpus: 8, publicips: 0 });
    expect((await update(id, 'priced', { flavorId: gpuFlavor })).status).toBe(202);
    expect(await charged()).toEqual({ servers: 1, gpus: 1, publicips: 0 });
    expect(await update(id, 'priced', { flavorId: gpuFlavor, networking: { publicIP: true } })).toMatchObject({
      status: 403,
      body: { error_description: mentioning('publicips') },
    });
    expect((await read(id)).spec).toMatchObject({ flavorId: gpuFlavor, networking: {} });
    expect(await charged()).toEqual({ servers: 1, gpus: 1, publicips: 0 });
  });

  it('succeeds during status writes of the controller, and is 409 for the second of two concurrent changes', async () => {
    const id = await provisioned('raced');
    between = together(ComputeInstance, 2);
    const answers = await Promise.all([
      compute.update(id, 'raced', { networking: { publicIP: true } }),
      compute.update(id, 'raced', { userData: base64('#!/bin/sh\n') }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(storedPrice(await stored(id)).publicIP).toBe((await stored(id)).spec.networking?.publicIp ?? false);
  });
});

describe('a withdrawn resource', () => {
  it('does not block a change of other fields', async () => {
    const { create, update, charged, until } = await compute.openTenant();
    const { id } = seen(await create('retired', { flavorId: gpuFlavor })).metadata;
    await until(id, 'provisioned');
    withdrawn.add(gpuFlavor).add(compute.wanted.imageId);
    expect(
      (
        await update(
          id,
          'retired',
          { flavorId: gpuFlavor, networking: { publicIP: true } },
          { description: 'still here' },
        )
      ).status,
    ).toBe(202);
    expect(await charged()).toEqual({ servers: 1, gpus: 1, publicips: 1 });
  });

  it('such as a security group of the instance does not block a change, and cannot be added again', async () => {
    const group = await compute.securityGroup('dissolved');
    const id = await provisioned('member', { networking: { securityGroups: [group] } });
    withdrawn.add(group);
    expect(
      (await compute.update(id, 'member', { networking: { securityGroups: [group], publicIP: true } })).status,
    ).toBe(202);
    expect((await compute.update(id, 'member')).status).toBe(202);
    expect(await compute.update(id, 'member', { networking: { securityGroups: [group] } })).toMatchObject({
      status: 404,
      body: { error_description: mentioning('spec.networking.securityGroups.0') },
    });
  });

  it('such as a flavor does not block a change of the image, and the price stays', async () => {
    const { create, update, charged } = await compute.openTenant();
    const { id } = seen(await create('rebuilt', { flavorId: gpuFlavor })).metadata;
    withdrawn.add(gpuFlavor);
    expect((await update(id, 'rebuilt', { flavorId: gpuFlavor, imageId: debianImage })).status).toBe(202);
    expect(await charged()).toEqual({ servers: 1, gpus: 1, publicips: 0 });
  });

  it('such as an image or a flavor is refused if the server would be recreated with it', async () => {
    const id = await provisioned('anew');
    withdrawn.add(compute.wanted.imageId);
    expect(await compute.update(id, 'anew', { flavorId: gpuFlavor })).toMatchObject({
      status: 400,
      body: { error_description: mentioning('spec.imageId') },
    });
    expect(await compute.update(id, 'anew', { flavorId: gpuFlavor, imageId: debianImage })).toMatchObject({
      status: 202,
    });
    await compute.until(id, 'provisioned');
    withdrawn.add(gpuFlavor);
    expect(
      await compute.update(id, 'anew', {
        flavorId: gpuFlavor,
        imageId: debianImage,
        sshCertificateAuthorityId: await compute.authority(),
      }),
    ).toMatchObject({ status: 400, body: { error_description: mentioning('spec.flavorId') } });
  });
});

describe('what an update may not do', () => {
  let id: string;
  beforeAll(async () => {
    id = await provisioned('fixed', { userData: base64('#!/bin/sh\n') });
  });

  it('rename: 422 before anything is asked of region', async () => {
    await compute.world.settle();
    asked.length = 0;
    expect(await compute.update(id, 'other', { flavorId: nowhere, imageId: nowhere })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('metadata.name') },
    });
    expect(asked).toEqual([]);
  });

  it.each<[string, object, number, string]>([
    ['to a flavor that does not exist', { flavorId: nowhere }, 400, 'spec.flavorId'],
    ['to an image that does not exist', { imageId: nowhere }, 400, 'spec.imageId'],
    ['to an image that does not fit the flavor', { imageId: images.arm }, 400, 'spec.imageId'],
    ['to a flavor that does not fit the image', { flavorId: flavors.arm }, 400, 'spec.imageId'],
    [
      'to a security group that does not exist',
      { networking: { securityGroups: [nowhere] } },
      404,
      'spec.networking.securityGroups.0',
    ],
    [
      'to an authority that does not exist',
      { sshCertificateAuthorityId: nowhere },
      404,
      'spec.sshCertificateAuthorityId',
    ],
    ['to user data in an unknown format', { userData: base64('echo hi') }, 422, 'spec.userData'],
  ])('change %s', async (_name, spec, status, mentioned) => {
    const before = await stored(id);
    const userData = base64('#!/bin/sh\n');
    expect(await compute.update(id, 'fixed', { userData, ...spec })).toMatchObject({
      status,
      body: { error_description: mentioning(mentioned) },
    });
    expect((await stored(id)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('set a security group of another network, or an authority of another project', async () => {
    const other = await compute.securityGroup('other', await compute.openNetwork('other'));
    expect(await compute.update(id, 'fixed', { networking: { securityGroups: [other] } })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('must be of the same network') },
    });
    const foreign = await compute.authority(await compute.found.project(compute.organizationId));
    expect(await compute.update(id, 'fixed', { sshCertificateAuthorityId: foreign })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('must be of the same project') },
    });
  });

  it('set an authority that cannot be added to the user data, even if the user data is unchanged', async () => {
    const userData = base64(Uint8Array.of(0x1f, 0x8b, 8, 0));
    const compressed = await provisioned('compressed', { userData });
    expect((await compute.update(compressed, 'compressed', { userData, networking: { publicIP: false } })).status).toBe(
      202,
    );
    expect(
      await compute.update(compressed, 'compressed', {
        userData,
        sshCertificateAuthorityId: await compute.authority(),
      }),
    ).toMatchObject({ status: 422, body: { error_description: mentioning('must not be compressed') } });
  });

  it('happen while the instance is being deleted: 400', async () => {
    const going = await provisioned('going');
    await modify(compute.store, ComputeInstance, going, ({ metadata, spec }) => ({
      metadata: { ...metadata, finalizers: [...(metadata.finalizers ?? []), 'test/held'] },
      spec,
    }));
    expect((await compute.ask('DELETE', `/${going}`)).status).toBe(202);
    expect(await compute.update(going, 'going')).toMatchObject({
      status: 400,
      body: { error_description: mentioning('is being deleted') },
    });
    expect((await compute.read(going)).metadata.provisioningStatus).toBe('deprovisioning');
  });
});

describe('a record without a network label', () => {
  it('is 409 for a change, and does not break lists and reads', async () => {
    const whole = (await stored(await provisioned('whole'))).metadata.labels ?? {};
    const kept = Object.fromEntries(Object.entries(whole).filter(([label]) => label !== labels.network));
    const damaged = await compute.store.create(LegacyInstance, {
      metadata: { name: compute.world.uuid(), labels: { ...kept, [labels.name]: 'damaged' } },
      spec: { ...compute.wanted, pause: true },
    });
    const { name } = damaged.metadata;
    expect(await compute.update(name, 'damaged')).toMatchObject({
      status: 409,
      body: { error_description: mentioning('is damaged') },
    });
    expect((await compute.read(name)).status).toMatchObject({ networkId: '' });
    expect(idsOf(await compute.ask('GET'))).toContain(name);
  });
});
