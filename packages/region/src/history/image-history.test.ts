import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { HistoryEntry } from '@unikorn/core/history';
import { IdempotencyRecord } from '@unikorn/core/http';
import { modify } from '@unikorn/core/store';
import { openEventStream } from '@unikorn/core/testing';

import { openTenant, wire, type Tenant } from '../handlers/network-resources.fixture.ts';
import { Server } from '../kinds/index.ts';
import { catalogueFor, simulatedProvider } from '../providers/simulated/index.ts';
import { ubuntuImage } from '../providers/simulated/simulated.fixture.ts';
import { cloudWith, serversWith } from '../regions/delegate.ts';
import { startRegion, type RunningRegion } from '../testing/index.ts';

/** The cloud gives this id to a snapshot, as OpenStack does, instead of the id that it is asked for. */
const chosenId = 'd0000000-0000-4000-8000-00000000c10d';

let region: RunningRegion;
let tenant: Tenant;
beforeAll(async () => {
  region = await startRegion({
    providers: {
      simulated: ({ metadata, spec }) => {
        const { store, world } = region;
        const provider = simulatedProvider({ store, world, regionId: metadata.name }, catalogueFor(spec.simulated));
        const servers = serversWith(provider.servers, {
          snapshot: (identity, server, image) =>
            provider.servers.snapshot(identity, server, { ...image, id: chosenId }),
        });
        return { tier: 'cloud', provider: cloudWith(provider, { servers }) };
      },
    },
  });
  tenant = await openTenant(region);
});
afterAll(() => region.stop());

const os = { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' };
const spec = { uri: 'https://images.example.com/a.raw', architecture: 'x86_64', virtualization: 'any', os };

const collectionOf = ({ scope, regionId }: Pick<Tenant, 'scope' | 'regionId'>) =>
  `/api/v1/organizations/${scope.organizationId}/regions/${regionId}/images`;

async function importImage(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const body = { metadata: { name: 'mine' }, spec };
  const answer = await region.call('POST', collectionOf(tenant), { token: tenant.token, body, headers });
  expect(answer.status).toBe(200);
  return wire(answer).metadata.id;
}

async function remove(id: string, token = tenant.token): Promise<number> {
  return (await region.call('DELETE', `${collectionOf(tenant)}/${id}`, { token })).status;
}

/** A user looks at the images, so the platform reads the catalogue. */
async function look(): Promise<void> {
  await region.world.advance(1_000);
  await region.call('GET', `/api/v2/regions/${tenant.regionId}/images?organizationID=${tenant.scope.organizationId}`, {
    token: tenant.token,
  });
  await region.world.advance(1_000);
}

type Place = Pick<Tenant, 'scope' | 'regionId'>;

async function historyOf(id: string, token = tenant.token, place: Place = tenant) {
  const { status, body } = await region.call('GET', `${collectionOf(place)}/${id}/history`, { token });
  return { status, entries: status === 200 ? (body as readonly HistoryEntry[]) : [] };
}

const steps = (entries: readonly HistoryEntry[]) => entries.map(({ action, outcome }) => `${action} ${outcome}`);

describe('the history of an image', () => {
  it('has the import with its caller, the moment it became ready, and the deletion', async () => {
    await tenant.turn({ image_ms: 10_000 });
    const id = await importImage();
    await look();
    expect(steps((await historyOf(id)).entries)).toEqual(['create accepted']);
    await region.world.advance(10_000);
    await look();
    await look();
    expect(await remove(id)).toBe(202);
    const { status, entries } = await historyOf(id);
    expect(status).toBe(200);
    expect(steps(entries)).toEqual(['create accepted', 'state ready', 'delete accepted', 'deletion gone']);
    const [created, , deleted] = entries;
    expect(created).toMatchObject({ actor: expect.stringMatching(/./) as unknown, type: 'intent' });
    expect(deleted).toMatchObject({
      actor: created?.actor,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    });
    await tenant.turn({ image_ms: 0 });
  });

  it('has a deletion that was refused because a server uses the image', async () => {
    const id = await importImage();
    const server = await tenant.server(await tenant.network());
    await modify(region.store, Server, server, (stored) => ({ ...stored, spec: { ...stored.spec, image: { id } } }));
    expect(await remove(id)).toBe(409);
    const reader = await region.found.robot(tenant.scope.organizationId, ['reader']);
    expect(await remove(id, reader.token)).toBe(403);
    expect((await historyOf(id)).entries.filter(({ action }) => action === 'delete')).toMatchObject([
      { outcome: 'refused', message: expect.stringContaining(`is in use by server vm (${server})`) as unknown },
      { outcome: 'refused', message: expect.stringContaining('your roles do not allow') as unknown },
    ]);
  });

  it('has a failed import, and says what failed', async () => {
    await tenant.turn({ buildFailureRate: 1 });
    const id = await importImage();
    await tenant.turn({ buildFailureRate: 0 });
    await look();
    expect((await historyOf(id)).entries.at(-1)).toMatchObject({
      type: 'transition',
      action: 'state',
      outcome: 'failed',
      message: 'the cloud could not fetch or copy its data',
    });
  });

  it('has two creations if an import with the same idempotency key is repeated long after the deletion', async () => {
    const key = { 'idempotency-key': 'twice' };
    const id = await importImage(key);
    expect(await remove(id)).toBe(202);
    await region.world.advance(1_000);
    const { items } = await region.store.list(IdempotencyRecord);
    for (const { metadata } of items) await region.store.delete(IdempotencyRecord, metadata.name);
    expect(await importImage(key)).toBe(id);
    const entries = (await historyOf(id)).entries.filter(({ action }) => action !== 'state');
    expect(steps(entries)).toEqual(['create accepted', 'delete accepted', 'deletion gone', 'create accepted']);
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(2);
  });

  it('of a snapshot has the id that the cloud chose, and names the machine', async () => {
    const server = await tenant.server(await tenant.network());
    const answer = await region.eventually(
      () =>
        region.call('POST', `/api/v2/servers/${server}/snapshot`, {
          token: region.operatorToken,
          body: { metadata: { name: 'copy' }, spec: {} },
        }),
      ({ status }) => status === 201,
    );
    expect(wire(answer).metadata.id).toBe(chosenId);
    expect((await historyOf(chosenId)).entries).toMatchObject([
      {
        action: 'create',
        outcome: 'accepted',
        message: 'snapshot of vm',
        actor: expect.stringMatching(/./) as unknown,
      },
    ]);
  });

  it('exists for an image that was not created through the platform', async () => {
    const id = 'd0000000-0000-4000-8000-00000000a11e';
    const { organizationId } = tenant.scope;
    const { uri, ...described } = spec;
    await tenant.cloud.images.import(
      { ...described, id, name: 'a name with spaces', organizationId, tags: [], softwareVersions: {} } as never,
      uri,
    );
    await region.world.advance(2_000);
    expect(steps((await historyOf(id)).entries)).toEqual(['create accepted']);
    expect(await remove(id)).toBe(202);
    const entries = (await historyOf(id)).entries.filter(({ action }) => action !== 'state');
    expect(steps(entries)).toEqual(['create accepted', 'delete accepted', 'deletion gone']);
  });

  it('exists for an image of the region, which all organizations can use', async () => {
    const { body } = await region.call('GET', `/api/v2/regions/${tenant.regionId}/images`, { token: tenant.token });
    const [shared] = body as readonly { readonly metadata: { readonly id: string } }[];
    const id = shared?.metadata.id ?? '';
    const other = await openTenant(region);
    const place = { scope: other.scope, regionId: tenant.regionId };
    // The first reader does not become its owner.
    for (const { status, entries } of [await historyOf(id), await historyOf(id, other.token, place)]) {
      expect(status).toBe(200);
      expect(steps(entries)).toEqual(['create accepted']);
    }
  });

  it('of an image of the region is unknown while the cloud does not answer', async () => {
    const silent = await openTenant(region, 'a region of its own');
    await silent.turn({ service: 'down' });
    expect((await historyOf(ubuntuImage, silent.token, silent)).status).toBe(503);
  });

  it('is for its organization and its region only', async () => {
    const id = await importImage();
    const stranger = await openTenant(region);
    expect((await historyOf(id, stranger.token)).status).toBe(404);
    expect((await historyOf(id, stranger.token, stranger)).status).toBe(404);
    expect((await historyOf(id, tenant.token, { ...tenant, regionId: await region.openRegion() })).status).toBe(404);
    expect((await historyOf('d0000000-0000-4000-8000-0000000000ff')).status).toBe(404);
    expect(await remove('d0000000-0000-4000-8000-0000000000ff')).toBe(404);
    expect((await historyOf('d0000000-0000-4000-8000-0000000000ff')).status).toBe(404);
  });

  it('is readable while the cloud does not answer', async () => {
    const id = await importImage();
    await tenant.turn({ service: 'down' });
    expect(steps((await historyOf(id)).entries)).toContain('create accepted');
    await tenant.turn({ service: 'up' });
  });

  it('is also a stream, and the activity of the organization has its requests', async () => {
    const id = await importImage();
    const headers = { authorization: `Bearer ${tenant.token}` };
    const stream = await openEventStream(region.server, `/region${collectionOf(tenant)}/${id}/history`, headers);
    await stream.has('synced');
    await look();
    expect(await remove(id)).toBe(202);
    await stream.has('added', 4);
    stream.close();
    const added = stream.events.filter(({ event }) => event === 'added').map(({ data }) => data as HistoryEntry);
    expect(steps(added).toSorted()).toEqual(['create accepted', 'delete accepted', 'deletion gone', 'state ready']);
    const path = `/api/v2/activity?organizationID=${tenant.scope.organizationId}`;
    const { body } = await region.call('GET', path, { token: tenant.token });
    const resource = { kind: 'image', id, name: 'mine' };
    expect(
      (body as readonly { resource: object }[]).filter((entry) => isDeepStrictEqual(entry.resource, resource)),
    ).toMatchObject([
      { action: 'delete', resource, organizationId: tenant.scope.organizationId, projectId: '' },
      { action: 'create', resource },
    ]);
  });
});
