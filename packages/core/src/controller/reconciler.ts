import { isProblem, toError } from '../errors/index.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { finalizers, withFinalizer, withoutFinalizer } from '../resource/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import { backoff_ms } from '../backoff.ts';
import type { WatchCache } from './cache.ts';
import { contain } from './contain.ts';
import type { StatusPatch } from './outcome.ts';
import { ProgressLedger, type Progress, type Verdict } from './progress.ts';
import type { Provisioner } from './provisioner.ts';
import type { Work } from './queue.ts';
import { isFailed, nextStatus, planReconcile, settle, type Ending, type Path } from './reconcile.ts';
import { traceReconcile } from './tracing.ts';
import { announceTransition, transitionBetween, type TransitionListener, type TransitionStream } from './transition.ts';

export interface ReconcilerOptions<K extends Kind> {
  readonly controller: string;
  readonly objects: WatchCache<K>;
  readonly provisioner: Provisioner<K>;
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly onTransition?: TransitionListener;
  readonly beforeRemoval?: (object: Resource<K>) => Promise<void>;
}

const streams: readonly TransitionStream[] = ['provisioning', 'lifecycle'];

/** Reconciles one object: reads it, plans, lets the provisioner act, and writes the result. */
export class Reconciler<K extends Kind> {
  readonly ledger = new ProgressLedger();
  readonly #options: ReconcilerOptions<K>;
  readonly #kind: K;

  constructor(options: ReconcilerOptions<K>) {
    this.#options = options;
    this.#kind = options.objects.kind;
  }

  /** Never throws: errors are logged and become a verdict. */
  async reconcile({ key: name }: Pick<Work, 'key'>, signal: AbortSignal): Promise<Verdict> {
    const progress = this.ledger.of(name);
    const verdict = await this.#attempt(name, progress, signal).catch((thrown: unknown) =>
      this.#mishap(name, progress, thrown, signal),
    );
    if (verdict.outcome !== 'raced') progress.races = 0;
    if (verdict.outcome !== 'raced' && verdict.outcome !== 'errored') progress.failures = 0;
    // The progress is kept while the cache still shows the deleted object, so that nothing acts on the outdated copy.
    if (verdict.outcome === 'gone' && !this.#options.objects.get(name)) this.ledger.forget(name);
    else this.ledger.record(name, verdict);
    return verdict;
  }

  async #attempt(name: string, progress: Progress, signal: AbortSignal): Promise<Verdict> {
    const object = await this.#read(name, progress);
    if (!object) return { outcome: 'gone' };
    progress.meet(object);
    return traceReconcile(this.#options.telemetry.tracer, this.#options.controller, object, () =>
      this.#follow(object, progress, signal),
    );
  }

  /** Reads from the cache, or from the store when the cache is known to be outdated. */
  async #read(name: string, progress: Progress): Promise<Resource<K> | undefined> {
    const cached = this.#options.objects.get(name);
    if (progress.trusts(cached)) return cached;
    const stored = await this.#options.store.get(this.#kind, name, { cached: !progress.needsStore });
    if (stored) progress.knows(stored.metadata);
    return stored;
  }

  async #follow(object: Resource<K>, progress: Progress, signal: AbortSignal): Promise<Verdict> {
    const plan = planReconcile(object, this.#kind.realisation);
    switch (plan.type) {
      case 'nothing':
        return { outcome: plan.why };
      case 'wait':
        return (await this.#conclude(object, progress, 'deprovision', plan.outcome)).verdict;
      case 'provision': {
        const held =
          plan.finalizer === 'held'
            ? object
            : await this.#setFinalizers(object, progress, withFinalizer(object.metadata, finalizers.framework));
        return this.#provision(held, progress, 'provision', signal);
      }
      case 'deprovision':
        return this.#provision(object, progress, 'deprovision', signal);
    }
  }

  async #provision(object: Resource<K>, progress: Progress, path: Path, signal: AbortSignal): Promise<Verdict> {
    const ending = await this.#ask(object, progress, path, signal);
    if (signal.aborted) return { outcome: 'cancelled' };
    const { verdict, written } = await this.#conclude(object, progress, path, ending);
    if (path === 'deprovision' && verdict.outcome === 'done') {
      await this.#options.beforeRemoval?.(written);
      await this.#setFinalizers(written, progress, withoutFinalizer(written.metadata, finalizers.framework));
    }
    return verdict;
  }

  async #ask(
    object: Resource<K>,
    progress: Progress,
    path: Path,
    signal: AbortSignal,
  ): Promise<Ending<StatusPatch<K>>> {
    const { provisioner, telemetry, controller } = this.#options;
    const log = telemetry.log.child({ controller, kind: this.#kind.kind, id: object.metadata.name });
    try {
      return await provisioner[path](object, { log, signal, attempt: progress.failures + 1 });
    } catch (thrown) {
      if (signal.aborted || (isProblem(thrown, 'conflict') && progress.races < limits.conflictsInARow)) throw thrown;
      log.error({ err: toError(thrown), path, attempt: progress.failures + 1 }, 'a reconcile failed unexpectedly');
      return { type: 'error', error: toError(thrown) };
    }
  }

  /** Writes the result of an attempt if the status changes, and returns the time of the next reconcile. */
  async #conclude(
    object: Resource<K>,
    progress: Progress,
    path: Path,
    ending: Ending<StatusPatch<K>>,
  ): Promise<{ verdict: Verdict; written: Resource<K> }> {
    const { world } = this.#options;
    const failed = isFailed(ending, path);
    const failures = progress.failures + 1;
    const now = world.now();
    const settlement = settle(object, ending, { path, now, failures, random: world.random() });
    const isUnsaid = ending.type === 'yield' && ending.unsaid === true;
    const status = isUnsaid
      ? undefined
      : nextStatus(object, ending.type === 'error' ? undefined : ending.status, settlement, now);
    try {
      const written = status ? await this.#write(object, progress, status) : object;
      if (failed) progress.failures = failures;
      return { verdict: verdictOf(ending, failed, settlement.after_ms), written };
    } catch (thrown) {
      if (ending.type === 'error' || isRace(thrown)) throw thrown;
      // The status of the provisioner may be invalid and impossible to store. The failure itself can be stored.
      this.#log(object.metadata.name, thrown, 'a status could not be written');
      return this.#conclude(object, progress, path, { type: 'error', error: toError(thrown) });
    }
  }

  async #write(
    object: Resource<K>,
    progress: Progress,
    status: NonNullable<Resource<K>['status']>,
  ): Promise<Resource<K>> {
    const { store, telemetry, controller, onTransition } = this.#options;
    const { name, resourceVersion } = object.metadata;
    const written = await store.updateStatus(this.#kind, { metadata: { name, resourceVersion }, of: object, status });
    progress.knows(written.metadata);
    for (const stream of streams) {
      const transition = transitionBetween(stream, this.#kind, object, written);
      if (!transition) continue;
      announceTransition(telemetry.log, transition);
      contain(telemetry, controller, 'onTransition', () => onTransition?.(transition));
    }
    return written;
  }

  /**
   * The finalizer is stored before anything is provisioned, and removed after everything is deprovisioned, so that no
   * external resource is lost.
   */
  async #setFinalizers(object: Resource<K>, progress: Progress, wanted: readonly string[]): Promise<Resource<K>> {
    const metadata = { ...object.metadata, finalizers: wanted };
    const written = await this.#options.store.update(this.#kind, { metadata, spec: object.spec });
    progress.knows(written.metadata);
    return written;
  }

  /** Handles errors outside the provisioner: a lost race is reconciled again, all others are failures of the store. */
  #mishap(name: string, progress: Progress, thrown: unknown, signal: AbortSignal): Verdict {
    progress.distrustCache();
    if (signal.aborted) return { outcome: 'cancelled' };
    if (isRace(thrown)) {
      progress.races++;
      return { outcome: 'raced', after_ms: limits.conflict_ms };
    }
    progress.failures++;
    this.#log(name, thrown, 'an object could not be reconciled');
    return { outcome: 'errored', after_ms: backoff_ms(progress.failures, this.#options.world.random()) };
  }

  #log(name: string, thrown: unknown, message: string): void {
    const { telemetry, controller } = this.#options;
    telemetry.log.error({ err: toError(thrown), controller, kind: this.#kind.kind, id: name }, message);
  }
}

/** Another process changed or removed the object first. */
function isRace(thrown: unknown): boolean {
  return isProblem(thrown, 'conflict') || isProblem(thrown, 'not_found');
}

function verdictOf(ending: Ending, failed: boolean, after_ms: number | undefined): Verdict {
  const outcome = failed ? 'errored' : ending.type === 'done' ? 'done' : ending.type === 'yield' ? 'yielded' : 'parked';
  return after_ms === undefined ? { outcome } : { outcome, after_ms };
}
