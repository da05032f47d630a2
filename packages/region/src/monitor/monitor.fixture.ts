import { Caches } from '@unikorn/core/controller';
import { createTelemetry } from '@unikorn/core/telemetry';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { capture, interpose, virtualWorld, type Around } from '@unikorn/core/testing';
import type { StatusOf } from '@unikorn/core/kinds';

import { Region, regionKinds, Server } from '../kinds/index.ts';
import { simulatedKinds, simulatedOperator, simulatedProvider, type Knobs } from '../providers/simulated/index.ts';
import { Providers } from '../regions/index.ts';
import { ServerMonitor } from './servers.ts';

export const period_ms = 60_000;

export const standardFlavor = '11111111-1111-1111-1111-111111111111';
export const ubuntuImage = '33333333-3333-3333-3333-333333333333';
export const debianImage = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';

const instantly: Partial<Knobs> = { call_ms: 0, build_ms: 0, power_ms: 0, delete_ms: 0 };

/** Only the server monitor, without controllers that act on its writes, with one simulated region. */
export async function startMonitor({ around = (_call, happen) => happen() }: { readonly around?: Around } = {}) {
  const world = virtualWorld();
  const memory = openMemoryStore({ world, kinds: [...regionKinds, ...simulatedKinds] });
  const store = interpose(memory, around);
  const lines: string[] = [];
  const telemetry = createTelemetry({
    service: 'test',
    version: '0',
    world,
    log: { level: 'info', pretty: false, destination: capture(lines) },
    tracing: { samplingRatio: 0 },
  });
  const caches = new Caches({ store, world, telemetry });
  const providers = new Providers(
    { store, world },
    {
      simulated: ({ metadata }) => ({
        tier: 'cloud',
        provider: simulatedProvider({ store: memory, world, regionId: metadata.name }),
      }),
    },
  );
  const monitor = new ServerMonitor(
    { store, world, telemetry, caches, providers },
    { monitorPeriod_ms: period_ms, monitorConcurrency: 4 },
  );

  const openRegion = async (knobs: Partial<Knobs> = {}): Promise<string> => {
    const regionId = world.uuid();
    await memory.create(Region, {
      metadata: { name: regionId, labels: { [labels.name]: 'sim' } },
      spec: { provider: 'simulated' },
    });
    await simulatedOperator({ store: memory, world, regionId }).turn({ ...instantly, ...knobs });
    return regionId;
  };
  const regionId = await openRegion();

  /** The principal of a network with a number of servers that all run in the cloud, and their stored status. */
  const openIdentity = async (
    count: number,
    { status = {}, in: place = regionId }: { readonly status?: StatusOf<typeof Server>; readonly in?: string } = {},
  ) => {
    const provider = simulatedProvider({ store: memory, world, regionId: place });
    const reference = { id: world.uuid(), organizationId: world.uuid(), projectId: world.uuid() };
    const networkId = world.uuid();
    await provider.identities.ensure(reference);
    await provider.networks.ensure(reference, {
      id: networkId,
      prefix: '10.0.0.0/16',
      reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
      dnsNameservers: [],
      routes: [],
    });
    const ids: string[] = [];
    for (let number = 0; number < count; number++) {
      const id = world.uuid();
      ids.push(id);
      const wanted = {
        id,
        name: `server-${number}`,
        flavorId: standardFlavor,
        imageId: ubuntuImage,
        networkId,
        securityGroupIds: [],
        publicIP: 'unwanted',
        allowedAddressPairs: [],
        keyPair: 'none',
        metadata: {},
      } as const;
      await provider.servers.ensure(reference, wanted);
      const carried = {
        [labels.name]: wanted.name,
        [labels.organization]: reference.organizationId,
        [labels.project]: reference.projectId,
        [labels.region]: place,
        [labels.identity]: reference.id,
        [labels.network]: networkId,
      };
      const { metadata } = await memory.create(Server, {
        metadata: { name: id, labels: carried, finalizers: ['unikorn'] },
        spec: { flavorID: standardFlavor, image: { id: ubuntuImage }, networks: [{ id: networkId }] },
      });
      if (Object.keys(status).length > 0) await memory.updateStatus(Server, { metadata, status });
    }
    return { reference, networkId, ids };
  };

  const stop = new AbortController();
  let running = Promise.resolve();
  const halt = async () => {
    stop.abort();
    await world.settle();
    await running;
  };
  return {
    world,
    store: memory,
    lines,
    regionId,
    openRegion,
    openIdentity,
    operator: (id = regionId) => simulatedOperator({ store: memory, world, regionId: id }),
    provider: (id = regionId) => simulatedProvider({ store: memory, world, regionId: id }),
    /** Starts it. The first pass runs at once. */
    async start() {
      running = Promise.all([caches.run(stop.signal), monitor.run(stop.signal)]).then(() => undefined);
      await world.advance(1);
    },
    nextPass: () => world.advance(period_ms),
    async status(id: string): Promise<StatusOf<typeof Server>> {
      return (await memory.get(Server, id))?.status ?? {};
    },
    async metric(name: string): Promise<string> {
      return telemetry.registry.getSingleMetricAsString(name);
    },
    /** Log lines with this message. */
    said: (message: string) =>
      lines
        .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line['message'] === message),
    halt,
    async stop() {
      await halt();
      await memory.close();
    },
  };
}

export type RunningMonitor = Awaited<ReturnType<typeof startMonitor>>;
