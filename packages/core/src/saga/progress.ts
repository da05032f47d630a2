import { resumesAfterCrash, type BoundSaga } from './definition.ts';
import type { SagaRecord } from './kind.ts';
import type { Step, StepOutputs } from './table.ts';

/** How a saga continues from its record. */
export type Course =
  | { readonly action: 'forward'; readonly from: number }
  /** `failedStep` is the last step that may have had an effect. */
  | { readonly action: 'unwind'; readonly failedStep: string; readonly error: unknown };

export const fromTheStart: Course = { action: 'forward', from: 0 };

/** The next action for a saga whose process died; undefined if its recorded steps are not those of this release. */
export function planRecovery(saga: BoundSaga, { spec, status }: SagaRecord): Course | undefined {
  const outputs = status?.outputs ?? {};
  if (!belongTo(saga.steps, outputs, status?.failedStep)) return undefined;
  if (status?.failedStep !== undefined) return { action: 'unwind', failedStep: status.failedStep, error: status.error };
  if (resumesAfterCrash(saga, spec.input)) return { action: 'forward', from: firstUnproven(saga.steps, outputs) };
  return { action: 'unwind', failedStep: lastPossible(saga.steps, outputs), error: 'the process that ran it ended' };
}

/** The steps to undo, in that order. The failed step comes first: it may have had an effect although it failed. */
export function stepsToUndo(steps: readonly Step[], failedStep: string): readonly Step[] {
  return steps.slice(0, steps.findIndex((step) => step.name === failedStep) + 1).reverse();
}

/**
 * A recorded output proves its step and all earlier ones. Later steps may or may not have run, so they are repeated.
 */
function firstUnproven(steps: readonly Step[], outputs: StepOutputs): number {
  return steps.findLastIndex((step) => step.name in outputs) + 1;
}

/** A step starts only after all earlier outputs are recorded, so no step after the first missing one can have run. */
function lastPossible(steps: readonly Step[], outputs: StepOutputs): string {
  const last = steps.find((step) => step.returns && !(step.name in outputs)) ?? steps.at(-1);
  if (!last) throw new Error('a saga without steps was bound');
  return last.name;
}

function belongTo(steps: readonly Step[], outputs: StepOutputs, failedStep: string | undefined): boolean {
  const names = new Set(steps.map((step) => step.name));
  const proven = steps.slice(0, firstUnproven(steps, outputs));
  return (
    Object.keys(outputs).every((name) => names.has(name)) &&
    proven.every((step) => !step.returns || step.name in outputs) &&
    (failedStep === undefined || names.has(failedStep))
  );
}

/**
 * `done`: it took effect, and is not known to be undone. `open`: it may not have run yet. `skipped`: it never ran,
 * because a step before it failed.
 */
export const stepStates = ['done', 'open', 'failed', 'undoing', 'undone', 'skipped'] as const;

export interface StepProgress {
  readonly name: string;
  readonly state: (typeof stepStates)[number];
}

/** How far each step of a saga is, as far as its record says. Empty if the record is not of this release. */
export function progressOf(saga: BoundSaga, { status = {} }: Pick<SagaRecord, 'status'>): readonly StepProgress[] {
  const { outputs = {}, failedStep, undo } = status;
  const { steps } = saga;
  if (!belongTo(steps, outputs, failedStep)) return [];
  const proven = firstUnproven(steps, outputs);
  const failed = steps.findIndex(({ name }) => name === failedStep);
  const undoing = steps.findIndex(({ name }) => name === undo?.step);
  return steps.map(({ name }, index) => ({ name, state: stateAt(index, { proven, failed, undoing }) }));
}

/** The places are -1 if there is no such step. */
function stateAt(
  index: number,
  { proven, failed, undoing }: { readonly proven: number; readonly failed: number; readonly undoing: number },
): StepProgress['state'] {
  if (failed < 0) return index < proven ? 'done' : 'open';
  if (index > failed) return 'skipped';
  if (undoing < 0) return index === failed ? 'failed' : 'done';
  if (index === undoing) return 'undoing';
  return index > undoing ? 'undone' : 'done';
}
