import { describe, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';

import { ProviderFailure, type Ensured, type Found, type ObservedServer, type Servers } from '../../provider/index.ts';
import { startServerCloud } from '../../providers/openstack/servers.fixture.ts';
import { BuildingLooks, isBuilding } from './building-looks.ts';

const identity = { id: 'i', organizationId: 'o', projectId: 'p' };
const server = (id: string) => ({ id, name: id });

function presence(status: ObservedServer['status']): Ensured<ObservedServer> {
  return {
    state: 'pending',
    reason: 'the machine is being built',
    observed: { providerId: 'x', status, power: 'other', task: 'active', createdAt: '2026-01-01T00:00:00Z' },
  };
}

/** A cloud with these servers, which remembers how it was asked. */
function stage(ids: readonly string[]) {
  const world = virtualWorld();
  const calls: string[] = [];
  const shown = new Map(ids.map((id) => [id, presence('building')]));
  let away = false;
  const cloud = {
    list: (): Promise<readonly Found<ObservedServer>[]> => {
      calls.push('list');
      if (away) return Promise.reject(new ProviderFailure('unavailable', 'away'));
      return Promise.resolve([...shown].map(([id, seen]) => ({ id, presence: seen })));
    },
    observe: (_identity: unknown, { id }: { readonly id: string }) => {
      calls.push(`observe ${id}`);
      return Promise.resolve(shown.get(id) ?? ({ state: 'absent' } as const));
    },
  } as unknown as Servers;
  const looks = new BuildingLooks(world);
  return {
    world,
    calls,
    shown,
    looks,
    look: (id: string, together = ids.length) => looks.observe(cloud, identity, server(id), together),
    break: () => (away = true),
  };
}

describe('a server is looked at together with others', () => {
  const provisionedAt = '2026-01-01T00:00:00Z';
  const rebuild = (state: 'Initiated' | 'Rebuilding' | 'Succeeded' | 'Failed') => ({ targetImageID: 'x', state });

  it.each([
    ['while it is built for the first time', { phase: 'Building' }, true],
    ['while it waits for that', { phase: 'Queued' }, true],
    ['while its disk is rebuilt', { phase: 'Building', provisionedAt, rebuild: rebuild('Rebuilding') }, true],
    ['not before a rebuild is requested', { phase: 'Running', provisionedAt, rebuild: rebuild('Initiated') }, false],
    ['not after a rebuild failed', { phase: 'Running', provisionedAt, rebuild: rebuild('Failed') }, false],
    ['not while it stops', { phase: 'Stopping', provisionedAt }, false],
    ['not when it has run', { phase: 'Running', provisionedAt }, false],
    ['not before its provider knows it', undefined, false],
  ] as const)('%s', (_when, status, together) => {
    expect(isBuilding(status)).toBe(together);
  });
});

describe('servers of one principal that are being built', () => {
  it('are looked at by one list every two seconds, however many they are', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `s${index}`);
    const { world, calls, look } = stage(ids);
    for (let second = 0; second < 10; second++) {
      expect(await Promise.all(ids.map((id) => look(id)))).toHaveLength(50);
      await world.advance(1_000);
    }
    expect(calls).toEqual(Array.from({ length: 5 }, () => 'list'));
  });

  it('are looked at directly when there is only one', async () => {
    const { calls, look } = stage(['a']);
    await look('a');
    expect(calls).toEqual(['observe a']);
  });

  it('never count as absent because of a list that may be older than they are', async () => {
    const { calls, shown, look } = stage(['a', 'b']);
    await look('a');
    shown.set('c', presence('building'));
    expect(await look('c')).toEqual(presence('building'));
    expect(calls).toEqual(['list', 'observe c']);
  });

  it('are not judged by a list from before their last change', async () => {
    const { calls, shown, looks, look } = stage(['a', 'b']);
    await look('a');
    looks.changed(server('a'));
    shown.delete('a');
    expect(await look('a')).toEqual({ state: 'absent' });
    await look('b');
    expect(calls).toEqual(['list', 'observe a']);
  });

  it('get a failure once, and the next look lists again', async () => {
    const { calls, look, ...scene } = stage(['a', 'b']);
    scene.break();
    await expect(look('a')).rejects.toThrow('away');
    await expect(look('b')).rejects.toThrow('away');
    expect(calls).toEqual(['list', 'list']);
  });
});

it('a principal of an OpenStack cloud costs one list of servers every two seconds, and no call for each server', async () => {
  const cloud = await startServerCloud();
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
  for (const id of ids)
    await cloud.servers.ensure(identity, {
      ...server(id),
      flavorId: 'f',
      imageId: 'm',
      networkId: 'n',
      securityGroupIds: [],
      publicIP: 'unwanted',
      allowedAddressPairs: [],
      keyPair: 'none',
      metadata: {},
    });
  const looks = new BuildingLooks(cloud.world);
  cloud.asked.length = 0;
  for (let second = 0; second < 10; second++) {
    await Promise.all(ids.map((id) => looks.observe(cloud.servers, identity, server(id), ids.length)));
    await cloud.world.advance(1_000);
  }
  const paths = cloud.asked.map(({ path }) => path.split('?')[0]);
  expect(paths.filter((path) => path === '/compute/v2.1/servers/detail')).toHaveLength(5);
  expect(paths).toHaveLength(10);
  await cloud.stop();
});
