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
