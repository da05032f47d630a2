import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ImageDescription } from '../../packages/region/src/provider/index.ts';
import { glance, type Session } from '../../packages/region/src/providers/openstack/client/index.ts';
import {
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
  OpenstackUpload,
} from '../../packages/region/src/providers/openstack/index.ts';
import { Uploads } from '../../packages/region/src/providers/openstack/uploads.ts';
import { host } from './cloud/site.ts';
import { access } from './cloud.fixture.ts';
import { regionSecret } from './provider.fixture.ts';

const megabytes = 8;
const world = systemWorld;
const store = openMemoryStore({ world, kinds: openstackKinds });
const regionId = world.uuid();
let region: OpenstackRegion;
let session: Session;
let server: Server;
let uri: string;
/** So many of the next answers of the server break off in the middle. */
let brokenAnswers = 0;

beforeAll(async () => {
  const secret = await regionSecret();
  region = new OpenstackRegion({
    regionId,
    store,
    world,
    telemetry: silentTelemetry(),
    settings: { endpoint: access.authUrl, regionName: access.region },
    secret: () => Promise.resolve(secret),
  });
  session = await region.region();
  server = createServer((_, answer) => {
    const data = Buffer.alloc(megabytes * 2 ** 20, 'x');
    answer.writeHead(200, { 'content-length': data.length });
    if (brokenAnswers-- > 0) answer.write(data.subarray(2 ** 20), () => answer.destroy());
    else answer.end(data);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  uri = `http://${host}:${(server.address() as AddressInfo).port}/image.raw`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await region.close();
  await store.close();
});

describe('an image whose address the cloud refuses', () => {
  it('is imported from another address with the same request, once', async () => {
    const { images } = openstackProvider(region);
    const description = imageOf(world.uuid());
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(images.import(description, 'http://images.example.com/image.raw')).rejects.toMatchObject({
        kind: 'invalid',
      });
    const { id } = await images.import(description, uri);
    expect(id).not.toBe(description.id);
    expect((await images.import(description, uri)).id).toBe(id);
    const owned = () => images.list({ ownedBy: [description.organizationId] });
    await expect.poll(owned, { timeout: 60_000 }).toMatchObject([{ ...description, id, state: 'ready' }]);
    expect(await images.remove(id)).toEqual({ state: 'absent' });
  });
});

describe('an image that is uploaded by the platform', () => {
  /** As in a cloud that has no import method `web-download`. */
  async function upload(): Promise<string> {
    const { id } = await glance.createImage(session, {
      name: 'uploaded',
      visibility: 'shared',
      diskFormat: 'raw',
      properties: { 'unikorn:organization:id': world.uuid() },
    });
    const uploads = new Uploads({ store, world, regionId, region: () => region.region(), allows: () => true });
    await uploads.begin(id, uri);
    return id;
  }
  const recordsLeft = async () => (await store.list(OpenstackUpload)).items.length;

  it('has all its data', async () => {
    const id = await upload();
    await expect.poll(recordsLeft, { timeout: 60_000 }).toBe(0);
    expect(await glance.getImage(session, id)).toMatchObject({ status: 'active', size: megabytes * 2 ** 20 });
    await glance.deleteImage(session, id);
  });

  it('has all its data also if the first transfer breaks off', async () => {
    brokenAnswers = 1;
    const id = await upload();
    await expect.poll(recordsLeft, { timeout: 120_000 }).toBe(0);
    expect(await glance.getImage(session, id)).toMatchObject({ status: 'active', size: megabytes * 2 ** 20 });
    expect(brokenAnswers).toBeLessThan(0);
    await glance.deleteImage(session, id);
  });
});

function imageOf(id: string): ImageDescription & { readonly organizationId: string } {
  return {
    id,
    name: `image-${id}`,
    organizationId: world.uuid(),
    tags: [],
    architecture: 'x86_64',
    virtualization: 'virtualized',
    os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '12' },
    softwareVersions: {},
  };
}
