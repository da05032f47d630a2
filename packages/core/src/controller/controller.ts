import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import type { Cancel } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import type { CacheContext, WatchCache } from './cache.ts';
import type { Caches } from './caches.ts';
import { inBursts, runCrew, type Runnable } from './crew.ts';
import type { Verdict } from './progress.ts';
import type { Provisioner } from './provisioner.ts';
import { WorkQueue, type Wakeup, type Work } from './queue.ts';
import { Reconciler } from './reconciler.ts';
import type { Related } from './related.ts';
import type { TransitionListener } from './transition.ts';
import { wakeupAtStart, wakeupBy } from './wake.ts';

export interface ControllerOptions<K extends Kind> {
  /** Unique in the process; labels metrics and logs. */
  readonly name: string;
  readonly kind: K;
  readonly provisioner: Provisioner<K>;
  readonly related?: readonly Related[];
  /** Maximum number of concurrent reconciles. */
  readonly concurrency?: number;
  /** How often an object that is up to date is reconciled again; Infinity for never. */
  readonly resync_ms?: number;
  readonly onTransition?: TransitionListener;
  /**
   * Called when nothing is realised any more, before the object is removed. If it fails, the object stays and the
   * removal is tried again. It is called again if the process ends before the removal.
   */
  readonly beforeRemoval?: (object: Resource<K>) => Promise<void>;
}

export interface ControllerContext extends CacheContext {
  readonly caches: Caches;
}

/**
 * Reconciles the objects of one kind: every changed object is processed, with one run per object at a time, until it
 * reaches its desired state.
 *
 * @example
 * const controller = new Controller({ name: 'networks', kind: Network, provisioner }, { store, world, telemetry, caches });
 * await controller.run(signal);
 */
export class Controller<K extends Kind> implements Runnable {
  readonly name: string;
  readonly #options: ControllerOptions<K>;
  readonly #context: ControllerContext;
  readonly #objects: WatchCache<K>;
  /**
   * Reconciles in progress, from this run or the one before: a run that was stopped can take longer than the controller
   * waits for it.
   */
  readonly #underWay = new Map<string, Promise<Verdict>>();

  constructor(options: ControllerOptions<K>, context: ControllerContext) {
    this.name = options.name;
    this.#options = options;
    this.#context = context;
    this.#objects = context.caches.of(options.kind);
    for (const related of options.related ?? []) related.copy(context.caches);
  }

  /**
   * Runs until the signal aborts. Then no new work starts, and the controller waits for the work in progress for a
   * limited time.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#synced(), whenAborted(signal)]);
    if (!this.#context.store.sole) await this.#objects.refresh(signal);
    // A new run starts with an empty queue, so that objects that were parked are tried again.
    const queue = new WorkQueue(this.#context.world);
    const reconciler = this.#newReconciler();
    const subscriptions = this.#subscribe(queue);
    void this.#replay(queue, signal);
    const { ledger } = reconciler;
    const handle = (work: Work) => this.#handle(queue, reconciler, work, signal);
    const crew = {
      name: this.name,
      concurrency: this.#options.concurrency ?? limits.reconciles,
      handle,
      retrying: () => ledger.retrying.size,
      parked: () => ledger.parked.size,
    };
    await runCrew(queue, crew, this.#context, signal);
    for (const cancel of subscriptions) cancel();
  }

  async #synced(): Promise<void> {
    const { caches } = this.#context;
    const related = this.#options.related ?? [];
    await Promise.all([this.#objects.whenSynced(), ...related.map((each) => each.copy(caches).whenSynced())]);
  }

  #newReconciler(): Reconciler<K> {
    const { provisioner, onTransition, beforeRemoval } = this.#options;
    return new Reconciler({
      ...this.#context,
      controller: this.name,
      objects: this.#objects,
      provisioner,
      ...defined({ onTransition, beforeRemoval }),
    });
  }

  #subscribe(queue: WorkQueue): Cancel[] {
    const { caches, telemetry } = this.#context;
    const own = this.#objects.subscribe((change) => {
      const wakeup = wakeupBy(change);
      if (wakeup) queue.add(change.object.metadata.name, wakeup);
    });
    const others = (this.#options.related ?? []).map((related) =>
      related.subscribe(caches, telemetry, (name) => {
        queue.add(name, { priority: 'dependency', cause: related.cause });
      }),
    );
    return [own, ...others];
  }

  async #replay(queue: WorkQueue, signal: AbortSignal): Promise<void> {
    await inBursts(this.#context.world, this.#objects.list(), signal, (object) => {
      queue.add(object.metadata.name, wakeupAtStart(object));
    });
  }

  async #handle(
    queue: WorkQueue,
    reconciler: Reconciler<K>,
    work: Work,
    signal: AbortSignal,
  ): Promise<Verdict['outcome']> {
    const verdict = await this.#alone(work.key, signal, () => reconciler.reconcile(work, signal));
    const wakeup = this.#next(verdict);
    if (wakeup) queue.add(work.key, wakeup);
    return verdict.outcome;
  }

  /** Two runs at the same time could both find that something is missing, and both create it. */
  async #alone(key: string, signal: AbortSignal, work: () => Promise<Verdict>): Promise<Verdict> {
    while (this.#underWay.has(key) && !signal.aborted)
      await Promise.race([this.#underWay.get(key), whenAborted(signal)]);
    if (signal.aborted) return { outcome: 'cancelled' };
    const working = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, working);
    return working;
  }

  #next({ outcome, after_ms }: Verdict): Wakeup | undefined {
    if (after_ms !== undefined) return { priority: 'retry', cause: outcome, after_ms };
    const period_ms = this.#options.resync_ms ?? limits.resync_ms;
    if (outcome !== 'done' || period_ms === Infinity) return undefined;
    // A random factor between a half and one and a half spreads objects that were reconciled together.
    return { priority: 'resync', cause: 'resync', after_ms: period_ms * (0.5 + this.#context.world.random()) };
  }
}
