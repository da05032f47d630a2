import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { passing } from '@unikorn/core/testing/carriers';

import { isProviderFailure, type ImageDescription } from '../../provider/index.ts';
import { startGlance } from './images.fixture.ts';

let stage: Awaited<ReturnType<typeof startGlance>>;
beforeEach(async () => {
  stage = await startGlance();
});
afterEach(() => stage.stop());

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

const imported = (uri = 'https://images.example.com/noble.raw') => stage.open().import(wanted, uri);
const refusedUri = 'https://images.example.com/refused.raw';

describe('an image that is imported', () => {
  it('has the id of the request, and is one however often it is requested', async () => {
    expect(await imported()).toMatchObject({ id: 'request', state: 'creating' });
    expect(await imported()).toMatchObject({ id: 'request', state: 'creating' });
    expect(stage.images).toHaveLength(1);
  });

  it('can be imported from another address after the cloud refused the first one', async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(imported(refusedUri)).rejects.toMatchObject({ kind: 'invalid' });
      expect(stage.images).toEqual([]);
    }
    const { id } = await imported();
    expect(id).not.toBe('request');
    expect(await imported()).toMatchObject({ ...wanted, id, state: 'creating' });
    expect(stage.images).toHaveLength(1);
  });

  it('is one after a refusal, whichever call is refused or not answered', async () => {
    for (const how of ['refused', 'lost'] as const) {
      for (let call = 1; ; call++) {
        await stage.stop();
        stage = await startGlance();
        await expect(imported(refusedUri)).rejects.toMatchObject({ kind: 'invalid' });
        const before = stage.calls();
        stage.disturb(call, how);
        await insist(imported);
        const isDone = stage.calls() - before < call;
        await insist(imported);
        expect(stage.images).toMatchObject([{ fields: { status: 'importing' } }]);
        if (isDone) break;
      }
    }
  }, 60_000);

  it('is not made if its address is none of the web', async () => {
    await expect(imported('file:///etc/passwd')).rejects.toMatchObject({ kind: 'invalid' });
    expect(stage.calls()).toBe(0);
  });
});

describe('an image of an organization that the original of this platform made public', () => {
  it('is not removed while a server in a project of the organization uses it', async () => {
    const { id } = await imported();
    Object.assign(stage.images[0]?.fields ?? {}, { visibility: 'public', status: 'active' });
    stage.servers.set('tenant', [id]);
    await expect(stage.open().remove(id)).rejects.toMatchObject({ kind: 'in_use' });
    stage.servers.clear();
    expect(await stage.open().remove(id)).toEqual({ state: 'absent' });
  });
});

/** As a caller does: again and again, as long as asking again may help. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < 12; count++) {
    try {
      return await passing(stage.world, attempt());
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
  }
  throw new Error('it never came through');
}
