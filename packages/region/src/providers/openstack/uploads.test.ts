import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { ImageDescription } from '../../provider/index.ts';
import { startGlance } from './images.fixture.ts';
import { OpenstackUpload } from './kinds.ts';
import { waits } from './limits.ts';

const disk = 'x'.repeat(300_000);

/** How the server of the image answers. */
let source: 'whole' | 'missing' | 'broken' | 'silent';
let stage: Awaited<ReturnType<typeof startGlance>>;
const server = createServer((_, response) => {
  if (source === 'silent') return;
  if (source === 'missing') response.writeHead(404).end();
  else if (source === 'whole') response.writeHead(200, { 'content-length': disk.length }).end(disk);
  else response.writeHead(200, { 'content-length': disk.length }).write(disk.slice(9), () => response.destroy());
});

beforeEach(async () => {
  source = 'whole';
  stage = await startGlance();
  stage.setImportMethods('glance-direct');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await stage.stop();
});

const wanted: ImageDescription & { readonly organizationId: string } = {
  id: 'request',
  name: 'noble',
  organizationId: 'o',
  tags: [],
  architecture: 'x86_64',
  virtualization: 'virtualized',
  os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04' },
  softwareVersions: {},
};

const uri = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/noble.raw`;
const statesIn = async (images: ReturnType<typeof stage.open>) =>
  (await images.list({ ownedBy: ['o'] })).map(({ state }) => state);
const records = async () => (await stage.store.list(OpenstackUpload)).items;

describe('an image in a cloud that does not fetch data', () => {
  it('is uploaded by this process, and ready when its data is complete', async () => {
    const images = stage.open();
    expect(await images.import(wanted, uri())).toMatchObject({ id: 'request', state: 'pending' });
    await expect.poll(() => statesIn(images)).toEqual(['ready']);
    expect(stage.images).toMatchObject([{ fields: { size: disk.length } }]);
    expect(await records()).toEqual([]);
    expect(await images.import(wanted, uri())).toMatchObject({ id: 'request', state: 'ready' });
  });

  it('is uploaded by another process if the first one dies', async () => {
    source = 'silent';
    const first = stage.open();
    await first.import(wanted, uri());
    const second = stage.open();
    expect(await statesIn(second)).toEqual(['pending']);
    // The first process does nothing any more: its lease is not renewed.
    for (const { metadata, spec } of await records())
      await stage.store.update(OpenstackUpload, {
        metadata,
        spec: { ...spec, holder: 'dead', leaseUntil: stage.world.now() },
      });
    source = 'whole';
    await expect.poll(() => statesIn(second)).toEqual(['ready']);
    expect(stage.images).toHaveLength(1);
  });

  it.each(['missing', 'broken'] as const)('has failed after some attempts, if its address is %s', async (how) => {
    source = how;
    const images = stage.open();
    await images.import(wanted, uri());
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect.poll(async () => (await records())[0]?.spec.attempts).toBe(attempt);
      await expect
        .poll(async () => (await records())[0]?.spec.leaseUntil)
        .toBe(stage.world.now() + waits.uploadPause_ms);
      if (attempt < 3) await stage.world.advance(waits.uploadPause_ms);
    }
    expect(await statesIn(images)).toEqual(['failed']);
    await images.remove('request');
    expect(await statesIn(images)).toEqual([]);
    expect(await records()).toEqual([]);
  });

  it('is not called ready if the cloud has a part of its data only', async () => {
    source = 'broken';
    const images = stage.open();
    await images.import(wanted, uri());
    await expect.poll(async () => (await records())[0]?.spec.leaseUntil).toBe(stage.world.now() + waits.uploadPause_ms);
    Object.assign(stage.images[0]?.fields ?? {}, { status: 'active', size: 9 });
    expect(await statesIn(images)).toEqual(['creating']);
    source = 'whole';
    for (let attempt = 2; attempt <= 3; attempt++) {
      await stage.world.advance(waits.uploadPause_ms);
      await expect.poll(async () => (await records())[0]?.spec.attempts).toBe(attempt);
      await expect
        .poll(async () => (await records())[0]?.spec.leaseUntil)
        .toBe(stage.world.now() + waits.uploadPause_ms);
    }
    expect(await statesIn(images)).toEqual(['failed']);
  });
});
