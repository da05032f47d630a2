import type { SpecOf } from '@unikorn/core/kinds';
import { deterministicId, finalizers, findCondition, labels, newMetadata } from '@unikorn/core/resource';
import { modify } from '@unikorn/core/store';
import { Allocation } from '@unikorn/identity/kinds';
import type { RegionClient } from '@unikorn/region/client';
import { Server } from '@unikorn/region/kinds';

import { holdAll, holdsOf } from '../../holds/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import { amountsOf, priceAnnotation } from '../../sagas/index.ts';
import { standardFlavor, ubuntuImage, type RunningCompute } from '../../testing/index.ts';

type Spec = SpecOf<typeof ComputeInstance>;

export interface Birth {
  readonly name?: string;
  readonly networkId?: string;
  readonly spec?: Partial<Spec>;
}

type Place = Pick<
  RunningCompute,
  'store' | 'toIdentity' | 'toRegion' | 'organizationId' | 'projectId' | 'regionId' | 'networkId'
>;

/** An instance as a request leaves it: charged, with references, and stored. */
export async function bear(
  place: Place,
  { name = 'web', networkId = place.networkId, spec = {} }: Birth = {},
): Promise<string> {
  const { store, toIdentity, toRegion, organizationId, projectId, regionId } = place;
  const id = deterministicId(networkId, name);
  const scope = { organizationId, projectId };
  const price = { gpus: 0, publicIP: spec.networking?.publicIp ?? false };
  await toIdentity.charge(
    { actor: 'test', ...scope },
    { scope, resource: { kind: ComputeInstance.id, id }, amounts: amountsOf(price) },
  );
  const placed = { [labels.region]: regionId, [labels.network]: networkId };
  const metadata = newMetadata(id, { name }, scope, { subject: 'test' }, { labels: placed });
  const full = { flavorId: standardFlavor, imageId: ubuntuImage, ...spec };
  const deps = { store, identityClient: toIdentity, regionClient: toRegion };
  await holdAll(
    deps,
    { id, principal: { actor: 'test', ...scope }, scope },
    holdsOf({ labels: metadata.labels ?? {}, spec: full }),
    `instance ${name}`,
    'birth',
  );
  await store.create(ComputeInstance, {
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [priceAnnotation]: JSON.stringify(price) },
      finalizers: [finalizers.framework],
    },
    spec: full,
  });
  return id;
}

export function change({ store }: Pick<RunningCompute, 'store'>, id: string, spec: Partial<Spec>) {
  return modify(store, ComputeInstance, id, (instance) => ({ ...instance, spec: { ...instance.spec, ...spec } }));
}

/** The reason of the instance's condition for its last change; `gone` after it is deleted. */
export async function standing({ store }: Pick<RunningCompute, 'store'>, id: string): Promise<string | undefined> {
  const found = await store.get(ComputeInstance, id);
  if (!found) return 'gone';
  if (found.metadata.deletionTimestamp !== undefined) return 'going';
  return found.status?.observedGeneration === found.metadata.generation
    ? findCondition(found.status.conditions, 'Available')?.reason
    : undefined;
}

/** Advances the clock until the instance has this reason, and returns the instance. */
export async function until(
  compute: Pick<RunningCompute, 'store' | 'eventually'>,
  id: string,
  wanted: string,
  within_ms = 300_000,
) {
  await compute.eventually(
    () => standing(compute, id),
    (seen) => seen === wanted,
    within_ms,
  );
  return compute.store.get(ComputeInstance, id);
}

export async function messageOf({ store }: Pick<RunningCompute, 'store'>, id: string): Promise<string | undefined> {
  return findCondition((await store.get(ComputeInstance, id))?.status?.conditions, 'Available')?.message;
}

/** The charge of an instance. */
export async function charges({ store }: Pick<RunningCompute, 'store'>, id: string) {
  return (await store.list(Allocation)).items.filter(({ spec }) => spec.id === id);
}

/** The servers that name an instance as theirs. */
export async function serversOf({ store }: Pick<RunningCompute, 'store'>, id: string) {
  return (await store.list(Server)).items.filter(({ spec }) =>
    spec.tags?.some(({ name, value }) => name === linkTag && value === id),
  );
}

/** Region, which records the calls that change something. */
export function recorded(regionClient: RegionClient, calls: string[]): RegionClient {
  const note = <T>(what: string, happen: Promise<T>): Promise<T> => {
    calls.push(what);
    return happen;
  };
  return {
    ...regionClient,
    createServer: (on, server) => note(`create ${server.metadata.name}`, regionClient.createServer(on, server)),
    updateServer: (on, id, server) => note(`update ${server.metadata.name}`, regionClient.updateServer(on, id, server)),
    deleteServer: (on, id) => note('delete', regionClient.deleteServer(on, id)),
    power: (on, id, verb) => note(verb, regionClient.power(on, id, verb)),
  };
}
