import { backoff_ms } from '../backoff.ts';
import { StillInProgress, toError } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { timestamp, type World } from '../world/index.ts';
import type { BoundSaga } from './definition.ts';
import { HoldLost, type Holding } from './holding.ts';
import type { SagaStatus } from './kind.ts';
import { stepsToUndo, type Course } from './progress.ts';
import { safeText, type SagaReport } from './report.ts';
import type { Step, StepContext, StepOutputs } from './table.ts';

/** The waiting caller of a saga. Only the first answer counts. */
export interface Answer {
  readonly done: (context: StepContext) => void;
  readonly failed: (error: unknown) => void;
}

interface ExecutionOptions {
  readonly saga: BoundSaga;
  readonly holding: Holding;
  readonly world: World;
  readonly report: SagaReport;
  /** Aborts when the process stops. Nothing is retried after that. */
  readonly stopping: AbortSignal;
}

type Turn = Pick<Extract<Course, { action: 'unwind' }>, 'failedStep' | 'error'>;

/** One saga that this process runs. */
export class Execution {
  readonly holding: Holding;
  readonly #saga: BoundSaga;
  readonly #world: World;
  readonly #report: SagaReport;
  readonly #stopping: AbortSignal;
  #outputs: StepOutputs;
  #lastLogged = '';

  constructor({ saga, holding, world, report, stopping }: ExecutionOptions) {
    this.holding = holding;
    this.#saga = saga;
    this.#world = world;
    this.#report = report;
    this.#stopping = stopping;
    this.#outputs = holding.record.status?.outputs ?? {};
  }

  /**
   * Runs the saga to its end and never rejects.
   *
   * If a step fails, the answer is its error. It is given after all undos have succeeded, so that a client that tries
   * again at once finds no remains. If an undo needs retries, the answer is given at once, because retries can take
   * longer than a client waits. The retries continue in either case.
   */
  async carryOut(course: Course, answer: Answer): Promise<void> {
    await this.#report.saga(this.holding.record, async () => {
      try {
        return await this.#follow(course, answer);
      } catch (error) {
        if (!(error instanceof HoldLost))
          this.#report.error(this.holding.record, 'a saga was left unfinished', { err: toError(error) });
        answer.failed(
          new StillInProgress(
            'the operation was interrupted, and another process completes it; read the resource again',
            { cause: error },
          ),
        );
        return 'left';
      } finally {
        this.holding.release();
      }
    });
  }

  async #follow(course: Course, answer: Answer): Promise<'done' | 'unwound'> {
    const turn = course.action === 'forward' ? await this.#forward(course.from) : course;
    if (turn) {
      await this.#unwind(turn, answer);
      return 'unwound';
    }
    await this.#insistOnRecord(() => this.holding.end());
    answer.done(this.#context());
    return 'done';
  }

  /** Undefined when every step has been done. */
  async #forward(from: number): Promise<Turn | undefined> {
    for (const step of this.#saga.steps.slice(from)) {
      try {
        await this.#do(step);
      } catch (error) {
        if (error instanceof HoldLost) throw error;
        this.#report.warn(this.holding.record, 'a step failed; the saga is being undone', {
          step: step.name,
          err: toError(error),
        });
        return { failedStep: step.name, error };
      }
    }
    return undefined;
  }

  async #do(step: Step): Promise<void> {
    await this.holding.ensure();
    const output = await this.#report.step(this.holding.record, step.name, 'do', () => step.do(this.#context()));
    if (!step.returns) return;
    const outputs = { ...this.#outputs, [step.name]: output };
    // The output of the last step is not recorded, because no later step needs it.
    if (step !== this.#saga.steps.at(-1)) await this.holding.update((status) => ({ ...status, outputs }));
    this.#outputs = outputs;
  }

  /**
   * Undoes in strict reverse order: the effect of an earlier step, such as a charge, is never released before the
   * resource that it paid for is removed.
   */
  async #unwind(turn: Turn, answer: Answer): Promise<void> {
    const giveUpWaiting = () => {
      answer.failed(turn.error);
    };
    if (this.holding.record.status?.failedStep === undefined)
      await this.#insistOnRecord(() => this.holding.update((status) => turned(status, turn)), giveUpWaiting);
    for (const step of stepsToUndo(this.#saga.steps, turn.failedStep)) await this.#undo(step, giveUpWaiting);
    await this.#insistOnRecord(() => this.holding.end(), giveUpWaiting);
    answer.failed(turn.error);
  }

  async #undo({ name, undo }: Step, giveUpWaiting: () => void): Promise<void> {
    if (!undo) return;
    const undoOnce = async () => {
      await this.holding.ensure();
      await this.#report.step(this.holding.record, name, 'undo', () => undo(this.#context()));
    };
    const before = this.holding.record.status?.undo;
    const attemptsBefore = before?.step === name ? before.attempts : 0;
    await this.#insist(undoOnce, async (failed) => {
      giveUpWaiting();
      await this.#noteFailedUndo(name, { ...failed, attempts: attemptsBefore + failed.attempts });
    });
  }

  #insistOnRecord(write: () => Promise<void>, giveUpWaiting?: () => void): Promise<void> {
    return this.#insist(write, ({ error }) => {
      this.#report.warn(this.holding.record, 'the record of a saga could not be written', { err: toError(error) });
      giveUpWaiting?.();
    });
  }

  /** Repeats an action until it succeeds. */
  async #insist(
    action: () => Promise<void>,
    onFailure: (failed: FailedAttempt) => void | Promise<void>,
  ): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      try {
        await action();
        return;
      } catch (error) {
        if (error instanceof HoldLost) throw error;
        const pause_ms = backoff_ms(attempts - 1, this.#world.random());
        await onFailure({ attempts, error, pause_ms });
        await this.#world.sleep(pause_ms, this.#stopping);
        if (this.#stopping.aborted)
          throw new HoldLost('the process is shutting down; the next process continues', { cause: error });
      }
    }
  }

  async #noteFailedUndo(step: string, { attempts, error, pause_ms }: FailedAttempt): Promise<void> {
    this.#report.metrics.undoRetries.inc({ saga: this.#saga.name, step });
    const phase = attempts >= limits.sagaStuckAttempts ? 'stuck' : 'unwinding';
    this.#logOnChange(`${phase} ${step} ${String(error)}`, () => {
      if (phase === 'stuck')
        this.#report.error(this.holding.record, 'an undo keeps failing', { step, err: toError(error) });
      else
        this.#report.warn(this.holding.record, 'an undo failed and will be retried', { step, reason: safeText(error) });
    });
    const undo = { step, attempts, nextAttempt: timestamp(this.#world.now() + pause_ms) };
    try {
      await this.holding.update((status) => ({ ...status, phase, undo, error: safeText(error) }));
    } catch (unrecorded) {
      if (unrecorded instanceof HoldLost) throw unrecorded;
      this.#report.warn(this.holding.record, 'a failed undo could not be recorded', { err: toError(unrecorded) });
    }
  }

  #logOnChange(change: string, log: () => void): void {
    if (change === this.#lastLogged) return;
    this.#lastLogged = change;
    log();
  }

  #context(): StepContext {
    return { sagaId: this.holding.id, input: this.holding.record.spec.input, outputs: this.#outputs };
  }
}

interface FailedAttempt {
  readonly attempts: number;
  readonly error: unknown;
  readonly pause_ms: number;
}

function turned(status: SagaStatus, { failedStep, error }: Turn): SagaStatus {
  return { ...status, phase: 'unwinding', failedStep, error: safeText(error) };
}
