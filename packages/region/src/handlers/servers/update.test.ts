import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { modify } from '@unikorn/core/store';

import { Server } from '../../kinds/index.ts';
import { flavors, images, mentioning, seen, startServers } from './servers.fixture.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

let region: Awaited<ReturnType<typeof startServers>>;
/** Runs before the next write of a server. */
let meanwhile: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  region = await startServers({
    knobs: { build_ms: 5_000 },
    around: async (call, happen) => {
      if (call.kind === Server && call.verb === 'update') {
        const first = meanwhile;
        meanwhile = undefined;
        await first?.();
      }
      return happen();
    },
  });
});
afterAll(() => region.stop());

async function running(name: string, spec: object = {}): Promise<string> {
  const { metadata } = seen(await region.create(spec, { name }));
  await region.until(metadata.id, 'provisioned');
  return metadata.id;
}

describe('a change of a server', () => {
  it('replaces all mutable fields, and clears omitted ones', async () => {
    const group = await region.securityGroup();
    const networking = { securityGroups: [group], publicIP: true, allowedSourceAddresses: ['10.9.0.0/24'] };
    const id = await running('cleared', { networking, userData: base64('#!/bin/sh\n') });
    const answer = await region.update(id, {}, { name: 'cleared' });
    expect(answer.status).toBe(202);
    expect(seen(answer).spec).toEqual(region.wanted);
    const after = await region.until(id, 'provisioned');
    expect(after.status).not.toHaveProperty('publicIP');
    const released = await region.call('DELETE', `/api/v2/securitygroups/${group}`, { token: region.token });
    expect(released.status).toBe(202);
  });

  it('shows provisioning until it is applied', async () => {
    const id = await running('honest');
    expect(
      seen(await region.update(id, { imageId: images.debian }, { name: 'honest' })).metadata.provisioningStatus,
    ).toBe('provisioning');
    await region.eventually(
      () => region.store.get(Server, id),
      (server) => server?.status?.rebuild?.state === 'Rebuilding',
    );
    expect((await region.read(id)).metadata.provisioningStatus).toBe('provisioning');
    const after = await region.until(id, 'provisioned');
    expect(after).toMatchObject({ spec: { imageId: images.debian }, status: { powerState: 'Running' } });
  });

  it('keeps its creator, its principal and its pause, and records who changed it', async () => {
    const id = await running('kept');
    const before = await modify(region.store, Server, id, (server) => ({
      ...server,
      spec: { ...server.spec, pause: true },
    }));
    await region.update(id, {}, { name: 'kept', description: 'changed' });
    const after = await region.store.get(Server, id);
    expect(after?.spec.pause).toBe(true);
    expect(after?.metadata.labels).toEqual(before.metadata.labels);
    expect(after?.metadata.annotations).toMatchObject({
      ...before.metadata.annotations,
      'unikorn-cloud.org/modifier': 'operator@example.com',
    });
  });

  it('cannot rename it or give it another flavor', async () => {
    const id = await running('fixed');
    expect(await region.update(id, {}, { name: 'other' })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('metadata.name') },
    });
    expect(await region.update(id, { flavorId: flavors.arm }, { name: 'fixed' })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.flavorId') },
    });
  });

  it('checks a new image like a creation, and does not check the old one', async () => {
    const id = await running('imaged');
    expect(
      (await region.update(id, { imageId: 'f0000000-0000-4000-8000-00000000dead' }, { name: 'imaged' })).status,
    ).toBe(404);
    expect((await region.update(id, { imageId: images.arm }, { name: 'imaged' })).status).toBe(422);
    await modify(region.store, Server, id, (server) => ({
      ...server,
      spec: { ...server.spec, image: { id: 'retired' } },
    }));
    expect((await region.update(id, { imageId: 'retired' }, { name: 'imaged' })).status).toBe(202);
  });

  it('checks user data only if it has changed', async () => {
    const id = await running('legacy');
    const malformed = base64('written before we looked');
    await modify(region.store, Server, id, (server) => ({ ...server, spec: { ...server.spec, userData: malformed } }));
    expect((await region.update(id, { userData: malformed }, { name: 'legacy' })).status).toBe(202);
    expect(await region.update(id, { userData: base64('something else') }, { name: 'legacy' })).toMatchObject({
      status: 422,
      body: { error_description: mentioning('spec.userData') },
    });
    expect((await region.update(id, { userData: base64('#cloud-config\n') }, { name: 'legacy' })).status).toBe(202);
  });

  it('checks security groups again', async () => {
    const id = await running('grouped');
    const foreign = await region.securityGroup('foreign', await region.network('sibling'));
    expect((await region.update(id, { networking: { securityGroups: [foreign] } }, { name: 'grouped' })).status).toBe(
      422,
    );
  });

  it('from an old version is refused, and changes nothing', async () => {
    const id = await running('raced');
    meanwhile = () =>
      modify(region.store, Server, id, (server) => ({
        ...server,
        spec: { ...server.spec, tags: [{ name: 'first', value: '1' }] },
      }));
    expect((await region.update(id, {}, { name: 'raced', tags: [{ name: 'second', value: '2' }] })).status).toBe(409);
    expect((await region.store.get(Server, id))?.spec.tags).toEqual([{ name: 'first', value: '1' }]);
  });

  it('is refused once the server is being deleted, and the deletion can be repeated', async () => {
    const id = await running('leaving');
    await region.operator(region.regionId).turn({ delete_ms: 5_000 });
    expect((await region.servers('DELETE', `/${id}`)).status).toBe(202);
    expect((await region.servers('DELETE', `/${id}`)).status).toBe(202);
    expect((await region.update(id, {}, { name: 'leaving' })).status).toBe(400);
    expect((await region.read(id)).metadata.provisioningStatus).toBe('deprovisioning');
    await region.eventually(
      () => region.servers('GET', `/${id}`),
      ({ status }) => status === 404,
    );
    expect((await region.servers('DELETE', `/${id}`)).status).toBe(404);
  });
});
