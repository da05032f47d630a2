import type { ObjectIndex, WatchCache } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import type { World } from '@unikorn/core/world';
import { placementOf, principalOf, type AllocationSummary, type IdentityClient } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { serverIdOf } from '../link/index.ts';
import type { Charge } from '../sagas/index.ts';
import { heldByAll, type About } from '../holds/index.ts';
import type { RegionWatches, SeenServer } from '../watches.ts';
import {
  checkCharge,
  checkFailure,
  checkHeld,
  checkHolds,
  checkLabels,
  checkLinkedServer,
  checkOwnServer,
  checkProgress,
  checkProjection,
  heldKey,
} from './checkers/index.ts';
import type { Finding } from './finding.ts';
import type { Orphan } from './orphans.ts';

/** The data of one pass. */
export interface PassInput {
  readonly identityClient: Pick<IdentityClient, 'allocations' | 'projectReferences'>;
  readonly regionClient: Pick<RegionClient, 'references'>;
  readonly world: World;
  readonly instances: WatchCache<typeof ComputeInstance>;
  readonly servers: RegionWatches['servers'];
  /** Servers by the instance in their tag. */
  readonly byLink: ObjectIndex<SeenServer>;
  readonly stuckAfter_ms: number;
}

/** A finding. For a wrong charge, it contains the charged instance. */
export interface Suspicion extends Finding {
  readonly charge?: Charge;
  /** For a wrong reference, the instance that has it. */
  readonly holder?: About;
  /** For a server without an instance. */
  readonly orphan?: Orphan;
}

/**
 * All current problems. Each object is checked once: instances and servers in caches, charges and references page by
 * page as identity and region list them.
 */
export async function* survey(input: PassInput): AsyncGenerator<Suspicion> {
  yield* aboutInstances(input);
  yield* aboutLinks(input);
  yield* aboutCharges(input);
  yield* aboutReferences(input);
}

async function* aboutInstances({ instances, servers, world, stuckAfter_ms }: PassInput): AsyncGenerator<Suspicion> {
  let looked = 0;
  for (const instance of instances.list()) {
    const server = servers.get(serverIdOf(instance));
    yield* checkLabels(instance);
    yield* checkOwnServer(instance, server);
    yield* checkFailure(instance);
    yield* checkProgress(instance, world.now(), stuckAfter_ms);
    yield* checkProjection(instance, server);
    if (++looked % limits.surveyBurst === 0) await world.turn();
  }
}

async function* aboutLinks({ instances, byLink, world }: PassInput): AsyncGenerator<Suspicion> {
  let looked = 0;
  for (const instanceId of byLink.values()) {
    const instance = instances.get(instanceId);
    for (const server of byLink.get(instanceId))
      for (const finding of checkLinkedServer(instanceId, instance, server))
        yield finding.checker === 'orphan-server'
          ? { ...finding, orphan: { serverId: server.metadata.id, instanceId } }
          : finding;
    if (++looked % limits.surveyBurst === 0) await world.turn();
  }
}

async function* aboutCharges({ identityClient, instances, world }: PassInput): AsyncGenerator<Suspicion> {
  const charged = new Set<string>();
  for await (const allocation of identityClient.allocations({}, ComputeInstance.id)) {
    const { id } = allocation.resource;
    charged.add(id);
    yield* suspectCharge(id, instances.get(id), allocation);
  }
  let looked = 0;
  for (const instance of instances.list()) {
    const { name } = instance.metadata;
    if (!charged.has(name)) yield* suspectCharge(name, instance, undefined);
    if (++looked % limits.surveyBurst === 0) await world.turn();
  }
}

function* suspectCharge(
  id: string,
  instance: ComputeInstance | undefined,
  allocation: AllocationSummary | undefined,
): Generator<Suspicion> {
  const charge = instance
    ? chargeOf(instance)
    : allocation && { id, principal: allocation.scope, scope: allocation.scope };
  for (const finding of checkCharge(id, instance, allocation))
    yield finding.checker === 'allocation-drift' && charge ? { ...finding, charge } : finding;
}

/** Undefined if the labels of the instance are missing. */
function chargeOf({ metadata }: ComputeInstance): Charge | undefined {
  const { [labels.organization]: organizationId, [labels.project]: projectId } = metadata.labels ?? {};
  if (!organizationId || !projectId) return undefined;
  return { id: metadata.name, principal: principalOf(metadata), scope: placementOf(metadata) };
}

/**
 * The references of instances must match the resources that they use. Every reference is checked, because there is no
 * other trace of one that was left behind.
 */
async function* aboutReferences({
  identityClient,
  regionClient,
  instances,
  world,
}: PassInput): AsyncGenerator<Suspicion> {
  const held = new Set<string>();
  for await (const reference of heldByAll({ identityClient, regionClient })) {
    held.add(heldKey(reference.instanceId, reference.used));
    yield* checkHeld(reference, instances.get(reference.instanceId));
  }
  let looked = 0;
  for (const instance of instances.list()) {
    yield* checkHolds(instance, held);
    if (++looked % limits.surveyBurst === 0) await world.turn();
  }
}
