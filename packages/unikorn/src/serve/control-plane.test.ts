import { afterEach, describe, expect, it } from 'vitest';

import { Lease } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import type { PartName } from '@unikorn/core/parts';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { noSecrets } from '@unikorn/region';
import { Network } from '@unikorn/region/kinds';

import { partTable } from '../parts/table.ts';
import { controlPlaneKinds, createControlPlane } from './control-plane.ts';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

async function start({
  parts,
  sole = true,
  unlisted,
}: { readonly parts?: (name: PartName) => boolean; readonly sole?: boolean; readonly unlisted?: string } = {}) {
  const world = virtualWorld();
  const telemetry = silentTelemetry();
  const memory = openMemoryStore({ world, telemetry, kinds: controlPlaneKinds });
  let leaseWrites = 0;
  /** The kind that the store cannot list. */
  const broken: { kind?: string } = {};
  const store = interpose(
    memory,
    (call, happen) => {
      if (call.kind.id === Lease.id && (call.verb === 'create' || call.verb === 'update')) leaseWrites++;
      if (call.kind.id === broken.kind && call.verb === 'list')
        return Promise.reject(new Problem('storage_unavailable', 'not yet'));
      return happen();
    },
    { sole },
  );
  if (unlisted !== undefined) broken.kind = unlisted;
  const plane = await createControlPlane({
    store,
    world,
    telemetry,
    publicUrl: 'http://127.0.0.1:8080',
    encryptionKey: new Uint8Array(32),
    administrator: 'admin@example.com',
    secrets: noSecrets,
    ...(parts ? { parts } : {}),
  });
  const stop = new AbortController();
  const running = plane.run(stop.signal);
  ending.push(async () => {
    stop.abort();
    await world.settle();
    await running;
    await memory.close();
  });
  return {
    ...plane,
    world,
    leases: async () => (await memory.list(Lease)).items.map(({ metadata }) => metadata.name).toSorted(),
    leaseWrites: () => leaseWrites,
    mend: () => delete broken.kind,
  };
}

describe('the parts of the control plane', () => {
  it('have the names that operators know, and need only parts that exist', async () => {
    const { parts } = await start();
    const names = parts.map(({ name }) => name);
    expect(parts.map(({ name, needs }) => ({ name, needs }))).toEqual(
      partTable.map(({ name, needs }) => ({ name, needs })),
    );
    expect(parts.flatMap(({ needs }) => needs).filter((need) => !names.includes(need))).toEqual([]);
  });

  it('each have their own lease, except the APIs, and are shown by /readyz', async () => {
    const { parts, world, leases, server, mend } = await start({ unlisted: Network.id });
    await world.settle();
    expect((await server.inject('/identity/readyz')).json()).toEqual({ status: 'ready' });
    expect((await server.inject('/region/readyz')).json()).toEqual({
      status: 'not ready',
      notReady: [
        'network-controller',
        'load-balancer-controller',
        'server-controller',
        'file-storage-controller',
        'project-consumer',
      ],
    });
    mend();
    await world.until(() => parts.every(({ ready }) => ready));
    const background = parts.map(({ name }) => name).filter((name) => !name.endsWith('/api'));
    expect(await leases()).toEqual(background.map((name) => name.replace('/', '-')).toSorted());
    for (const service of ['identity', 'region', 'compute'])
      expect((await server.inject(`/${service}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  it('of other services are not created, and an API in another process is not served', async () => {
    const { parts, world, server, identity, leases } = await start({ parts: (name) => name === 'region/monitor' });
    await world.until(() => parts.every(({ ready }) => ready));
    expect(identity).toBeUndefined();
    expect(await leases()).toEqual(['region-monitor']);
    const statusOf = async (path: string) => (await server.inject(path)).statusCode;
    expect(await statusOf('/region/readyz')).toBe(200);
    expect(await statusOf('/region/healthz')).toBe(200);
    expect(await statusOf('/region/metrics')).toBe(200);
    for (const path of ['/region/api/v2/regions', '/region/openapi.json', '/identity/readyz', '/compute/readyz'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });

  it('that a process does not run have no lease and do not delay it', async () => {
    const { parts, world, leases, server } = await start({ parts: (name) => name.endsWith('/api') });
    await world.until(() => parts.every(({ ready }) => ready));
    await world.advance(60_000);
    expect(parts.map(({ name }) => name)).toEqual(['identity/api', 'region/api', 'compute/api']);
    expect(await leases()).toEqual([]);
    expect((await server.inject('/compute/readyz')).json()).toEqual({ status: 'ready' });
  });
});

describe('the cost of the leases', () => {
  it.each([
    ['if no other process can use the store', true, 14],
    ['if others can', false, 14 * 15],
  ])('%s: writes a minute', async (_name, sole, most) => {
    const { world, parts, leaseWrites } = await start({ sole });
    await world.until(() => parts.every(({ ready }) => ready));
    await world.advance(60_000);
    const before = leaseWrites();
    await world.advance(10 * 60_000);
    expect((leaseWrites() - before) / 10).toBeLessThanOrEqual(most);
  });
});
