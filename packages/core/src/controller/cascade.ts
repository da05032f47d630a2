import { isProblem, toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { deleteAlong, type DeletionMark } from '../references/index.ts';
import type { Cancel } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import { backoff_ms } from '../backoff.ts';
import type { WatchCache } from './cache.ts';
import type { CacheIndex } from './cache-index.ts';
import type { Caches, Copy } from './caches.ts';
import type { ControllerContext } from './controller.ts';
import { inBursts, runCrew, type Runnable } from './crew.ts';
import { controllerMetrics } from './metrics.ts';
import { WorkQueue, type Work } from './queue.ts';

/** Objects that are deleted together with the object that their label names. */
export interface CascadeTarget {
  readonly kind: Kind;
  readonly label: string;
}

/** The objects of another service whose deletion is cascaded. */
export interface Owners {
  /** The copy of the owners. No decision is made before it is complete. */
  copy(caches: Caches): Pick<Copy, 'whenSynced'>;
  /** Whether the owner exists and is not being deleted. It reads the copy, which can lag behind. */
  stays(id: string): boolean;
  /** Calls the listener with each owner that is being deleted or no longer exists. */
  subscribe(listener: (id: string) => void): Cancel;
  /** Asks the owner's service whether the owner stays. The target names the owner. */
  fate(id: string, target: Pick<Resource, 'metadata'>): Promise<Fate>;
}

/** Whether an owner stays. If it does not: who deleted what, as far as that is known. */
export type Fate = { readonly stays: true } | { readonly stays: false; readonly cause?: DeletionMark };

export interface CascadeOptions {
  readonly name: string;
  readonly owners: Owners;
  readonly targets: readonly CascadeTarget[];
}

interface Target extends CascadeTarget {
  readonly objects: WatchCache<Kind>;
  readonly byOwner: CacheIndex<Kind>;
}

/**
 * Cascades deletions across services. When an owner is being deleted, or no longer exists, all objects whose label
 * holds its id are deleted in the foreground. Deletions that were missed while the process was down are found at the
 * start.
 *
 * @example
 * new CascadingDelete({ name: 'network-consumer', owners: watchedOwners({ … }), targets: [{ kind: ComputeInstance, label: labels.network }] }, context);
 */
export class CascadingDelete implements Runnable {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #owners: Owners;
  readonly #copy: Pick<Copy, 'whenSynced'>;
  readonly #targets: readonly Target[];
  readonly #failures = new Map<string, number>();

  constructor({ name, owners, targets }: CascadeOptions, context: ControllerContext) {
    this.name = name;
    this.#context = context;
    this.#owners = owners;
    this.#copy = owners.copy(context.caches);
    this.#targets = targets.map(({ kind, label }) => {
      const objects = context.caches.of(kind);
      return { kind, label, objects, byOwner: objects.index((object) => ownersOf(object, label)) };
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const caches = [this.#copy, ...this.#targets.map(({ objects }) => objects)];
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
    const owners = this.#owners.subscribe((id) => {
      queue.add(id, { priority: 'change', cause: 'deletion' });
    });
    // Otherwise a target that was stored during the deletion of its owner would be missed.
    const targets = this.#targets.map(({ kind, label, objects }) =>
      objects.subscribe(({ type, object }) => {
        if (type === 'deleted' || isDeleting(object)) return;
        for (const owner of ownersOf(object, label))
          if (!this.#owners.stays(owner)) queue.add(owner, { priority: 'dependency', cause: kind.id });
      }),
    );
    return [owners, ...targets];
  }

  async #replay(queue: WorkQueue, signal: AbortSignal): Promise<void> {
    for (const { byOwner } of this.#targets) {
      await inBursts(this.#context.world, byOwner.values(), signal, (owner) => {
        if (!this.#owners.stays(owner)) queue.add(owner, { priority: 'change', cause: 'replay' });
      });
    }
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

  /** It asks the service, because the copy can lag behind and may not contain an owner that was created just now. */
  async #carryOn(owner: string, signal: AbortSignal): Promise<string> {
    const doomed = this.#targets.map(({ kind, byOwner }) => ({
      kind,
      objects: byOwner.get(owner).filter((object) => !isDeleting(object)),
    }));
    const [first] = doomed.flatMap(({ objects }) => objects);
    if (!first) return 'idle';
    const fate = await this.#owners.fate(owner, first);
    if (fate.stays) return 'idle';
    for (const { kind, objects } of doomed) {
      for (let next = 0; next < objects.length && !signal.aborted; next += limits.reconciles) {
        await Promise.all(
          objects.slice(next, next + limits.reconciles).map((object) => this.#delete(kind, object, fate.cause)),
        );
      }
    }
    return 'done';
  }

  async #delete(kind: Kind, { metadata }: Resource, cause: DeletionMark | undefined): Promise<void> {
    const { store, telemetry } = this.#context;
    try {
      await deleteAlong(store, kind, metadata, cause, { propagation: 'foreground' });
      controllerMetrics(telemetry.registry).cascaded.inc({ controller: this.name, kind: kind.id });
    } catch (thrown) {
      // It is deleted already, or a new object has its name: there is nothing left to delete.
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
