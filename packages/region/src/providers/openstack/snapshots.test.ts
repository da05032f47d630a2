import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fieldLimits } from '@unikorn/core/limits';
import { passing } from '@unikorn/core/testing/carriers';

import { isProviderFailure, type ImageDescription } from '../../provider/index.ts';
import { startGlance, type Disturbance } from './images.fixture.ts';
import { OpenstackSnapshot } from './kinds.ts';

let stage: Awaited<ReturnType<typeof startGlance>>;
beforeEach(async () => {
  stage = await startGlance();
});
afterEach(() => stage.stop());

const undescribed: ImageDescription & { readonly organizationId: string } = {
  id: 'request',
  name: 'copy',
  organizationId: 'o',
  tags: [
    { name: 'plain', value: 'value' },
    { name: 'odd/name', value: 'value' },
    { name: 'long', value: 'x'.repeat(300) },
  ],
  architecture: 'x86_64',
  virtualization: 'virtualized',
  os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '12' },
  softwareVersions: { kubernetes: 'v1.31.0' },
};
const wanted = { ...undescribed, description: 'before the upgrade 🚀, 100% complete' };

const snapshot = () => stage.open().snapshot(stage.tenant, 'server', 'i', wanted);
const owned = () => stage.open().list({ ownedBy: ['o'] });
const records = async () => (await stage.store.list(OpenstackSnapshot)).items.length;

describe('a snapshot', () => {
  it('is listed while it is made, and is published when its data is complete, by any process', async () => {
    const { id, state } = await snapshot();
    expect(state).toBe('pending');
    expect(await owned()).toMatchObject([{ ...wanted, id, identityId: 'i', state: 'pending' }]);
    stage.finishUploads();
    expect(await owned()).toMatchObject([{ ...wanted, id, identityId: 'i', state: 'ready' }]);
    expect(stage.images).toMatchObject([{ fields: { visibility: 'shared', 'unikorn:tag:odd/name': 'value' } }]);
    expect([...(stage.images[0]?.members ?? [])]).toEqual([['region', 'accepted']]);
    expect(await records()).toBe(0);
    const before = stage.calls();
    await owned();
    expect(stage.calls() - before).toBe(1);
  });

  it('has its own description, and never that of the image that the server runs on', async () => {
    const longest = '🚀'.repeat(fieldLimits.description / 2);
    const images = stage.open();
    await images.snapshot(stage.tenant, 'server', 'i', { ...undescribed, id: 'without' });
    await images.snapshot(stage.tenant, 'server', 'i', { ...wanted, description: longest, id: 'with' });
    stage.finishUploads();
    const found = await owned();
    expect(found.map(({ state }) => state)).toEqual(['ready', 'ready']);
    expect(found.map(({ description }) => description)).toEqual([undefined, longest]);
  });

  it('is not changed while its data is written, because Glance would save over it', async () => {
    await snapshot();
    await snapshot();
    await owned();
    expect(stage.asked.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  it('is one image, and published, whichever call is refused or not answered', async () => {
    for (const how of ['refused', 'lost'] as const satisfies readonly Disturbance[]) {
      for (let call = 1; ; call++) {
        await stage.stop();
        stage = await startGlance();
        stage.disturb(call, how);
        await insist(snapshot);
        stage.finishUploads();
        const ready = await insist(owned, ([image]) => image?.state === 'ready');
        const isDone = stage.calls() < call;
        expect(ready).toMatchObject([{ ...wanted, id: 'image-1' }]);
        expect(stage.images).toHaveLength(1);
        expect(await records()).toBe(0);
        if (isDone) break;
      }
    }
  }, 60_000);

  it('is one image, although a list did not show the first one', async () => {
    const { id } = await snapshot();
    stage.disturb(1, 'stale');
    expect((await snapshot()).id).toBe(id);
    expect(stage.asked.filter(({ path }) => path.endsWith('/action'))).toHaveLength(2);
    expect(stage.images.map((image) => image.id)).toEqual([id]);
  });

  it('can be removed while it is made', async () => {
    const { id } = await snapshot();
    expect(await stage.open().remove(id)).toEqual({ state: 'absent' });
    expect(stage.images).toEqual([]);
    expect(await owned()).toEqual([]);
    expect(await records()).toBe(0);
  });

  it('is removed also where Glance refuses to delete it a second time', async () => {
    const { id } = await snapshot();
    stage.finishUploads();
    await owned();
    // The image is read, then its members and the servers of its project. The fourth call deletes it.
    stage.disturb(4, 'repeated');
    expect(await stage.open().remove(id)).toEqual({ state: 'absent' });
    expect(stage.images).toEqual([]);
    expect(stage.asked.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  it('that disappears is forgotten after a while', async () => {
    await snapshot();
    stage.images.splice(0);
    expect(await owned()).toEqual([]);
    expect(await records()).toBe(1);
    await stage.world.advance(601_000);
    expect(await owned()).toEqual([]);
    expect(await records()).toBe(0);
  });
});

/** As a caller does: again and again, as long as asking again may help. */
async function insist<T>(attempt: () => Promise<T>, isGood: (answer: T) => boolean = () => true): Promise<T> {
  for (let count = 0; count < 12; count++) {
    try {
      const answer = await passing(stage.world, attempt());
      if (isGood(answer)) return answer;
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
  }
  throw new Error('it never came through');
}
