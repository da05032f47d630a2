import type { OwnerReference, Resource } from '../../kinds/index.ts';
import { internalLimits, limits } from '../../limits.ts';
import { finalizers } from '../../resource/index.ts';
import type { World } from '../../world/index.ts';
import {
  collectionStep,
  isWaiting,
  visitsAfter,
  type CollectionStep,
  type OwnerState,
  type Surroundings,
  type Visit,
} from '../collector.ts';
import type { FeedChange } from '../feed.ts';
import { deleted, updated, type Transition } from '../transition.ts';
import type { Objects } from './objects.ts';
import type { KindEntry } from './operation.ts';
import type { Reader } from './reader.ts';

interface Task {
  /** The version of the change that caused it. */
  readonly version: number;
  readonly run: () => Promise<void>;
}

interface GarbageOptions {
  readonly world: World;
  readonly reader: Reader;
  readonly objects: Objects;
  readonly log?: { warn(fields: object, message: string): void } | undefined;
}

/**
 * Follows the change log and deletes the objects whose owners are deleted. Its position is stored with every commit, so
 * that it continues there after a crash.
 */
export class GarbageCollector {
  readonly #world: World;
  readonly #reader: Reader;
  readonly #objects: Objects;
  readonly #log: GarbageOptions['log'];
  readonly #queue = new Map<string, Task>();
  readonly #running = new Set<Task>();
  readonly #closing = new AbortController();
  #noticed: number;

  constructor({ world, reader, objects, log }: GarbageOptions) {
    this.#world = world;
    this.#reader = reader;
    this.#objects = objects;
    this.#log = log;
    this.#noticed = reader.collected();
  }

  /** All tasks for changes up to this version are complete. */
  get collected(): number {
    const [first] = this.#queue.values();
    return Math.min(this.#noticed, ...[first, ...this.#running].map((task) => (task ? task.version - 1 : Infinity)));
  }

  /** Continues the tasks that were not complete when the store was last closed or killed. */
  resume(head: number): void {
    while (this.#noticed < head) {
      const rows = this.#reader.changesOfAll(this.#noticed);
      for (const change of rows) this.notice(change);
      if (rows.length === 0) this.#noticed = head;
    }
  }

  notice(change: FeedChange): void {
    for (const visit of visitsAfter(change)) this.#enqueue(visit, change.version);
    this.#noticed = change.version;
  }

  /** Starts no new tasks, and resolves when the tasks in progress have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#running.size > 0) await this.#world.turn();
  }

  #enqueue(visit: Visit, version: number): void {
    const key = keyOf(visit);
    if (!this.#queue.has(key)) this.#queue.set(key, { version, run: () => this.#visit(visit) });
    if (this.#queue.size > 1) return;
    queueMicrotask(() => {
      this.#pump();
    });
  }

  #pump(): void {
    for (const [key, task] of this.#queue) {
      if (this.#running.size >= internalLimits.garbageConcurrency || this.#closing.signal.aborted) return;
      this.#queue.delete(key);
      this.#running.add(task);
      void this.#perform(task).then(() => {
        this.#running.delete(task);
        this.#pump();
      });
    }
  }

  async #perform(task: Task): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await task.run();
        return;
      } catch (error) {
        this.#log?.warn({ err: error }, 'garbage collection failed and will be retried');
        await this.#world.sleep(limits.backoffMin_ms, this.#closing.signal);
      }
    }
  }

  async #visit(visit: Visit): Promise<void> {
    switch (visit.type) {
      case 'dependents':
        await this.#visitDependents(visit.uid);
        break;
      case 'object':
        await this.#visitObject(this.#objects.owning(visit), visit.name);
        break;
    }
  }

  async #visitDependents(uid: string): Promise<void> {
    let after: readonly [kind: number, name: string] = [0, ''];
    while (!this.#closing.signal.aborted) {
      const rows = this.#reader.dependents(uid, after, limits.pageItems);
      await Promise.all(rows.map(([kind, name]) => this.#visitObject(this.#objects.numbered(kind), name)));
      const last = rows.at(-1);
      if (!last || rows.length < limits.pageItems) return;
      after = [last[0], last[1]];
      await this.#world.turn();
    }
  }

  /** Objects of an unknown kind are not touched, as in Kubernetes. */
  async #visitObject(entry: KindEntry | undefined, name: string): Promise<void> {
    while (entry) {
      const object = this.#objects.read(entry, name);
      if (!object) return;
      const next = this.#carryOut(object, collectionStep(object, this.#surroundings(entry, object)));
      if (next.type === 'unchanged' || (await this.#objects.swap(entry, object, next))) return;
    }
  }

  #carryOut(object: Resource, step: CollectionStep): Transition {
    const { metadata } = object;
    switch (step.type) {
      case 'keep':
        return { type: 'unchanged' };
      case 'delete':
        return deleted(object, step.propagation ? { propagation: step.propagation } : {}, this.#world.now());
      case 'release':
        return updated(object, {
          ...object,
          metadata: {
            ...metadata,
            finalizers: metadata.finalizers?.filter((finalizer) => finalizer !== finalizers.foreground) ?? [],
          },
        });
      case 'disown':
        return updated(object, {
          ...object,
          metadata: {
            ...metadata,
            ownerReferences: metadata.ownerReferences?.filter(({ uid }) => !step.owners.has(uid)) ?? [],
          },
        });
      case 'unblock':
        return updated(object, {
          ...object,
          metadata: {
            ...metadata,
            ownerReferences:
              metadata.ownerReferences?.map((reference) => ({ ...reference, blockOwnerDeletion: false })) ?? [],
          },
        });
    }
  }

  #surroundings({ number }: KindEntry, object: Resource): Surroundings {
    const { uid, name, ownerReferences = [] } = object.metadata;
    const owners = ownerReferences.map((reference) => ({ reference, state: this.#ownerState(reference) }));
    const dependents = () => this.#reader.dependence(uid, number, name);
    const circular = () => owners.some(({ state }) => state === 'waiting') && this.#holdsWaiting(uid);
    return {
      owners,
      get dependents() {
        return dependents();
      },
      get circular() {
        return circular();
      },
    };
  }

  #ownerState(reference: OwnerReference): OwnerState {
    const entry = this.#objects.owning(reference);
    if (!entry) return 'present';
    const owner = this.#objects.read(entry, reference.name);
    if (!owner || owner.metadata.uid !== reference.uid) return 'absent';
    return isWaiting(owner) ? 'waiting' : 'present';
  }

  /** Whether a dependent waits for its own dependents. */
  #holdsWaiting(uid: string): boolean {
    return this.#reader.dependents(uid, [0, ''], limits.pageItems).some(([kind, name]) => {
      const entry = this.#objects.numbered(kind);
      const dependent = entry && this.#objects.read(entry, name);
      return dependent !== undefined && isWaiting(dependent);
    });
  }
}

/** Two waiting tasks for the same object are merged into one. */
function keyOf(visit: Visit): string {
  switch (visit.type) {
    case 'dependents':
      return `dependents ${visit.uid}`;
    case 'object':
      return `object ${visit.apiVersion} ${visit.kind} ${visit.name}`;
  }
}
