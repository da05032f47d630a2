import type { ObjectIndex, WatchCache } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import { objectsOf } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { labels, referenceOf } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';
import { Allocation, placementOf, principalOf } from '@unikorn/identity/client';

import { ComputeInstance } from '../kinds/index.ts';
import { serverIdOf } from '../link/index.ts';
import type { Charge } from '../sagas/index.ts';
import type { About } from '../holds/index.ts';
import type { RegionWatches, SeenServer } from '../watches.ts';
import {
  checkCharge,
  checkHeld,
  checkHolds,
  checkLabels,
  checkLinkedServer,
  checkOwnServer,
  checkProgress,
  checkProjection,
} from './checkers/index.ts';
import type { Finding } from './finding.ts';

/** The data of one pass. */
export interface Grounds {
  readonly store: Store;
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
}

/** The number of objects that are checked before other work gets its turn. A page of the store has the same size. */
const burst = 500;

/**
 * All current problems. Each object is checked once: instances and servers in caches, charges and references page by
 * page from the store.
 */
export async function* survey(grounds: Grounds): AsyncGenerator<Suspicion> {
  yield* aboutInstances(grounds);
  yield* aboutLinks(grounds);
  yield* aboutCharges(grounds);
  yield* aboutReferences(grounds);
}

async function* aboutInstances({ instances, servers, world, stuckAfter_ms }: Grounds): AsyncGenerator<Suspicion> {
  let looked = 0;
  for (const instance of instances.list()) {
    const server = servers.get(serverIdOf(instance));
    yield* checkLabels(instance);
    yield* checkOwnServer(instance, server);
    yield* checkProgress(instance, world.now(), stuckAfter_ms);
    yield* checkProjection(instance, server);
    if (++looked % burst === 0) await world.turn();
  }
}

async function* aboutLinks({ instances, byLink, world }: Grounds): AsyncGenerator<Suspicion> {
  let looked = 0;
  for (const instanceId of byLink.values()) {
    const instance = instances.get(instanceId);
    for (const server of byLink.get(instanceId)) yield* checkLinkedServer(instanceId, instance, server);
    if (++looked % burst === 0) await world.turn();
  }
}

async function* aboutCharges({ store, instances, world }: Grounds): AsyncGenerator<Suspicion> {
  const charged = new Set<string>();
  for await (const allocation of allocations(store)) {
    const { id } = allocation.spec;
    charged.add(id);
    yield* suspectCharge(id, instances.get(id), allocation);
  }
  let looked = 0;
  for (const instance of instances.list()) {
    const { name } = instance.metadata;
    if (!charged.has(name)) yield* suspectCharge(name, instance, undefined);
    if (++looked % burst === 0) await world.turn();
  }
}

function* suspectCharge(
  id: string,
  instance: ComputeInstance | undefined,
  allocation: Allocation | undefined,
): Generator<Suspicion> {
  const metadata = (instance ?? allocation)?.metadata;
  for (const finding of checkCharge(id, instance, allocation)) {
    yield finding.checker === 'allocation-drift' && isPlaced(metadata)
      ? { ...finding, charge: { id, principal: principalOf(metadata), scope: placementOf(metadata) } }
      : finding;
  }
}

/**
 * The references of instances must match the resources that they use. Every reference is checked, because there is no
 * other trace of one that was left behind.
 */
async function* aboutReferences({ store, instances, world }: Grounds): AsyncGenerator<Suspicion> {
  const held = new Set<string>();
  const prefix = referenceOf(ComputeInstance, '');
  for await (const record of objectsOf(store, ReferenceRecord)) {
    if (!record.spec.reference.startsWith(prefix)) continue;
    held.add(record.metadata.name);
    yield* checkHeld(record, instances.get(record.spec.reference.slice(prefix.length)));
  }
  let looked = 0;
  for (const instance of instances.list()) {
    yield* checkHolds(instance, held);
    if (++looked % burst === 0) await world.turn();
  }
}

type Placed = (ComputeInstance | Allocation)['metadata'];

function isPlaced(metadata: Placed | undefined): metadata is Placed {
  return Boolean(metadata?.labels?.[labels.organization] && metadata.labels[labels.project]);
}

/** The charges of instances. The store returns each page in its own turn of the event loop. */
async function* allocations(store: Store): AsyncGenerator<Allocation> {
  const selector = matching({ [labels.resourceKind]: ComputeInstance.id });
  let next: string | undefined;
  do {
    const page = await store.list(Allocation, {
      selector,
      limit: burst,
      ...defined({ continue: next }),
    });
    yield* page.items;
    next = page.continue;
  } while (next !== undefined);
}
