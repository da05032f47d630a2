import { isProblem, toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { causeFrom, deleteAlong, type DeletionMark } from '../references/index.ts';
import type { Cancel } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import { backoff_ms } from '../backoff.ts';
import type { WatchCache } from './cache.ts';
import type { CacheIndex } from './cache-index.ts';
import type { ControllerContext } from './controller.ts';
import { inBursts, runCrew, type Runnable } from './crew.ts';
import { controllerMetrics } from './metrics.ts';
import { WorkQueue, type Work } from './queue.ts';

/** Objects that must go with what their label names. */
export interface CascadeTarget {
  readonly kind: Kind;
  readonly label: string;
}

export interface CascadeOptions {
  readonly name: string;
  /** Whose deletion is carried on. */
  readonly owner: Kind;
  readonly targets: readonly CascadeTarget[];
  /** Kinds that take the owner with them when they go: they know who deleted it, where the owner does not. */
  readonly ancestors?: readonly Kind[];
}

interface Target extends CascadeTarget {
  readonly objects: WatchCache<Kind>;
  readonly byOwner: CacheIndex<Kind>;
}

/**
 * Carries deletions across services: when an object is being deleted, or is found to be gone, everything whose label holds
 * its id is deleted in the foreground. Whatever was missed while the process was down is found at the start.
 *
 * @example
 * new CascadingDelete({ name: 'network-consumer', owner: Network, targets: [{ kind: ComputeInstance, label: labels.network }] }, context);
 */
export class CascadingDelete implements Runnable {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #owners: WatchCache<Kind>;
  readonly #targets: readonly Target[];
  readonly #ancestors: readonly Kind[];
  readonly #failures = new Map<string, number>();

  constructor({ name, owner, targets, ancestors = [] }: CascadeOptions, context: ControllerContext) {
    this.name = name;
    this.#context = context;
    this.#owners = context.caches.of(owner);
    this.#ancestors = ancestors;
    this.#targets = targets.map(({ kind, label }) => {
      const objects = context.caches.of(kind);
      return { kind, label, objects, byOwner: objects.index((object) => ownersOf(object, label)) };
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const caches = [this.#owners, ...this.#targets.map(({ objects }) => objects)];
    await Promise.race([Promise.all(caches.map((cache) => cache.whenSynced())), whenAborted(signal)]);
    this.#failures.clear();
    const queue = new WorkQueue(this.#context.world);
    const subscriptions = this.#subscribe(queue);
    void this.#replay(queue, signal);
    const handle = (work: Work) => this.#handle(queue, work, signal);
    await runCrew(
      queue,
      { name: this.name, concurrency: limits.reconciles, handle, retrying: () => this.#failures.size, parked: () => 0 },
      this.#context,
      signal,
    );
    for (const cancel of subscriptions) cancel();
  }

  #subscribe(queue: WorkQueue): Cancel[] {
    const owners = this.#owners.subscribe(({ type, object }) => {
      if (type === 'deleted' || isDeleting(object))
        queue.add(object.metadata.name, { priority: 'change', cause: 'deletion' });
    });
    // A target stored while its owner was going would otherwise be overlooked.
    const targets = this.#targets.map(({ kind, label, objects }) =>
      objects.subscribe(({ type, object }) => {
        if (type === 'deleted' || isDeleting(object)) return;
        for (const owner of ownersOf(object, label))
          if (this.#seemsGone(owner)) queue.add(owner, { priority: 'dependency', cause: kind.id });
      }),
    );
    return [owners, ...targets];
  }

  async #replay(queue: WorkQueue, signal: AbortSignal): Promise<void> {
    for (const { byOwner } of this.#targets) {
      await inBursts(this.#context.world, byOwner.values(), signal, (owner) => {
        if (this.#seemsGone(owner)) queue.add(owner, { priority: 'change', cause: 'replay' });
      });
    }
  }

  #seemsGone(owner: string): boolean {
    const cached = this.#owners.get(owner);
    return !cached || isDeleting(cached);
  }

  async #handle(queue: WorkQueue, { key: owner }: Work, signal: AbortSignal): Promise<string> {
    const { world, telemetry } = this.#context;
    try {
      const outcome = await this.#carryOn(owner, signal);
      this.#failures.delete(owner);
      return outcome;
    } catch (thrown) {
      const failures = (this.#failures.get(owner) ?? 0) + 1;
      this.#failures.set(owner, failures);
      telemetry.log.error(
        { err: toError(thrown), controller: this.name, id: owner },
        'a deletion could not be continued',
      );
      queue.add(owner, { priority: 'retry', cause: 'errored', after_ms: backoff_ms(failures, world.random()) });
      return 'errored';
    }
  }

  /** The store is asked, not the cache: a cache that lags may not know an owner that was just created. */
  async #carryOn(owner: string, signal: AbortSignal): Promise<string> {
    const current = await this.#context.store.get(this.#owners.kind, owner);
    if (current && !isDeleting(current)) return 'idle';
    const cause = current && (await this.#causeOf(current));
    for (const { kind, byOwner } of this.#targets) {
      const doomed = byOwner.get(owner).filter((object) => !isDeleting(object));
      for (let first = 0; first < doomed.length && !signal.aborted; first += limits.reconciles) {
        await Promise.all(
          doomed.slice(first, first + limits.reconciles).map((object) => this.#delete(kind, object, cause)),
        );
      }
    }
    return 'done';
  }

  /** Who deleted the owner, and what they deleted. What the store's garbage collection deletes does not say so itself. */
  async #causeOf(owner: Resource): Promise<DeletionMark | undefined> {
    const own = causeFrom(this.#owners.kind, owner);
    if (own) return own;
    for (const { apiVersion, kind, name } of owner.metadata.ownerReferences ?? []) {
      const ancestor = this.#ancestors.find(
        (candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind,
      );
      const above = ancestor && (await this.#context.store.get(ancestor, name));
      const cause = ancestor && above && causeFrom(ancestor, above);
      if (cause) return cause;
    }
    return undefined;
  }

  async #delete(kind: Kind, { metadata }: Resource, cause: DeletionMark | undefined): Promise<void> {
    const { store, telemetry } = this.#context;
    try {
      await deleteAlong(store, kind, metadata, cause, { propagation: 'foreground' });
      controllerMetrics(telemetry.registry).cascaded.inc({ controller: this.name, kind: kind.id });
    } catch (thrown) {
      // Gone already, or its name belongs to another object by now: either way there is nothing left to delete.
      if (!isProblem(thrown, 'not_found') && !isProblem(thrown, 'conflict')) throw thrown;
    }
  }
}

function ownersOf({ metadata }: Resource, label: string): readonly string[] {
  const owner = metadata.labels?.[label];
  return owner ? [owner] : [];
}

function isDeleting({ metadata }: Resource): boolean {
  return metadata.deletionTimestamp !== undefined;
}
