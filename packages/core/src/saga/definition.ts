import { Compile } from 'typebox/compile';
import type { Static, TObject } from 'typebox';

import type { DeepReadonly } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { StepTable, type Step, type StepContext, type StepOutputs } from './table.ts';

/**
 * How to handle a run whose process died: `unwind` undoes it, `resume` completes it. `resume changes` undoes creations
 * and completes changes; a run is a change if its input has a `before` state. A controller may already have acted on
 * the change, for example replaced a disk, and undoing the change would destroy more data.
 */
export type OnCrash = 'unwind' | 'resume' | 'resume changes';

export function resumesAfterCrash(
  { onCrash }: { readonly onCrash: OnCrash },
  input: Readonly<Record<string, unknown>>,
): boolean {
  return onCrash === 'resume' || (onCrash === 'resume changes' && input['before'] !== undefined);
}

interface SagaDeclaration<Schema extends TObject, Deps, Outputs extends StepOutputs> {
  /** `<service>.<resource>.<verb>`. A service recovers every run whose name begins with the service name. */
  readonly name: string;
  /** Stored without encryption: no secrets. */
  readonly input: Schema;
  readonly onCrash: OnCrash;
  readonly steps: (
    table: StepTable<DeepReadonly<Static<Schema>>, StepOutputs>,
    deps: Deps,
  ) => StepTable<DeepReadonly<Static<Schema>>, Outputs>;
}

/** A declared saga. `bind` adds the dependencies of its steps. */
export interface SagaDefinition<Deps, Input, Outputs extends StepOutputs> {
  readonly name: string;
  readonly onCrash: OnCrash;
  readonly isInput: (value: unknown) => value is Input;
  readonly steps: (deps: Deps) => StepTable<Input, Outputs>;
}

/** A saga that can run. */
export interface BoundSaga<Input = unknown, Outputs extends StepOutputs = StepOutputs> {
  readonly name: string;
  readonly onCrash: OnCrash;
  readonly isInput: (value: unknown) => value is Input;
  readonly steps: readonly Step[];
  readonly isDone: (context: StepContext) => context is StepContext<Input, Outputs>;
}

const namePattern = /^[a-z]+(\.[a-z][a-zA-Z]*)+$/;

const registered = new Map<string, Pick<SagaDefinition<never, unknown, StepOutputs>, 'name' | 'onCrash'>>();

/** Every saga that is defined in this process, so that a test can check all of them. */
export function registeredSagas(): readonly Pick<SagaDefinition<never, unknown, StepOutputs>, 'name' | 'onCrash'>[] {
  return [...registered.values()];
}

/** The service of a saga: the first word of its name. */
export function serviceOf(saga: string): string {
  return saga.replace(/\..*/, '');
}

/**
 * Declares a saga: a table of steps that are either all done or all undone, even if the process crashes.
 *
 * @example
 * export const createInstance = defineSaga({
 *   name: 'compute.instance.create',
 *   input: Type.Object({ instanceId: Type.String(), cores: Type.Integer() }),
 *   onCrash: 'unwind',
 *   steps: (table, { quota, instances }: CreateInstanceDeps) =>
 *     table
 *       .step({
 *         name: 'chargeQuota',
 *         returns: Type.Object({ allocationId: Type.String() }),
 *         do: ({ input, sagaId }) => quota.charge(input.instanceId, input.cores, sagaId),
 *         undo: ({ input, sagaId }) => quota.release(input.instanceId, sagaId),
 *       })
 *       .step({
 *         name: 'storeInstance',
 *  do: ({ input, outputs, sagaId }) => instances.create(input.instanceId, outputs.chargeQuota.allocationId, sagaId),
 *         undo: ({ input, sagaId }) => instances.deleteIfMadeBy(input.instanceId, sagaId),
 *       }),
 * });
 */
export function defineSaga<Schema extends TObject, Deps, Outputs extends StepOutputs>(
  declaration: SagaDeclaration<Schema, Deps, Outputs>,
): SagaDefinition<Deps, DeepReadonly<Static<Schema>>, Outputs> {
  type Input = DeepReadonly<Static<Schema>>;
  const { name, onCrash } = declaration;
  if (!namePattern.test(name) || name.length > limits.labelLength)
    throw new Error(`saga name ${name} does not have the form service.resource.verb`);
  if (registered.has(name)) throw new Error(`two sagas are named ${name}`);
  registered.set(name, { name, onCrash });
  const validator = Compile(declaration.input);
  /** Every step checks the same input. */
  const checked = new WeakSet();
  const isInput = (value: unknown): value is Input => {
    if (typeof value !== 'object' || value === null) return validator.Check(value);
    if (checked.has(value)) return true;
    const fits = validator.Check(value);
    if (fits) checked.add(value);
    return fits;
  };
  const fits = (context: StepContext): context is StepContext<Input> => isInput(context.input);
  return { name, onCrash, isInput, steps: (deps) => declaration.steps(new StepTable([], fits), deps) };
}

/**
 * Adds the dependencies of the steps to a saga. A service does this once, where it is wired.
 *
 * @example const createInstance = bind(createInstanceSaga, { quota, instances });
 */
export function bind<Deps, Input, Outputs extends StepOutputs>(
  saga: SagaDefinition<Deps, Input, Outputs>,
  deps: Deps,
): BoundSaga<Input, Outputs> {
  const { name, onCrash, isInput } = saga;
  const { steps, fits } = saga.steps(deps);
  if (steps.length === 0) throw new Error(`saga ${name} has no steps`);
  return { name, onCrash, isInput, steps, isDone: fits };
}
