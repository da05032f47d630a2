import { virtualWorld } from '@unikorn/core/testing';
import { passing } from '@unikorn/core/testing/carriers';
import { afterEach, describe, expect, it } from 'vitest';

import type { CloudProvider, Removed, WantedServer } from '../provider/index.ts';
import { identity, startServerCloud } from '../providers/openstack/servers.fixture.ts';
import { withConfirmedRemovals } from './confirmed-removals.ts';

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

const wanted: WantedServer = {
  id: 's',
  name: 'web',
  flavorId: 'f',
  imageId: 'i',
  networkId: 'n',
  securityGroupIds: [],
  publicIP: 'wanted',
  allowedAddressPairs: [],
  keyPair: 'identity',
  metadata: {},
};

/** A server that runs, in a cloud whose lists can be old. */
async function runningServer() {
  const cloud = await startServerCloud();
  stop = cloud.stop;
  const { servers } = withConfirmedRemovals({ servers: cloud.servers } as unknown as CloudProvider, cloud.world);
  const answered = <T>(call: Promise<T>) => passing(cloud.world, call);
  await answered(servers.ensure(identity, wanted));
  cloud.settle();
  return {
    ...cloud,
    /** As a controller does: until it is removed, with a pause after each attempt. */
    remove: async () => {
      for (;;) {
        if ((await answered(servers.remove(identity, wanted))).state === 'absent') return;
        cloud.settle();
        await cloud.world.advance(1000);
      }
    },
  };
}

describe('a server', () => {
  it('leaves nothing behind when it is removed, whichever list of its removal is old', async () => {
    const undisturbed = await runningServer();
    const calls = undisturbed.record();
    await undisturbed.remove();
    await stop?.();
    for (const [number, call] of calls.entries()) {
      const { estate, disturb, remove } = await runningServer();
      // Two lists that follow each other, so that also the port may be hidden together with the server.
      disturb(call, 'stale');
      disturb(calls[number + 1] ?? call, 'stale');
      await remove();
      expect([estate.servers, estate.ports, estate.floatingips], `${call} shows an old state`).toEqual([[], [], []]);
      await stop?.();
    }
  });
});

describe('a removal', () => {
  const confirmed = (answers: Removed['state'][]) => {
    const world = virtualWorld();
    const remove = () => {
      const state = answers.shift() ?? 'absent';
      return Promise.resolve(state === 'absent' ? { state } : { state, reason: 'it is being deleted' });
    };
    const provider = withConfirmedRemovals({ networks: { remove } } as unknown as CloudProvider, world);
    return { world, remove: async () => (await provider.networks.remove(identity, { id: 'n' })).state };
  };

  it('is complete when it found nothing twice, with some time between', async () => {
    const { world, remove } = confirmed([]);
    expect(await remove()).toBe('pending');
    expect(await remove()).toBe('pending');
    await world.advance(1000);
    expect(await remove()).toBe('absent');
    // The next one of the same name begins again.
    expect(await remove()).toBe('pending');
  });

  it('begins again when it finds something', async () => {
    const { world, remove } = confirmed(['absent', 'pending', 'absent', 'absent']);
    const states: string[] = [];
    for (let pass = 0; pass < 4; pass++) {
      states.push(await remove());
      await world.advance(1000);
    }
    expect(states).toEqual(['pending', 'pending', 'pending', 'absent']);
  });

  it('is forgotten if it is not repeated', async () => {
    const { world, remove } = confirmed([]);
    expect(await remove()).toBe('pending');
    await world.advance(600_000);
    expect(await remove()).toBe('pending');
    await world.advance(1000);
    expect(await remove()).toBe('absent');
  });
});
