import { Problem, toError } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import { Abandonment } from './abandonment.ts';
import { serviceOf, type BoundSaga } from './definition.ts';
import { Execution } from './execution.ts';
import { alreadyRunning, Holding } from './holding.ts';
import { Saga, type SagaRecord } from './kind.ts';
import { fromTheStart, planRecovery, type Course } from './progress.ts';
import { SagaReport, type SagaListener } from './report.ts';
import type { StepContext, StepOutputs } from './table.ts';
import { unfinishedSagas, type UnfinishedSaga } from './unfinished.ts';

export interface SagaRunnerOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Identifies this run of the process, such as host name and a random part. All runners of a process share it. */
  readonly processName: string;
  /** All sagas of the services in this process. It cannot recover runs of other sagas. */
  readonly sagas: readonly BoundSaga[];
  readonly onEvent?: SagaListener;
}

interface Running {
  readonly execution: Execution;
  readonly finished: Promise<void>;
}

/**
 * Runs the sagas of a service, and completes the runs that earlier processes left.
 *
 * @example
 * const createInstance = bind(createInstanceSaga, { quota, instances });
 * const sagas = new SagaRunner({ store, world, telemetry, processName, sagas: [createInstance] });
 * sagas.start(signal);
 * const { chargeQuota } = await sagas.run(createInstance, { instanceId, cores: 4 });
 */
export class SagaRunner {
  readonly #options: SagaRunnerOptions;
  readonly #sagas: ReadonlyMap<string, BoundSaga>;
  readonly #services: ReadonlySet<string>;
  readonly #report: SagaReport;
  readonly #abandonment: Abandonment;
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  readonly #stuckBefore = new Set<string>();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: SagaRunnerOptions) {
    this.#options = options;
    this.#sagas = new Map(options.sagas.map((saga) => [saga.name, saga]));
    this.#services = new Set(options.sagas.map((saga) => serviceOf(saga.name)));
    this.#report = new SagaReport(options);
    this.#abandonment = new Abandonment(options);
  }

  /**
   * Runs a saga to its end and resolves with the outputs of its steps. If a step fails, it rejects with the error of
   * that step: after everything is undone or, if undos need retries, while they continue. The run does not depend on a
   * request: it continues when the client disconnects.
   *
   * Without an id, the run gets a random one. While a run is unfinished, another one with the same id is refused with
   * `StillInProgress`. A run with the id of an earlier one repeats the steps that the earlier one did.
   */
  async run<Input extends Readonly<Record<string, unknown>>, Outputs extends StepOutputs>(
    saga: BoundSaga<Input, Outputs>,
    input: Input,
    id?: string,
  ): Promise<Outputs> {
    if (this.#stopping.signal.aborted)
      throw new Problem('unavailable', 'the control plane is shutting down; try again');
    if (this.#sagas.get(saga.name) !== saga)
      throw new Error(`saga ${saga.name} was not given to this runner, so it could not be recovered`);
    if (!saga.isInput(input))
      throw new Problem('invalid_object', `the input of saga ${saga.name} does not match its schema`);
    if (id !== undefined && this.#running.has(id)) throw alreadyRunning();
    const holding = await Holding.begin(this.#options, saga.name, input, { holder: this.#options.processName, id });
    this.#report.metrics.started.inc({ saga: saga.name });
    const context = await this.#carryOut(saga, holding, fromTheStart);
    if (!saga.isDone(context)) throw new Error(`saga ${saga.name} ended without the outputs it declares`);
    return context.outputs;
  }

  /** Starts to recover abandoned sagas, now and repeatedly until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#sweeping = this.#sweepUntil(AbortSignal.any([signal, this.#stopping.signal]));
  }

  /** Accepts no new sagas, waits for the running ones for a limited time, and leaves the rest to the next process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const noMoreWaiting = new AbortController();
    await Promise.race([this.#allEnded(), this.#options.world.sleep(limits.drain_ms, noMoreWaiting.signal)]);
    noMoreWaiting.abort();
    for (const { execution } of this.#running.values()) execution.holding.release();
  }

  /** The sagas of this runner's services that have not ended. */
  async unfinished(): Promise<readonly UnfinishedSaga[]> {
    const all = await unfinishedSagas(this.#options.store, this.#sagas);
    return all.filter(({ name }) => this.#services.has(serviceOf(name)));
  }

  #carryOut(saga: BoundSaga, holding: Holding, course: Course): Promise<StepContext> {
    const { world } = this.#options;
    const execution = new Execution({ saga, holding, world, report: this.#report, stopping: this.#stopping.signal });
    const { promise, resolve, reject } = Promise.withResolvers<StepContext>();
    const finished = execution
      .carryOut(course, { done: resolve, failed: reject })
      .finally(() => this.#running.delete(holding.id));
    this.#running.set(holding.id, { execution, finished });
    return promise;
  }

  async #allEnded(): Promise<void> {
    await this.#sweeping;
    await Promise.all([...this.#running.values()].map(({ finished }) => finished));
  }

  async #sweepUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#sweep().catch((error: unknown) => {
        this.#options.telemetry.log.warn({ err: toError(error) }, 'unfinished sagas could not be listed');
      });
      await this.#options.world.sleep(limits.lease_ms / 3, signal);
    }
  }

  async #sweep(): Promise<void> {
    const { items } = await this.#options.store.list(Saga, { cached: true });
    const ours = items.filter(({ spec }) => this.#services.has(serviceOf(spec.saga)));
    this.#countStuck(ours);
    const abandoned = this.#abandonment.among(ours.filter(({ metadata }) => !this.#running.has(metadata.name)));
    for (const record of abandoned) {
      await this.#recover(record).catch((error: unknown) => {
        this.#report.warn(record, 'a saga could not be taken over', { err: toError(error) });
      });
    }
  }

  async #recover(record: SagaRecord): Promise<void> {
    const saga = this.#sagas.get(record.spec.saga);
    if (!saga) return this.#markStuck(record, 'no saga of this name exists in this release');
    const course = planRecovery(saga, record);
    if (!course) return this.#markStuck(record, 'the steps it recorded are not those of this release');
    const holding = await Holding.takeOver(this.#options, record, this.#options.processName);
    if (!holding) return;
    this.#report.metrics.recovered.inc({ saga: saga.name, action: course.action });
    this.#report.warn(record, 'a saga is recovered', { action: course.action, holder: record.spec.holder });
    void this.#carryOut(saga, holding, course).catch(() => undefined);
  }

  async #markStuck(record: SagaRecord, reason: string): Promise<void> {
    const { metadata, status } = record;
    if (status?.phase === 'stuck' && status.error === reason) return;
    this.#report.error(record, 'a saga cannot be recovered', { reason });
    await this.#options.store.updateStatus(Saga, { metadata, status: { ...status, phase: 'stuck', error: reason } });
  }

  #countStuck(records: readonly SagaRecord[]): void {
    const stuck = records.filter(({ status }) => status?.phase === 'stuck').map(({ spec }) => spec.saga);
    for (const saga of new Set([...this.#stuckBefore, ...stuck])) {
      this.#report.metrics.stuck.set({ saga }, stuck.filter((name) => name === saga).length);
      this.#stuckBefore.add(saga);
    }
  }
}
