import { ComputeInstance } from '@unikorn/compute';
import type { Kind, Resource } from '@unikorn/core/kinds';
import { objectsOf } from '@unikorn/core/migration';
import { labels } from '@unikorn/core/resource';
import { unfinishedSagas } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import { systemWorld } from '@unikorn/core/world';
import { Allocation, QuotaLedger } from '@unikorn/identity/kinds';
import { Identity, Network, Server } from '@unikorn/region/kinds';
import { nameOf, SimulatedObject } from '@unikorn/region/providers/simulated';

import { eventually } from '../product/running.fixture.ts';
import { alive, type Known, type Place, type User } from './load.fixture.ts';
import type { Client, Shown } from './traffic.fixture.ts';

/** A platform that needs this long to become idle is stuck. */
const idle_ms = 120_000;

/** Waits until everything is provisioned or gone, and no saga runs. */
export async function settled(client: Client, place: Place, users: readonly User[], store: Store): Promise<void> {
  const instances = known(users, 'instances');
  const networks = known(users, 'networks');
  await eventually(
    async () => ({
      unfinished: await unfinishedSagas(store),
      instances: unsettled(await shown(client, 'compute', '/api/v2/instances', place), instances),
      networks: unsettled(await shown(client, 'region', '/api/v2/networks', place), networks),
    }),
    ({ unfinished, instances, networks }) => unfinished.length === 0 && instances.length === 0 && networks.length === 0,
    idle_ms,
  );
  // A change of the ledger whose process was killed is settled when it can no longer be in progress.
  await eventually(
    async () => (await store.get(QuotaLedger, place.organizationId))?.status?.pending ?? [],
    (pending) => pending.length === 0,
    idle_ms,
  );
  // Servers and machines go after their instances.
  await eventually(
    async () => [await idsOf(store, Server), await machines(store, instances)],
    ([servers = [], machines = []]) =>
      servers.length <= alive(instances).length && machines.length <= alive(instances).length,
    idle_ms,
  ).catch(() => undefined);
}

/** Compares all data with what the users know. One sentence for each difference. */
export async function examine(
  client: Client,
  place: Place,
  users: readonly User[],
  store: Store,
): Promise<readonly string[]> {
  const instances = known(users, 'instances');
  const networks = known(users, 'networks');
  const livingInstances = alive(instances).map(({ id }) => id);
  const livingNetworks = alive(networks).map(({ id }) => id);
  const allocations = await objects(store, Allocation);
  return [
    ...users.flatMap((user) => user.surprises.map((surprise) => `${user.name}: ${surprise}`)),
    ...different('instance', await shown(client, 'compute', '/api/v2/instances', place), instances),
    ...different('network', await shown(client, 'region', '/api/v2/networks', place), networks),
    ...unequal('instances in the store', await idsOf(store, ComputeInstance), livingInstances),
    ...unequal('networks in the store', await idsOf(store, Network), livingNetworks),
    ...unequal('servers', await idsOf(store, Server), livingInstances),
    ...unequal('machines in the cloud', await machines(store, instances), livingInstances),
    ...unequal(
      'charged instances',
      allocations.filter(({ spec }) => spec.kind.startsWith('computeinstances.')).map(({ spec }) => spec.id),
      livingInstances,
    ),
    ...unequal(
      'charged networks',
      allocations.filter(({ spec }) => spec.kind.startsWith('networks.')).map(({ spec }) => spec.id),
      livingNetworks,
    ),
    ...(await ledgerFaults(store, place, allocations)),
    ...(await unfinishedSagas(store)).map((saga) => `the saga ${JSON.stringify(saga)} is not finished`),
  ];
}

function known(users: readonly User[], what: 'instances' | 'networks'): ReadonlyMap<string, Known> {
  return new Map(users.flatMap((user) => [...user[what]]));
}

async function shown(client: Client, service: 'region' | 'compute', path: string, { token }: Place) {
  const { status, body } = await client.call(service, 'GET', path, { token });
  if (status !== 200) throw new Error(`GET ${path} answered ${status} ${JSON.stringify(body)}`);
  return body as readonly Shown[];
}

/** Those that still change. */
function unsettled(list: readonly Shown[], known: ReadonlyMap<string, Known>): readonly string[] {
  return list
    .filter(({ metadata }) => known.get(metadata.id)?.deleted === true || metadata.provisioningStatus !== 'provisioned')
    .map(({ metadata }) => `${metadata.name} ${metadata.provisioningStatus}`);
}

function different(what: string, list: readonly Shown[], known: ReadonlyMap<string, Known>): readonly string[] {
  const byId = new Map(list.map((each) => [each.metadata.id, each]));
  const expected = alive(known);
  return [
    ...expected
      .filter(({ id }) => !byId.has(id))
      .map(({ id, name }) => `the acknowledged ${what} ${name} (${id}) is lost`),
    ...expected.flatMap(({ id, name, description }) => {
      const seen = byId.get(id)?.metadata.description;
      return seen === undefined || seen === description
        ? []
        : [`the ${what} ${name} has the description "${seen}", but "${description}" was acknowledged`];
    }),
    ...list
      .filter(({ metadata }) => known.get(metadata.id)?.deleted !== false)
      .map(({ metadata }) => `the ${what} ${metadata.name} (${metadata.id}) exists, but must not`),
  ];
}

function unequal(what: string, found: readonly string[], expected: readonly string[]): readonly string[] {
  const twice = found.filter((id, index) => found.indexOf(id) !== index);
  return [
    ...twice.map((id) => `${what}: ${id} exists twice`),
    ...expected.filter((id) => !found.includes(id)).map((id) => `${what}: ${id} is missing`),
    ...found.filter((id) => !expected.includes(id)).map((id) => `${what}: ${id} is left over`),
  ];
}

/** The totals of the ledger are the sums of the allocations, and no change is open. */
async function ledgerFaults(
  store: Store,
  { organizationId }: Place,
  allocations: readonly Allocation[],
): Promise<readonly string[]> {
  const ledger = await store.get(QuotaLedger, organizationId);
  const sums = new Map<string, number>();
  for (const { spec } of allocations)
    for (const { kind, committed, reserved } of spec.allocations)
      sums.set(kind, (sums.get(kind) ?? 0) + committed + reserved);
  const totals = Object.entries(ledger?.status?.totals ?? {});
  return [
    ...(ledger?.status?.pending ?? []).map((change) => `the ledger has an open change: ${JSON.stringify(change)}`),
    ...totals
      .filter(([kind, { committed, reserved }]) => committed + reserved !== (sums.get(kind) ?? 0))
      .map(([kind, total]) => `the ledger counts ${JSON.stringify(total)} of ${kind}, but ${sums.get(kind) ?? 0} live`),
  ];
}

/** The ids of the servers in the simulated cloud, also in principals that are deleted. */
async function machines(store: Store, instances: ReadonlyMap<string, Known>): Promise<readonly string[]> {
  const principals = await objects(store, Identity);
  const collections = new Set(
    principals.map(({ metadata }) => nameOf(metadata.labels?.[labels.region] ?? '', metadata.name, 'server')),
  );
  return (await objects(store, SimulatedObject))
    .filter(({ metadata, spec }) => collections.has(metadata.labels?.[collectionLabel] ?? '') || instances.has(spec.id))
    .filter(({ spec }) => spec.goneAt === undefined || spec.goneAt > systemWorld.now())
    .map(({ spec }) => spec.id);
}

const collectionLabel = 'simulated.region.unikorn-cloud.org/collection';

async function idsOf(store: Store, kind: Kind): Promise<readonly string[]> {
  return (await objects(store, kind)).map(({ metadata }) => metadata.name);
}

async function objects<K extends Kind>(store: Store, kind: K): Promise<readonly Resource<K>[]> {
  const found: Resource<K>[] = [];
  for await (const object of objectsOf(store, kind)) found.push(object);
  return found;
}
