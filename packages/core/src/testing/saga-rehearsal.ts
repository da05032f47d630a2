import type { Kind } from '../kinds/index.ts';
import {
  resumesAfterCrash,
  Saga,
  SagaRunner,
  unfinishedSagas,
  type BoundSaga,
  type Step,
  type UnfinishedSaga,
} from '../saga/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import type { Store } from '../store/index.ts';
import type { VirtualWorld } from '../world/index.ts';
import { Life } from './life.ts';
import { silentTelemetry } from './telemetry.ts';
import { virtualWorld } from './world.ts';

/** How a saga is tested. */
export interface SagaScenario {
  readonly saga: { readonly name: string };
  /** The kinds that its steps store. */
  readonly kinds: readonly Kind[];
  /** Called for each rehearsal, with an empty store. */
  readonly setup: (stage: { readonly store: Store; readonly world: VirtualWorld }) => Promise<SagaStage>;
}

export interface SagaStage {
  readonly input: Readonly<Record<string, unknown>>;
  /** Called for each run of the process. It can die at every effect that uses its store. */
  readonly bind: (process: { readonly store: Store }) => BoundSaga;
  /** Everything that the saga may change outside its log, without times and versions, which differ between runs. */
  readonly snapshot: () => Promise<unknown>;
}

export type Fault =
  | { readonly on: 'do'; readonly step: string; readonly when: 'before' | 'after'; readonly error: Error }
  | { readonly on: 'do'; readonly step: string; readonly when: 'twice' }
  | { readonly on: 'undo'; readonly step: string; readonly when: 'twice' | 'failing before' | 'failing after' };

interface Circumstances {
  /** Only used in the first run of the process. */
  readonly faults?: readonly Fault[];
  /** The effect at which each run of the process ends. The run after the last one continues to the end. */
  readonly deaths?: readonly number[];
  /** The same saga has already run once with the same input. */
  readonly afterAnotherRun?: boolean;
}

export interface Rehearsal {
  readonly steps: readonly Step[];
  readonly result: 'done' | 'failed' | 'died';
  readonly error?: unknown;
  readonly before: unknown;
  readonly after: unknown;
  readonly unfinished: readonly UnfinishedSaga[];
  /** The number of points in each run at which the process could have died. */
  readonly cuts: readonly number[];
  readonly diedAt: readonly string[];
  /** The end that the record after the last death requires. */
  readonly owed: 'clean' | 'done' | 'either';
}

/** How often a failing undo fails before it succeeds: less often than makes a saga stuck. */
const undoFailures = 3;

/** Longer than any saga whose undos fail a few times. */
const patience_ms = 10 * 60_000;

/** Runs a saga once, under the given conditions, in its own world. */
export async function rehearse(
  scenario: SagaScenario,
  { faults = [], deaths = [], afterAnotherRun = false }: Circumstances = {},
): Promise<Rehearsal> {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Saga, ...scenario.kinds] });
  const stage = await scenario.setup({ store, world });
  if (afterAnotherRun) await play(stage, store, world, { name: 'another', faults: [] });
  const before = await stage.snapshot();
  const first = await play(stage, store, world, { name: 'life 1', faults, death: deaths[0] });
  const lives = [first.life];
  let owed: Rehearsal['owed'] = 'either';
  for (let died = first.life.died; died; died = lives.at(-1)?.died ?? false) {
    owed = await owedBy(store, first.saga);
    lives.push(await recover(stage, store, world, { name: `life ${lives.length + 1}`, death: deaths[lives.length] }));
  }
  const after = await stage.snapshot();
  const unfinished = await unfinishedSagas(store);
  await store.close();
  const { result, error } = first;
  const cuts = lives.map((life) => life.cuts);
  const diedAt = lives.flatMap((life) => life.diedAt ?? []);
  return { steps: first.saga.steps, result, error, before, after, unfinished, cuts, diedAt, owed };
}

interface Part {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly death?: number | undefined;
}

/** A run of the process in which a caller starts the saga. */
async function play(stage: SagaStage, store: Store, world: VirtualWorld, { name, faults, death }: Part) {
  const life = new Life(store, death);
  const saga = onStage(stage, life, faults);
  const runner = new SagaRunner({
    store: life.store,
    world,
    telemetry: silentTelemetry(),
    processName: name,
    sagas: [saga],
  });
  let result: Rehearsal['result'] = 'died';
  let error: unknown;
  void runner.run(saga as BoundSaga<Readonly<Record<string, unknown>>>, stage.input).then(
    () => (result = 'done'),
    (reason: unknown) => {
      result = 'failed';
      error = reason;
    },
  );
  await world.until(async () => life.died || (result !== 'died' && (await isSettled(store))), patience_ms);
  return { life, saga, result, error };
}

/** A run of the process that only recovers earlier sagas. */
async function recover(
  stage: SagaStage,
  store: Store,
  world: VirtualWorld,
  { name, death }: Omit<Part, 'faults'>,
): Promise<Life> {
  const life = new Life(store, death);
  const runner = new SagaRunner({
    store: life.store,
    world,
    telemetry: silentTelemetry(),
    processName: name,
    sagas: [onStage(stage, life, [])],
  });
  const end = new AbortController();
  runner.start(end.signal);
  await world.until(async () => life.died || (await isSettled(store)), patience_ms);
  end.abort();
  return life;
}

async function isSettled(store: Store): Promise<boolean> {
  return (await unfinishedSagas(store)).every(({ state }) => state === 'stuck');
}

async function owedBy(store: Store, saga: BoundSaga): Promise<Rehearsal['owed']> {
  const [record] = (await store.list(Saga)).items;
  if (!record) return 'either';
  return !resumesAfterCrash(saga, record.spec.input) || record.status?.failedStep !== undefined ? 'clean' : 'done';
}

/** The saga as bound by the scenario, in this run of the process, with these faults. */
function onStage(stage: SagaStage, life: Life, faults: readonly Fault[]): BoundSaga {
  const saga = stage.bind({ store: life.store });
  return {
    ...saga,
    steps: saga.steps.map((step) =>
      mortal(life, faults.filter((fault) => fault.step === step.name).reduce(disturbed, step)),
    ),
  };
}

function mortal(life: Life, step: Step): Step {
  const { undo } = step;
  return {
    ...step,
    do: (context) => life.effect(`do ${step.name}`, () => step.do(context)),
    ...(undo ? { undo: (context) => life.effect(`undo ${step.name}`, () => undo(context)) } : {}),
  };
}

function disturbed(step: Step, fault: Fault): Step {
  if (fault.on === 'do') return { ...step, do: disturbedDo(step, fault) };
  return step.undo ? { ...step, undo: disturbedUndo(step.undo, fault.when) } : step;
}

function disturbedDo(step: Step, fault: Extract<Fault, { on: 'do' }>): Step['do'] {
  return async (context) => {
    if (fault.when === 'before') throw fault.error;
    await step.do(context);
    if (fault.when === 'after') throw fault.error;
    return step.do(context);
  };
}

function disturbedUndo(
  undo: NonNullable<Step['undo']>,
  when: Extract<Fault, { on: 'undo' }>['when'],
): NonNullable<Step['undo']> {
  let failures = 0;
  return async (context) => {
    const fails = when !== 'twice' && failures++ < undoFailures;
    if (fails && when === 'failing before') throw new Error('the undo was made to fail before its effect');
    await undo(context);
    if (when === 'twice') await undo(context);
    if (fails) throw new Error('the undo was made to fail after its effect');
  };
}
