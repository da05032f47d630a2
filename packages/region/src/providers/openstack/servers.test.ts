import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { passing } from '@unikorn/core/testing/carriers';

import { isProviderFailure, type WantedServer } from '../../provider/index.ts';
import { identity, startServerCloud } from './servers.fixture.ts';

type Stage = Awaited<ReturnType<typeof startServerCloud>>;

let stage: Stage;
beforeEach(async () => {
  stage = await startServerCloud();
});
afterEach(() => stage.stop());

const wanted: WantedServer = {
  id: 's',
  name: 'web',
  flavorId: 'flavor',
  imageId: 'image',
  networkId: 'n',
  securityGroupIds: ['a'],
  publicIP: 'wanted',
  allowedAddressPairs: [{ cidr: '10.1.0.0/24' }],
  keyPair: 'identity',
  metadata: { serverID: 's', 'region:server_id': 's' },
};

/** As a controller does: again and again, as long as asking again may help. */
async function insist<T>(attempt: () => Promise<T>, isGood: (answer: T) => boolean = () => true): Promise<T> {
  for (let count = 0; count < 12; count++) {
    try {
      const answer = await passing(stage.world, attempt());
      if (isGood(answer)) return answer;
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
    }
    stage.settle();
  }
  throw new Error('it never came through');
}

const ensured = (change: Partial<WantedServer> = {}) =>
  insist(() => stage.servers.ensure(identity, { ...wanted, ...change }));
const removed = () =>
  insist(
    () => stage.servers.remove(identity, wanted),
    ({ state }) => state === 'absent',
  );

function expectOne(): void {
  const { servers, ports, floatingips } = stage.estate;
  expect(servers).toMatchObject([{ name: 'web', image: { id: 'image' }, metadata: { serverID: 's' } }]);
  expect(ports).toMatchObject([{ name: 'server-s', network_id: 'net', security_groups: ['group-a'] }]);
  expect(floatingips).toMatchObject([{ floating_network_id: 'external', port_id: ports[0]?.id }]);
}

function expectNothing(): void {
  const { servers, ports, floatingips } = stage.estate;
  expect({ servers, ports, floatingips }).toEqual({ servers: [], ports: [], floatingips: [] });
}

/** The port is deleted behind our back. Neutron keeps its public address. */
function losePort(): void {
  stage.estate.ports = [];
  for (const address of stage.estate.floatingips) address['port_id'] = null;
}

/** Breaks each call of some work in each way, one at a time, on a fresh cloud each. */
async function sweep({ prepare, work, check }: Record<'prepare' | 'work' | 'check', () => Promise<unknown>>) {
  await prepare();
  const calls = stage.record();
  await work();
  for (const how of ['refused', 'lost', 'stale'] as const) {
    for (const call of calls) {
      await stage.stop();
      stage = await startServerCloud();
      await prepare();
      stage.disturb(call, how);
      await work();
      stage.calm();
      await check();
    }
  }
}

const listOfServers = 'GET /compute/v2.1/servers/detail';
const listOfPorts = 'GET /network/v2.0/ports';

describe('a server', () => {
  it('is made with its port and its public address', async () => {
    expect(await ensured()).toMatchObject({
      state: 'pending',
      observed: { status: 'building', task: 'active', imageId: 'image', publicIP: expect.any(String) as string },
    });
    expectOne();
    expect(stage.shared).toEqual(['image']);
    expect(stage.estate.servers[0]?.['request']).toEqual({
      name: 'web',
      imageRef: 'image',
      flavorRef: 'flavor',
      networks: [{ port: stage.estate.ports[0]?.id }],
      metadata: wanted.metadata,
      key_name: 'unikorn-openstack-provider',
    });
  });

  it('costs six calls to make, and one to look at while it is built', async () => {
    const plain = { securityGroupIds: [], publicIP: 'unwanted' } as const;
    const calls = stage.record();
    await ensured(plain);
    // The first two, and the network beside the image, are asked for side by side.
    expect(calls.toSorted()).toEqual([
      listOfServers,
      'GET /network/v2.0/networks',
      listOfPorts,
      `${listOfPorts} (2)`,
      'POST /compute/v2.1/servers',
      'POST /network/v2.0/ports',
    ]);
    const looks = stage.record();
    await stage.servers.observe(identity, wanted);
    expect(looks).toEqual([listOfServers]);
  });

  it('has its addresses also while it is built', async () => {
    const made = await ensured();
    const { privateIP, publicIP } = made.observed;
    const look = (servers = stage.servers) => servers.observe(identity, wanted);
    // Nova tells them as soon as it has connected the server.
    const [server] = stage.estate.servers;
    Object.assign(server ?? {}, { addresses: {} });
    const calls = stage.record();
    expect(await look()).toMatchObject({ observed: { status: 'building', privateIP, publicIP } });
    expect(calls).toEqual([listOfServers]);
    expect(await look(stage.others)).toMatchObject({ observed: { status: 'building', privateIP, publicIP } });
    expect(await ensured({ publicIP: 'unwanted' })).toMatchObject({ observed: { status: 'building' } });
    expect(await look()).not.toHaveProperty('observed.publicIP');
    const fixed = { addr: privateIP, version: 4, 'OS-EXT-IPS:type': 'fixed' };
    const floating = { addr: publicIP, version: 4, 'OS-EXT-IPS:type': 'floating' };
    Object.assign(server ?? {}, { addresses: { 'network-n': [fixed, floating] } });
    expect(await look()).toMatchObject({ observed: { status: 'building', privateIP, publicIP } });
  });

  it('is made also where a tag is longer than Nova allows', async () => {
    await ensured({ metadata: { 'compute:long': 'x'.repeat(256), 'compute:short': 'x' } });
    expect(stage.estate.servers).toMatchObject([{ metadata: { serverID: 's', 'compute:short': 'x' } }]);
    expect(stage.estate.servers[0]?.['metadata']).not.toHaveProperty('compute:long');
  });

  it('is made once, whichever call fails, is not answered, or shows an old state', async () => {
    await sweep({
      prepare: () => Promise.resolve(),
      work: ensured,
      check: async () => {
        await ensured();
        stage.settle();
        await ensured();
        stage.settle();
        expectOne();
      },
    });
  }, 60_000);

  it('goes with its port and its public address, whichever call fails or is not answered', async () => {
    await sweep({
      prepare: ensured,
      work: removed,
      check: async () => {
        await removed();
        stage.settle();
        expectNothing();
      },
    });
  }, 60_000);

  it('is not made a second time, and not left behind, where a list shows an old state', async () => {
    await ensured();
    stage.settle();
    stage.disturb(listOfServers, 'stale');
    expect(await ensured()).toMatchObject({ observed: { providerId: stage.estate.servers[0]?.id } });
    expectOne();
    stage.disturb(listOfServers, 'stale');
    expect(await stage.servers.remove(identity, wanted)).toMatchObject({ state: 'pending' });
    await removed();
    expectNothing();
  });

  it('is not made a second time where the lists of servers and of ports show an old state', async () => {
    await ensured();
    stage.settle();
    stage.disturb(listOfServers, 'stale');
    stage.disturb(listOfPorts, 'stale');
    expect(await ensured()).toMatchObject({ observed: { providerId: stage.estate.servers[0]?.id } });
    expectOne();
  });

  it('whose port was made twice keeps the one that it uses', async () => {
    await ensured();
    stage.settle();
    const [port] = stage.estate.ports;
    stage.estate.ports = [{ ...port, id: 'twin', device_id: '', created_at: '2025' }, ...stage.estate.ports];
    await ensured();
    expect(stage.estate.ports).toMatchObject([{ id: port?.id }]);
    expectOne();
  });

  it('is not made a second time where a list shows an old state while Nova has not connected it yet', async () => {
    for (const servers of [stage.servers, stage.others]) {
      await ensured();
      stage.disturb(listOfServers, 'stale');
      await insist(() => servers.ensure(identity, wanted));
      expect(stage.estate.servers).toHaveLength(1);
      expect(stage.estate.ports).toMatchObject([{ device_id: '' }]);
    }
  });

  it('is made with the port of an attempt that ended before it', async () => {
    stage.disturb('POST /compute/v2.1/servers', 'refused');
    await expect(passing(stage.world, stage.servers.ensure(identity, wanted))).rejects.toThrow();
    stage.calm();
    const [port] = stage.estate.ports;
    await ensured();
    expect(stage.estate.ports).toEqual([port]);
    expectOne();
  });

  it('that was made twice is one again', async () => {
    await ensured();
    const [first] = stage.estate.servers;
    stage.estate.servers.push({ ...first, id: 'second', created: '2026-01-01T00:00:05Z' });
    await ensured();
    stage.estate.servers = stage.estate.servers.filter((server) => server['gone'] !== true);
    expectOne();
  });

  it('is gone only when Nova does not show it any more', async () => {
    await ensured();
    expect(await stage.servers.remove(identity, wanted)).toMatchObject({ state: 'pending' });
    expect(await stage.servers.observe(identity, wanted)).toMatchObject({
      state: 'pending',
      observed: { status: 'deleting' },
    });
    expect(stage.estate.ports).toHaveLength(1);
    stage.settle();
    expect(await stage.servers.remove(identity, wanted)).toEqual({ state: 'absent' });
    expectNothing();
  });

  it('is not taken for another whose name or id is like its own', async () => {
    await ensured({ id: 's0', name: 'web0', metadata: {} });
    expect(await stage.servers.observe(identity, wanted)).toEqual({ state: 'absent' });
    await ensured();
    await removed();
    expect(stage.estate.servers.map(({ name }) => name)).toEqual(['web0']);
    expect(stage.estate.ports.map(({ name }) => name)).toEqual(['server-s0']);
  });

  it('has its groups, pairs and public address changed, and nothing else', async () => {
    await ensured();
    const before = stage.calls();
    await ensured();
    // Servers, groups, port and public address are looked at, and nothing is written.
    expect(stage.asked.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
    await ensured({ securityGroupIds: [], allowedAddressPairs: [], publicIP: 'unwanted', imageId: 'other' });
    expect(stage.estate.ports).toMatchObject([{ security_groups: [], allowed_address_pairs: [] }]);
    expect(stage.estate.floatingips).toEqual([]);
    expect(stage.estate.servers).toMatchObject([{ image: { id: 'image' } }]);
  });

  it('whose port was deleted gets another one, and is connected to it once it is idle', async () => {
    const { observed: before } = await ensured();
    stage.settle();
    losePort();
    Object.assign(stage.estate.servers[0] ?? {}, { 'OS-EXT-STS:task_state': 'rebooting' });
    await ensured();
    expect(stage.estate.ports).toMatchObject([{ name: 'server-s', device_id: '' }]);
    Object.assign(stage.estate.servers[0] ?? {}, { 'OS-EXT-STS:task_state': null });
    expect((await ensured()).observed.publicIP).toBe(before.publicIP);
    expectOne();
    expect(stage.estate.ports).toMatchObject([{ device_id: stage.estate.servers[0]?.id }]);
  });

  it('whose port was deleted leaves no public address behind when it goes', async () => {
    await ensured();
    stage.settle();
    losePort();
    await removed();
    expectNothing();
  });

  it('is connected to its new port once, whichever call fails or is not answered', async () => {
    await sweep({
      prepare: async () => {
        await ensured();
        stage.settle();
        losePort();
      },
      work: ensured,
      check: async () => {
        await ensured();
        stage.settle();
        await ensured();
        const { servers, ports } = stage.estate;
        expect(servers).toHaveLength(1);
        expect(ports).toMatchObject([{ name: 'server-s', device_id: servers[0]?.id }]);
        // A stale list of addresses gives it a second one. It goes with the server.
        await removed();
        expectNothing();
      },
    });
  }, 60_000);

  it('waits for its network and its groups', async () => {
    await expect(stage.servers.ensure(identity, { ...wanted, networkId: 'none' })).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(stage.servers.ensure(identity, { ...wanted, securityGroupIds: ['b'] })).rejects.toMatchObject({
      kind: 'not_found',
    });
    expectNothing();
  });

  it('that names its host is made by the region’s user, without the key of the identity', async () => {
    await ensured({ infrastructureRef: 'host-1' });
    expect(stage.estate.servers[0]?.['request']).toMatchObject({ hypervisor_hostname: 'host-1' });
    expect(stage.estate.servers[0]?.['request']).not.toHaveProperty('key_name');
  });

  it('keeps the time of its first launch when it is rebuilt', async () => {
    await ensured();
    stage.settle();
    await stage.servers.rebuild(identity, wanted, 'other');
    expect(stage.shared).toEqual(['image', 'other']);
    Object.assign(stage.estate.servers[0] ?? {}, { 'OS-SRV-USG:launched_at': '2026-02-02T00:00:00.000000' });
    expect(await stage.servers.observe(identity, wanted)).toMatchObject({
      observed: { status: 'rebuilding', imageId: 'other', launchedAt: '2026-01-01T00:00:00Z' },
    });
  });

  it('that does not exist answers no verb', async () => {
    const { servers } = stage;
    for (const verb of [
      () => servers.power(identity, wanted, 'start'),
      () => servers.rebuild(identity, wanted, 'image'),
      () => servers.consoleOutput(identity, wanted),
      () => servers.consoleSession(identity, wanted),
      () => servers.terminal(identity, wanted, new AbortController().signal),
    ])
      await expect(verb()).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('a list of servers', () => {
  it('costs two calls, however many there are', async () => {
    for (let count = 0; count < 5; count++) await ensured({ id: `s${count}`, name: `web${count}`, metadata: {} });
    stage.settle();
    const before = stage.calls();
    const found = await stage.servers.list(identity);
    expect(stage.calls() - before).toBe(2);
    expect(found.map(({ id }) => id)).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect(new Set(found.map(({ presence }) => presence.observed.publicIP)).size).toBe(5);
  });

  it('is interpreted again only if the servers or their addresses have changed', async () => {
    const { servers, estate, settle } = stage;
    const listed = () => servers.list(identity);
    expect(await listed()).toEqual([]);
    await ensured();
    // A server that is being built is looked at each time.
    expect(await listed()).not.toBe(await listed());
    settle();
    const running = await listed();
    expect(running).toMatchObject([{ id: 's', presence: { observed: { status: 'active' } } }]);
    expect(await listed()).toBe(running);
    Object.assign(estate.floatingips[0] ?? {}, { floating_ip_address: '203.0.113.99' });
    expect(await listed()).toMatchObject([{ presence: { observed: { publicIP: '203.0.113.99' } } }]);
    Object.assign(estate.servers[0] ?? {}, { status: 'SHUTOFF' });
    expect(await listed()).toMatchObject([{ presence: { observed: { status: 'shutoff' } } }]);
    estate.servers = [];
    expect(await listed()).toEqual([]);
  });

  it('leaves out what is not ours', async () => {
    await ensured();
    stage.estate.servers.push({ ...stage.estate.servers[0], id: 'x', name: 'other', metadata: {} });
    expect((await stage.servers.list(identity)).map(({ id }) => id)).toEqual(['s']);
  });

  it('tells the addresses of a server that Nova has not connected yet', async () => {
    await ensured();
    Object.assign(stage.estate.servers[0] ?? {}, { addresses: {} });
    const addresses = (await stage.servers.list(identity)).map(({ presence: { observed } }) => [
      typeof observed.privateIP,
      typeof observed.publicIP,
    ]);
    expect(addresses).toEqual([['string', 'string']]);
  });
});
