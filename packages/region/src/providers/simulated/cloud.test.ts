import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { describe, expect, it } from 'vitest';

import type { CloudProvider, IdentityReference, ImageDescription, WantedServer } from '../../provider/index.ts';
import { defaultCatalogue, simulatedKinds, simulatedOperator, simulatedProvider } from './index.ts';
import { SimulatedClaim } from './kinds.ts';
import { answered, openSimulation, standardFlavor, ubuntuImage } from './simulated.fixture.ts';

const identity: IdentityReference = { id: 'an-identity', organizationId: 'an-organization', projectId: 'a-project' };
const network = {
  id: 'a-network',
  prefix: '10.0.0.0/24',
  reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
  dnsNameservers: [],
  routes: [],
};
const server: WantedServer = {
  id: 'a-server',
  name: 'web-1',
  flavorId: standardFlavor,
  imageId: ubuntuImage,
  networkId: network.id,
  securityGroupIds: [],
  publicIP: 'wanted',
  allowedAddressPairs: [],
  keyPair: 'none',
  metadata: {},
};

function image(id: string): ImageDescription {
  const os = { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' } as const;
  return {
    id,
    name: id,
    organizationId: identity.organizationId,
    tags: [],
    architecture: 'x86_64',
    virtualization: 'any',
    os,
    softwareVersions: {},
  };
}

async function prepare(provider: CloudProvider): Promise<void> {
  await provider.identities.ensure(identity);
  await provider.networks.ensure(identity, network);
}

/** A region with a network in it, and a way to wait for its answers. */
async function inhabited() {
  const simulation = openSimulation();
  const run = <T>(call: Promise<T>) => answered(simulation.world, call);
  await run(prepare(simulation.provider));
  return { ...simulation, run };
}

describe('a server that two processes make at once', () => {
  it('uses one share of everything, so that the others get theirs', async () => {
    const { provider, region, operator, store, run } = await inhabited();
    await operator.turn({ call_ms: 0, serversPerIdentity: 3, places: { [standardFlavor]: 3 } });
    const processes = [provider, simulatedProvider(region)];
    for (const id of ['a', 'b', 'c']) {
      const both = Promise.allSettled(processes.map(({ servers }) => servers.ensure(identity, { ...server, id })));
      const outcomes = (await run(both)).map(({ status }) => status);
      expect(outcomes).toContain('fulfilled');
      await run(provider.servers.ensure(identity, { ...server, id }));
    }
    const owners = (await store.list(SimulatedClaim)).items.map(({ spec }) => `${spec.pool} ${spec.owner}`);
    expect(owners).toHaveLength(new Set(owners).size);
  });
});

describe('the address of a server', () => {
  it('is the preferred one if that is free, and another one if not', async () => {
    const { provider, run } = await inhabited();
    const addressOf = async (wanted: WantedServer) => {
      const { observed } = await run(provider.servers.ensure(identity, wanted));
      return observed.privateIP;
    };
    const first = await addressOf(server);
    const [a = 0, b = 0, c = 0, d = 0] = (first ?? '').split('.').map(Number);
    const wished = [a, b, c, d + 1].join('.');
    expect(await addressOf({ ...server, id: 'b', privateIP: wished })).toBe(wished);
    expect(await addressOf({ ...server, id: 'c', privateIP: wished })).not.toBe(wished);
    for (const nonsense of ['192.168.0.1', '10.0.0.1', 'x'])
      expect(await addressOf({ ...server, id: nonsense, privateIP: nonsense })).toMatch(/^10\.0\.0\.\d+$/);
  });
});

describe('the catalogue', () => {
  it('has both architectures, bare metal, the GPUs of both vendors, and an image for each flavor', async () => {
    const { provider, run } = await inhabited();
    const flavors = await run(provider.flavors());
    const images = await run(provider.images.list());
    expect(new Set(flavors.map(({ architecture }) => architecture))).toEqual(new Set(['x86_64', 'aarch64']));
    expect(flavors.flatMap(({ gpu }) => gpu?.vendor ?? [])).toEqual(expect.arrayContaining(['NVIDIA', 'AMD']));
    for (const { architecture, baremetal, disk_gb } of flavors) {
      const modes = ['any', baremetal ? 'baremetal' : 'virtualized'];
      expect(
        images.some(
          (image) =>
            image.architecture === architecture && modes.includes(image.virtualization) && image.size_gib <= disk_gb,
        ),
      ).toBe(true);
    }
    expect(Object.keys(defaultCatalogue.places).sort()).toEqual(flavors.map(({ id }) => id).sort());
  });

  it('the cloud’s own images cannot be removed', async () => {
    const { provider, run } = await inhabited();
    await expect(run(provider.images.remove(ubuntuImage))).rejects.toMatchObject({ kind: 'permission' });
  });
});

describe('networks', () => {
  it('have the layout of their reservations, each with its own VLAN', async () => {
    const { provider, run } = await inhabited();
    const first = await run(provider.networks.ensure(identity, network));
    const second = await run(provider.networks.ensure(identity, { ...network, id: 'another' }));
    expect(first.observed).toMatchObject({
      gatewayIP: '10.0.0.1',
      storageRange: { startIP: '10.0.0.16', endIP: '10.0.0.127' },
    });
    expect(second.observed.vlanId).not.toBe(first.observed.vlanId);
  });

  it('without room for a server are refused', async () => {
    const { provider, run } = await inhabited();
    const cramped = { ...network, id: 'cramped', prefix: '10.0.0.0/25' };
    await expect(run(provider.networks.ensure(identity, cramped))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('run out of addresses when all are used, and give out none outside their range', async () => {
    const { provider, run } = await inhabited();
    const addresses = new Set<string | undefined>();
    for (let count = 0; count < 127; count++)
      addresses.add((await run(provider.servers.ensure(identity, { ...server, id: `s${count}` }))).observed.privateIP);
    expect([...addresses].map((address) => Number(address?.split('.')[3])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 127 }, (_, index) => 128 + index),
    );
    await expect(run(provider.servers.ensure(identity, server))).rejects.toMatchObject({ kind: 'capacity' });
  });
});

describe('servers', () => {
  it('of bare metal wait for a machine before they are built', async () => {
    const { provider, world, run } = await inhabited();
    const metal = {
      ...server,
      flavorId: '99999999-9999-9999-9999-999999999999',
      imageId: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
    };
    expect(await run(provider.servers.ensure(identity, metal))).toMatchObject({
      state: 'pending',
      observed: { status: 'queued' },
    });
    await world.advance(10_000);
    expect(await run(provider.servers.observe(identity, metal))).toMatchObject({
      state: 'pending',
      observed: { status: 'building' },
    });
    await world.advance(10_000);
    expect(await run(provider.servers.observe(identity, metal))).toMatchObject({
      state: 'present',
      observed: { status: 'active' },
    });
  });

  it('write more to their console the longer they run, and start over when they reboot', async () => {
    const { provider, world, run } = await inhabited();
    const output = async () => (await run(provider.servers.consoleOutput(identity, server))).split('\n');
    await run(provider.servers.ensure(identity, server));
    await world.advance(18_000);
    const booting = await output();
    await world.advance(3600_000);
    const settled = await output();
    expect(settled.length).toBeGreaterThan(booting.length);
    expect(settled.slice(0, booting.length)).toEqual(booting);
    expect(settled.at(-1)).toBe('web-1 login: ');
    await run(provider.servers.power(identity, server, 'hardreboot'));
    await world.advance(4_000);
    expect((await output()).length).toBeLessThan(settled.length);
  });
});

describe('images', () => {
  it('that a server was rebuilt from are in use, and those it ran on before are not', async () => {
    const { provider, world, run } = await inhabited();
    for (const id of ['old', 'new', 'unused'])
      await run(provider.images.import(image(id), 'https://images.example.com/disk.raw'));
    await world.advance(30_000);
    await run(provider.servers.ensure(identity, { ...server, imageId: 'old' }));
    await expect(run(provider.servers.rebuild(identity, server, 'unused'))).rejects.toMatchObject({ kind: 'conflict' });
    expect(await run(provider.images.remove('unused'))).toEqual({ state: 'absent' });
    await world.advance(20_000);
    await run(provider.servers.rebuild(identity, server, 'new'));
    expect(await run(provider.images.remove('old'))).toEqual({ state: 'absent' });
    await expect(run(provider.images.remove('new'))).rejects.toMatchObject({ kind: 'in_use' });
  });
});

describe('load balancers', () => {
  const balancer = (address: string) => ({
    id: 'a-balancer',
    networkId: network.id,
    publicIP: 'unwanted' as const,
    requestedVIPAddress: '10.0.0.250',
    listeners: [
      {
        name: 'web',
        protocol: 'tcp' as const,
        port: 80,
        allowedCIDRs: [],
        pool: {
          proxyProtocolV2: false,
          members: [{ address, port: 80 }],
          healthCheck: { intervalSeconds: 5, timeoutSeconds: 1, healthyThreshold: 1, unhealthyThreshold: 1 },
        },
      },
    ],
  });

  it('have the address they ask for, and see which of their members run', async () => {
    const { provider, world, operator, run } = await inhabited();
    const { observed } = await run(provider.servers.ensure(identity, server));
    await world.advance(20_000);
    const wanted = balancer(observed.privateIP ?? '');
    const seen = async () => (await run(provider.loadBalancers.ensure(identity, wanted))).observed;
    expect(await seen()).toMatchObject({ vipAddress: '10.0.0.250', members: [{ listener: 'web', health: 'online' }] });
    await operator.drift(identity.id, server.id, 'stopped');
    expect(await seen()).toMatchObject({ members: [{ health: 'offline' }] });
  });

  it('do not get an address that is in use or outside the allocation range', async () => {
    const { provider, run } = await inhabited();
    await run(provider.loadBalancers.ensure(identity, balancer('10.0.0.130')));
    await expect(
      run(provider.loadBalancers.ensure(identity, { ...balancer('10.0.0.130'), id: 'another' })),
    ).rejects.toMatchObject({ kind: 'conflict' });
    await expect(
      run(
        provider.loadBalancers.ensure(identity, {
          ...balancer('10.0.0.130'),
          id: 'third',
          requestedVIPAddress: '10.0.0.1',
        }),
      ),
    ).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('file storage', () => {
  it('fills up over time but never completely, and cannot become smaller than its content', async () => {
    const { provider, world, run } = await inhabited();
    const wanted = { id: 'files', size_gib: 10, rootSquash: true, attachments: [], snapshotPlans: [] };
    const used = async () => (await run(provider.fileStorages.ensure(identity, wanted))).observed.used_bytes;
    const first = await used();
    await world.advance(3 * 3600_000);
    const second = await used();
    expect(second).toBeGreaterThan(first);
    await expect(run(provider.fileStorages.ensure(identity, { ...wanted, size_gib: 2 }))).rejects.toMatchObject({
      kind: 'invalid',
    });
    await world.advance(1000 * 3600_000);
    expect(await used()).toBe(8 * 2 ** 30);
  });

  it('is refused in a full region, for new and growing storage, until some is removed', async () => {
    const { provider, operator, run } = await inhabited();
    await operator.turn({ fileStorage_gib: 30 });
    const sized = (id: string, size_gib: number) => ({
      id,
      size_gib,
      rootSquash: true,
      attachments: [],
      snapshotPlans: [],
    });
    const ensure = (id: string, size_gib: number) => run(provider.fileStorages.ensure(identity, sized(id, size_gib)));
    await ensure('first', 10);
    await expect(ensure('second', 21)).rejects.toMatchObject({ kind: 'capacity' });
    await ensure('second', 20);
    await ensure('second', 20);
    await expect(ensure('first', 11)).rejects.toMatchObject({ kind: 'capacity' });
    await run(provider.fileStorages.remove(identity, sized('second', 20)));
    await operator.turn({ fileStorage_ms: 0 });
    expect(await run(provider.fileStorages.remove(identity, sized('second', 20)))).toEqual({ state: 'absent' });
    expect((await ensure('first', 30)).observed.size_gib).toBe(30);
  });

  it('is never given out twice to concurrent requests for the last capacity', async () => {
    const { provider, operator, run } = await inhabited();
    await operator.turn({ fileStorage_gib: 30, call_ms: 0 });
    const race = () =>
      run(
        Promise.allSettled(
          ['a', 'b', 'c', 'd', 'e'].map((id) =>
            provider.fileStorages.ensure(identity, {
              id,
              size_gib: 10,
              rootSquash: true,
              attachments: [],
              snapshotPlans: [],
            }),
          ),
        ),
      );
    for (let round = 0; round < 3; round++) await race();
    const made = async () => (await run(provider.fileStorages.list(identity))).length;
    expect(await made()).toBeLessThanOrEqual(3);
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await run(
        provider.fileStorages.ensure(identity, {
          id,
          size_gib: 10,
          rootSquash: true,
          attachments: [],
          snapshotPlans: [],
        }),
      ).catch(() => undefined);
    expect(await made()).toBe(3);
  });
});

it('regions in one store share only the public addresses', async () => {
  const { provider, region, run } = await inhabited();
  const other = simulatedProvider({ ...region, regionId: 'elsewhere' });
  const { observed } = await run(provider.servers.ensure(identity, server));
  expect(await run(other.servers.observe(identity, server))).toEqual({ state: 'absent' });
  await run(prepare(other));
  const { observed: there } = await run(other.servers.ensure(identity, server));
  expect(there.publicIP).not.toBe(observed.publicIP);
});

it('a cloud on disk exists again after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'simulated-'));
  const open = () =>
    openSqliteStore({
      path: join(folder, 'cloud.db'),
      world: systemWorld,
      telemetry: silentTelemetry(),
      kinds: simulatedKinds,
    });
  const region = (store: Awaited<ReturnType<typeof open>>) => ({ store, world: systemWorld, regionId: 'here' });
  const before = await open();
  await simulatedOperator(region(before)).turn({ call_ms: 0, build_ms: 0 });
  await prepare(simulatedProvider(region(before)));
  const made = await simulatedProvider(region(before)).servers.ensure(identity, server);
  await before.close();
  const after = await open();
  expect(await simulatedProvider(region(after)).servers.observe(identity, server)).toEqual(made);
  await after.close();
  await rm(folder, { recursive: true });
});
