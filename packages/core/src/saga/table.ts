import { Compile } from 'typebox/compile';
import type { Static, TSchema, TVoid } from 'typebox';

import type { DeepReadonly } from '../kinds/index.ts';

/** The outputs of steps, by step. */
export type StepOutputs = Readonly<Record<string, unknown>>;

/** The input of a step. */
export interface StepContext<Input = unknown, Outputs extends StepOutputs = StepOutputs> {
  /**
   * Unique to this run, and the same after a crash: store it on everything that you create, and check it before you
   * delete.
   */
  readonly sagaId: string;
  readonly input: Input;
  /** The outputs of the previous steps. */
  readonly outputs: Outputs;
}

/** `output` is absent when the step never ran, or ran without being recorded. */
export type UndoContext<Input, Outputs extends StepOutputs, Output> = StepContext<Input, Outputs> & {
  readonly output?: Output;
};

/**
 * One row of the table.
 *
 * An effect and its record are two separate writes, and the process can die between them. Therefore:
 * - `do` may run again after it has succeeded: running it twice must have the same result as running it once;
 * - `undo` may run when `do` never started, was interrupted, or was already undone: it must then do nothing;
 * - `undo` must only undo the effects of THIS run. Another run may have created an object with the same name before or
 *   meanwhile: compare `sagaId`.
 *
 * A value that `do` returns is recorded durably before the next step. A step that returns nothing costs no write.
 */
export type StepRow<Name extends string, Input, Outputs extends StepOutputs, Returns extends TSchema> = {
  readonly name: Name;
  /**
   * The schema of the value that `do` returns; left out when it returns nothing. It is stored without encryption: no
   * secrets.
   */
  readonly returns?: Returns;
  readonly do: (context: StepContext<Input, Outputs>) => Promise<DeepReadonly<Static<Returns>>>;
} & (
  | { readonly undo: (context: UndoContext<Input, Outputs, DeepReadonly<Static<Returns>>>) => Promise<void> }
  | { /** Why there is nothing to undo. */ readonly noUndo: string }
);

/** A row whose types have been checked against the record. */
export interface Step {
  readonly name: string;
  readonly returns: boolean;
  readonly do: (context: StepContext) => Promise<unknown>;
  readonly undo?: (context: StepContext) => Promise<void>;
}

type Named<Name extends string, Returns extends TSchema> = { readonly [Key in Name]: DeepReadonly<Static<Returns>> };

/** A table starts with unknown outputs. From the first row that returns a value, they are exactly those of its rows. */
type With<Outputs extends StepOutputs, Name extends string, Returns extends TSchema> = Returns extends TVoid
  ? Outputs
  : StepOutputs extends Outputs
    ? Named<Name, Returns>
    : Outputs & Named<Name, Returns>;

type Fits<Input, Outputs extends StepOutputs> = (context: StepContext) => context is StepContext<Input, Outputs>;

/** The rows of a saga so far, and the types of their outputs. */
export class StepTable<Input, Outputs extends StepOutputs> {
  readonly steps: readonly Step[];
  /** Whether a context that was read from the record is valid for the next row. */
  readonly fits: Fits<Input, Outputs>;

  constructor(steps: readonly Step[], fits: Fits<Input, Outputs>) {
    this.steps = steps;
    this.fits = fits;
  }

  step<const Name extends string, Returns extends TSchema = TVoid>(
    row: StepRow<Name, Input, Outputs, Returns>,
  ): StepTable<Input, With<Outputs, Name, Returns>> {
    if (this.steps.some((step) => step.name === row.name)) throw new Error(`two steps are named ${row.name}`);
    const { name } = row;
    const { fits } = this;
    const isOutput = row.returns && outputCheck(row.returns);
    const step: Step = {
      name,
      returns: isOutput !== undefined,
      do: async (context) => {
        const output = await row.do(fitting(name, context, fits));
        if (isOutput && !isOutput(output))
          throw new Error(`step ${name} returned a value that does not match its schema`);
        return output;
      },
      ...('undo' in row
        ? {
            undo: async (context) =>
              row.undo(withOwnOutput(fitting(name, context, fits), context.outputs[name], isOutput)),
          }
        : {}),
    };
    const fitsNext = (context: StepContext): context is StepContext<Input, With<Outputs, Name, Returns>> =>
      fits(context) && (isOutput?.(context.outputs[name]) ?? true);
    return new StepTable([...this.steps, step], fitsNext);
  }
}

function outputCheck<Returns extends TSchema>(
  returns: Returns,
): (value: unknown) => value is DeepReadonly<Static<Returns>> {
  const validator = Compile(returns);
  return (value): value is DeepReadonly<Static<Returns>> => validator.Check(value);
}

function fitting<Input, Outputs extends StepOutputs>(
  step: string,
  context: StepContext,
  fits: Fits<Input, Outputs>,
): StepContext<Input, Outputs> {
  if (!fits(context)) throw new Error(`the saga record does not match step ${step} of this release`);
  return context;
}

function withOwnOutput<Input, Outputs extends StepOutputs, Output>(
  context: StepContext<Input, Outputs>,
  value: unknown,
  isOutput: ((value: unknown) => value is Output) | undefined,
): UndoContext<Input, Outputs, Output> {
  return isOutput?.(value) ? { ...context, output: value } : context;
}
