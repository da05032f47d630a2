import { localCalls } from '@unikorn/core/calls';
import { Caches } from '@unikorn/core/controller';
import type { History } from '@unikorn/core/history';
import type { Draft, StatusOf } from '@unikorn/core/kinds';
import { deterministicId, labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { createTelemetry } from '@unikorn/core/telemetry';
import { capture, interpose, virtualWorld, type Around } from '@unikorn/core/testing';
import { createIdentity, identityKinds, type Identity } from '@unikorn/identity';
import { Allocation } from '@unikorn/identity/kinds';
import { Founder, testEncryptionKey } from '@unikorn/identity/testing';
import { createRegion, regionKinds, type RegionOptions } from '@unikorn/region';
import { regionClient } from '@unikorn/region/client';
import { Network, Server } from '@unikorn/region/kinds';

import { ComputeInstance, computeKinds } from '../kinds/index.ts';
import { holdAll, holdsOf } from '../holds/index.ts';
import { linkTag } from '../link/index.ts';
import { amountsOf } from '../sagas/index.ts';
import { LegacyInstance, standardFlavor, ubuntuImage } from '../testing/index.ts';
import { included, regionWatches } from '../watches.ts';
import { InstanceMonitor } from './monitor.ts';

export const period_ms = 60_000;
export const stuckAfter_ms = 10 * 60_000;

const networkId = 'a0000000-0000-4000-8000-000000000001';
const [regionId, identityId] = ['a0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000003'];
const seen = { privateIp: '10.0.0.2', powerState: 'Running' } as const;
const healthy = (since: string) =>
  ({ type: 'Healthy', status: 'True', reason: 'Healthy', message: '', lastTransitionTime: since }) as const;

/** The monitor with identity's ledger, without controllers, which would repair the problems that a test creates. */
export async function startMonitor({ around = (_call, happen) => happen() }: { readonly around?: Around } = {}) {
  const world = virtualWorld();
  const memory = openMemoryStore({ world, kinds: [...new Set([...identityKinds, ...regionKinds, ...computeKinds])] });
  const store = interpose(memory, around);
  const lines: string[] = [];
  const telemetry = createTelemetry({
    service: 'test',
    version: '0',
    world,
    log: { level: 'info', pretty: false, destination: capture(lines) },
    tracing: { samplingRatio: 0 },
  });
  const others = new Caches({ store: memory, world, telemetry });
  const service = createIdentity({
    store,
    world,
    telemetry,
    caches: others,
    processName: 'test',
    version: '0',
    issuer: 'https://cloud.example.com/identity',
    encryptionKey: testEncryptionKey,
  });
  const identityClient = service.client('unikorn-compute');
  const regionClient = shownBy(service, { store, world, telemetry });
  const watches = regionWatches({ world, telemetry, regionClient });
  const caches = new Caches({ store, world, telemetry });
  const noted: (readonly [id: string, action: string, outcome: string])[] = [];
  const history: Pick<History, 'record'> = { record: (id, { action, outcome }) => noted.push([id, action, outcome]) };
  const monitor = new InstanceMonitor(
    { store, world, telemetry, caches, watches: included(watches, caches), identityClient, regionClient, history },
    { monitorPeriod_ms: period_ms, stuckAfter_ms },
  );

  const found = new Founder(memory, world);
  const organizationId = await found.organization();
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const principal = { actor: 'jane@example.com', ...scope };
  const carried = {
    [labels.organization]: scope.organizationId,
    [labels.project]: scope.projectId,
    [labels.region]: regionId,
    [labels.network]: networkId,
  };
  await memory.create(Network, {
    metadata: {
      name: networkId,
      labels: { ...carried, [labels.name]: 'network' },
    },
    spec: { prefix: '10.0.0.0/24', dnsNameservers: [] },
  });
  const now = () => new Date(world.now()).toISOString();
  const charge = (id: string, { gpus = 0, publicIP = false } = {}) =>
    identityClient.charge(principal, {
      scope,
      resource: { kind: ComputeInstance.id, id },
      amounts: amountsOf({ gpus, publicIP }),
    });

  /**
   * An instance as its controller leaves it: charged, with references, provisioned, and with the current values of its
   * server.
   */
  const openInstance = async (
    name: string,
    { spec = {}, status = {}, without = [], annotations = {} }: InstanceOptions = {},
  ): Promise<string> => {
    const id = deterministicId(networkId, name);
    await charge(id);
    const kept = Object.entries({ ...carried, [labels.name]: name }).filter(([label]) => !without.includes(label));
    const made = await memory.create(LegacyInstance, {
      metadata: { name: id, labels: Object.fromEntries(kept), annotations, finalizers: ['unikorn'] },
      spec: { flavorId: 'f', imageId: 'i', ...spec },
    });
    await holdAll(
      { store: memory, identityClient, regionClient },
      { id, principal, scope },
      holdsOf({ labels: Object.fromEntries(kept), spec: made.spec }),
      `instance ${name}`,
      'birth',
    );
    const available = {
      type: 'Available',
      status: 'True',
      reason: 'Provisioned',
      message: '',
      lastTransitionTime: now(),
    } as const;
    await memory.updateStatus(ComputeInstance, {
      metadata: made.metadata,
      status: { ...seen, observedGeneration: 1, serverId: id, conditions: [available, healthy(now())], ...status },
    });
    return id;
  };
  const openServer = async (
    id: string,
    { link, status = {} }: { readonly link?: string; readonly status?: StatusOf<typeof Server> } = {},
  ): Promise<void> => {
    const tags = link === undefined ? {} : { tags: [{ name: linkTag, value: link }] };
    const metadata = {
      name: id,
      labels: { ...carried, [labels.name]: id, [labels.identity]: identityId },
      finalizers: ['unikorn'],
    };
    const made = await memory.create(Server, {
      metadata,
      spec: { ...tags, flavorID: standardFlavor, image: { id: ubuntuImage }, networks: [{ id: networkId }] },
    });
    await memory.updateStatus(Server, {
      metadata: made.metadata,
      status: { phase: 'Running', privateIP: seen.privateIp, conditions: [healthy(now())], ...status },
    });
  };

  const stop = new AbortController();
  let running: Promise<unknown> | undefined;
  const valuesOf = async (name: string): Promise<readonly (readonly [string, number])[]> => {
    const { values = [] } = (await telemetry.registry.getSingleMetric(name)?.get()) ?? {};
    return values.map(({ labels: by, value }) => [Object.values(by).join(' '), value]);
  };
  return {
    world,
    store: memory,
    charge,
    openInstance,
    openServer,
    /** An instance and its server, without problems. */
    async openPair(name: string, options: InstanceOptions = {}): Promise<string> {
      const id = await openInstance(name, options);
      await openServer(id, { link: id });
      return id;
    },
    /** Runs this many more passes. The first pass runs immediately. */
    async passes(count: number): Promise<void> {
      for (let pass = 0; pass < count; pass++) {
        await world.advance(running ? period_ms : 0);
        running ??= Promise.all([others.run(stop.signal), caches.run(stop.signal), monitor.run(stop.signal)]);
        await world.advance(1);
      }
    },
    /** The number of open findings, by checker. */
    standing: async () =>
      Object.fromEntries((await valuesOf('unikorn_compute_monitor_findings')).filter(([, value]) => value > 0)),
    counted: async (name: string) => Object.fromEntries(await valuesOf(name)),
    /** The entries that were written to histories. */
    noted,
    allocations: async () => (await memory.list(Allocation)).items,
    /** Log lines with this message. */
    said: (message: string) =>
      lines
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
        .filter((line) => line['message'] === message),
    async stop() {
      stop.abort();
      await world.settle();
      await running;
      await memory.close();
    },
  };
}

/** Region's API, without controllers that would change its data. */
function shownBy(
  identity: Identity,
  context: Pick<RegionOptions, 'store' | 'world' | 'telemetry'>,
): ReturnType<typeof regionClient> {
  const { service } = createRegion({
    ...context,
    caches: new Caches(context),
    processName: 'test',
    version: '0',
    authenticator: identity.authenticator,
    authorizationServer: 'https://cloud.example.com/identity',
    identityClient: identity.client('unikorn-region'),
    providers: {},
  });
  return regionClient(localCalls({ ...context, service, commonName: 'unikorn-compute', instance: 'test' }));
}

export interface InstanceOptions {
  readonly spec?: Partial<Draft<typeof ComputeInstance>['spec']>;
  readonly status?: StatusOf<typeof ComputeInstance>;
  readonly without?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

export type RunningMonitor = Awaited<ReturnType<typeof startMonitor>>;
