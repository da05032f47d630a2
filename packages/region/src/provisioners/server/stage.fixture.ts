import { Caches } from '@unikorn/core/controller';
import type { SpecOf, StatusOf } from '@unikorn/core/kinds';
import { deterministicId, finalizers, findCondition, labels } from '@unikorn/core/resource';
import { History } from '@unikorn/core/history';
import { modify, modifyStatus } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { Life, silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { serverSubject } from '../../history/subjects.ts';
import { Identity, Network, Region, regionKinds, Server } from '../../kinds/index.ts';
import { serverControllers } from '../../managers/servers.ts';
import type { CloudProvider, Servers } from '../../provider/index.ts';
import {
  simulatedKinds,
  SimulatedObject,
  simulatedOperator,
  simulatedProvider,
  type Knobs,
} from '../../providers/simulated/index.ts';
import { nameOf } from '../../providers/simulated/kinds.ts';
import { Providers } from '../../regions/index.ts';

export const flavorID = '11111111-1111-1111-1111-111111111111';
export const ubuntu = '33333333-3333-3333-3333-333333333333';
export const debian = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';

/** As long as a controller waits for work in progress when it stops. */
const drain_ms = 10_000;

const instantly: Partial<Knobs> = { call_ms: 0, build_ms: 0, power_ms: 0, delete_ms: 0 };
const ready = {
  conditions: [
    {
      type: 'Available',
      status: 'True',
      reason: 'Provisioned',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
} as const;

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null;
}

export interface StageOptions {
  readonly knobs?: Partial<Knobs>;
  readonly attempts?: number;
  readonly seed?: number;
  /** Whether the resources that it needs exist from the start. */
  readonly network?: 'ready' | 'pending';
}

/** Only the server controller, in any number of process runs, with a cloud and a store that survive them. */
export async function stage({ knobs = {}, attempts = 3, seed, network: state = 'ready' }: StageOptions = {}) {
  const world = virtualWorld(seed);
  const store = openMemoryStore({ world, kinds: [...regionKinds, ...simulatedKinds] });
  const [regionId, networkId, organizationId, projectId] = [world.uuid(), world.uuid(), world.uuid(), world.uuid()];
  const operator = simulatedOperator({ store, world, regionId });
  await operator.turn(instantly);
  const cloud = simulatedProvider({ store, world, regionId });
  const identity = { id: world.uuid(), organizationId, projectId };
  await cloud.identities.ensure(identity);
  await cloud.networks.ensure(identity, {
    id: networkId,
    prefix: '10.0.0.0/16',
    reservations: { prefixLength: 25 },
    dnsNameservers: [],
    routes: [],
  });
  await operator.turn(knobs);

  const placed = {
    [labels.name]: 'web',
    [labels.organization]: organizationId,
    [labels.project]: projectId,
    [labels.region]: regionId,
    [labels.identity]: identity.id,
  };
  await store.create(Region, { metadata: { name: regionId }, spec: { provider: 'simulated' } });
  const { metadata: principal } = await store.create(Identity, {
    metadata: { name: identity.id, labels: placed },
    spec: { provider: 'simulated' },
  });
  await store.updateStatus(Identity, { metadata: principal, status: ready });
  const { metadata: network } = await store.create(Network, {
    metadata: { name: networkId, labels: placed },
    spec: { prefix: '10.0.0.0/16', dnsNameservers: [] },
  });
  const makeReady = async () => {
    await store.updateStatus(Network, { metadata: network, status: ready });
  };
  if (state === 'ready') await makeReady();

  /** Every server that ever existed in the cloud, and every rebuild that it accepted. */
  const incarnations = new Set<string>();
  const accepted: string[] = [];
  const id = deterministicId(networkId, 'web');
  /** The record of the server in the simulated cloud, independent of injected faults. */
  const remembered = async (field: 'providerId' | 'imageId'): Promise<string | undefined> => {
    const record = await store.get(SimulatedObject, nameOf(regionId, identity.id, 'server', id));
    const body: unknown = JSON.parse(record?.spec.body ?? '{}');
    return isRecord(body) && typeof body[field] === 'string' ? body[field] : undefined;
  };
  const tally = async () => {
    const incarnation = await remembered('providerId');
    if (incarnation !== undefined) incarnations.add(incarnation);
  };
  const cloudIn = (life: Life): CloudProvider => ({ ...cloud, servers: serversIn(life) });
  const serversIn = (life: Life): Servers => ({
    list: (scope) => cloud.servers.list(scope),
    observe: (scope, reference) => life.effect('look', () => cloud.servers.observe(scope, reference)),
    ensure: (scope, wanted) => life.effect('ensure', () => cloud.servers.ensure(scope, wanted).finally(tally)),
    remove: (scope, reference) => life.effect('remove', () => cloud.servers.remove(scope, reference)),
    power: (scope, reference, verb) => cloud.servers.power(scope, reference, verb),
    rebuild: (scope, reference, imageId) =>
      life.effect('rebuild', async () => {
        const before = await remembered('imageId');
        await cloud.servers.rebuild(scope, reference, imageId).finally(async () => {
          if ((await remembered('imageId')) !== before) accepted.push(imageId);
        });
      }),
    consoleOutput: (scope, reference, lines) => cloud.servers.consoleOutput(scope, reference, lines),
    consoleSession: (scope, reference) => cloud.servers.consoleSession(scope, reference),
    terminal: (scope, reference, signal) => cloud.servers.terminal(scope, reference, signal),
    snapshot: (scope, reference, image) => cloud.servers.snapshot(scope, reference, image),
  });
  const begin = (death?: number) => {
    const life = new Life(store, death);
    const shared = { store: life.store, world, telemetry: silentTelemetry() };
    const caches = new Caches(shared);
    const providers = new Providers(shared, { simulated: () => ({ tier: 'cloud', provider: cloudIn(life) }) });
    const controllers = serverControllers(
      { ...shared, caches, providers },
      { serverCreateAttempts: attempts },
      new History({ ...shared, subject: serverSubject }),
    );
    const stop = new AbortController();
    const running = Promise.all([
      caches.run(stop.signal),
      ...controllers.map((controller) => controller.run(stop.signal)),
    ]);
    const end = async () => {
      stop.abort();
      await world.advance(drain_ms);
      await running;
    };
    return { life, end };
  };
  return {
    world,
    store,
    cloud,
    identity,
    operator,
    id,
    incarnations,
    accepted,
    begin,
    makeReady,
    create: (spec: Partial<SpecOf<typeof Server>> = {}) =>
      store.create(Server, {
        metadata: { name: id, labels: { ...placed, [labels.network]: networkId }, finalizers: [finalizers.framework] },
        spec: { flavorID, image: { id: ubuntu }, networks: [{ id: networkId }], ...spec },
      }),
    change: (spec: Partial<SpecOf<typeof Server>>) =>
      modify(store, Server, id, (server) => ({ ...server, spec: { ...server.spec, ...spec } })),
    server: () => store.get(Server, id),
    /** Writes a status as a monitor or an operator would. */
    note: (status: StatusOf<typeof Server>) =>
      modifyStatus(store, Server, id, (server) => ({
        metadata: server.metadata,
        status: { ...server.status, ...status },
      })),
  };
}

export type Stage = Awaited<ReturnType<typeof stage>>;

/** The reason of the server's condition; undefined once it is deleted. */
export async function standing({ server }: Stage): Promise<string | undefined> {
  const found = await server();
  if (!found) return 'gone';
  if (found.metadata.deletionTimestamp !== undefined) return 'going';
  return found.status?.observedGeneration === found.metadata.generation
    ? findCondition(found.status.conditions, 'Available')?.reason
    : undefined;
}

/** Advances the clock until the server has this reason. Throws with its last state if that does not happen. */
export async function until(scene: Stage, wanted: string, within_ms = 300_000): Promise<void> {
  const start = scene.world.now();
  await scene.world.settle();
  while ((await standing(scene)) !== wanted) {
    if (scene.world.now() - start > within_ms)
      throw new Error(`not ${wanted} within ${within_ms} ms: ${JSON.stringify((await scene.server())?.status)}`);
    await scene.world.advance(500);
  }
}

export async function condition({ server }: Stage, type: 'Available' | 'Healthy') {
  return findCondition((await server())?.status?.conditions, type);
}

const ends: (() => Promise<void>)[] = [];

/** Ends everything that was started since. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

/** A server whose controller runs until all are ended. */
export async function started(options: StageOptions = {}, spec: Parameters<Stage['create']>[0] = {}) {
  const scene = await stage(options);
  await scene.create(spec);
  const { life, end } = scene.begin();
  ends.push(end);
  return { ...scene, life };
}

/** The same, once it is provisioned. */
export async function provisioned(options: StageOptions = {}) {
  const scene = await started(options);
  await until(scene, 'Provisioned');
  return scene;
}
