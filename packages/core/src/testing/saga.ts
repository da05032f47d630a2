import { isDeepStrictEqual } from 'node:util';

import { describe, expect, it } from 'vitest';

import { registeredSagas, serviceOf } from '../saga/index.ts';
import { rehearse, type Fault, type Rehearsal, type SagaScenario } from './saga-rehearsal.ts';

export type { SagaScenario, SagaStage } from './saga-rehearsal.ts';

/** The findings of a check, one sentence each. */
export type Findings = readonly string[];

/** Hundreds of rehearsals take a while on a busy machine. */
const patience_ms = 180_000;

/** The guarantees of every saga, each with its check. The checks are functions so that they can be tested. */
export const sagaChecks: Readonly<Record<string, (scenario: SagaScenario) => Promise<Findings>>> = {
  'it has the expected result and leaves no record': succeeds,
  'a step that fails, before or after its effect, leaves nothing behind': failsCleanly,
  'it does not undo anything that another run did': sparesOthers,
  'a step that runs twice has the same result as one that runs once': repeatsSteps,
  'an undo that repeats, or fails a few times, leaves nothing behind': repeatsUndos,
  'a process that dies at any point leaves it either done or undone': survivesDeath,
  'a process that dies again during recovery leaves it either done or undone': survivesTwoDeaths,
};

/** The number of pairs of deaths grows with the square of a saga's length. This many, evenly spread, are enough. */
const pairsOfDeaths = 100;

/**
 * Runs every check on every saga of a service. It needs vitest, so it is imported from `@unikorn/core/testing/saga`. A
 * registered saga without a scenario fails, so that a new one cannot be forgotten. The calling test has to import all
 * sagas, preferably through the service's own wiring.
 *
 * @example describeSagas('compute', [{ saga: createInstance, kinds: [ComputeInstance], setup }]);
 */
export function describeSagas(service: string, scenarios: readonly SagaScenario[]): void {
  describe(`sagas of ${service}`, () => {
    it('all have a scenario', () => {
      expect(sagasWithoutScenario(service, scenarios)).toEqual([]);
    });
    describe.each(scenarios.map((scenario) => ({ name: scenario.saga.name, scenario })))('$name', ({ scenario }) => {
      it.each(Object.entries(sagaChecks))(
        '%s',
        async (_promise, check) => {
          expect(await check(scenario)).toEqual([]);
        },
        patience_ms,
      );
    });
  });
}

export function sagasWithoutScenario(service: string, scenarios: readonly SagaScenario[]): readonly string[] {
  const covered = new Set(scenarios.map(({ saga }) => saga.name));
  return registeredSagas()
    .map(({ name }) => name)
    .filter((name) => serviceOf(name) === service && !covered.has(name));
}

async function succeeds(scenario: SagaScenario): Promise<Findings> {
  const run = await rehearse(scenario);
  if (run.result !== 'done') return [`it failed: ${String(run.error)}`];
  if (isDeepStrictEqual(run.before, run.after)) return ['the snapshot does not show what the saga does'];
  return leftovers('it succeeded', run);
}

async function failsCleanly(scenario: SagaScenario): Promise<Findings> {
  const findings: string[] = [];
  for (const fault of await doFaults(scenario)) {
    const run = await rehearse(scenario, { faults: [fault] });
    const story = `step ${fault.step} failed ${fault.when} its effect`;
    if (run.result !== 'failed' || run.error !== fault.error)
      findings.push(`${story}: run did not reject with the error of the step`);
    findings.push(...cleanSlate(story, run));
  }
  return findings;
}

/** Another run of the same saga with the same input came first. Its effects must survive any failure of this run. */
async function sparesOthers(scenario: SagaScenario): Promise<Findings> {
  const findings: string[] = [];
  for (const fault of await doFaults(scenario)) {
    const run = await rehearse(scenario, { faults: [fault], afterAnotherRun: true });
    if (run.result === 'failed')
      findings.push(...cleanSlate(`another run was first and step ${fault.step} failed ${fault.when} its effect`, run));
  }
  return findings;
}

async function repeatsSteps(scenario: SagaScenario): Promise<Findings> {
  const once = await rehearse(scenario);
  const findings: string[] = [];
  for (const { name } of once.steps) {
    const run = await rehearse(scenario, { faults: [{ on: 'do', step: name, when: 'twice' }] });
    const story = `step ${name} was done twice`;
    if (run.result !== 'done') findings.push(`${story}: it failed: ${String(run.error)}`);
    else findings.push(...same(story, 'done once', once.after, run.after), ...leftovers(story, run));
  }
  return findings;
}

async function repeatsUndos(scenario: SagaScenario): Promise<Findings> {
  const { steps } = await rehearse(scenario);
  const last = steps.at(-1);
  if (!last) return ['it has no steps'];
  const findings: string[] = [];
  for (const { name } of steps.filter((step) => step.undo)) {
    for (const when of ['twice', 'failing before', 'failing after'] as const) {
      const run = await rehearse(scenario, { faults: [failure(last.name, 'after'), { on: 'undo', step: name, when }] });
      findings.push(...cleanSlate(`step ${last.name} failed and the undo of ${name} ran ${when}`, run));
    }
  }
  return findings;
}

async function survivesDeath(scenario: SagaScenario): Promise<Findings> {
  const done = await rehearse(scenario);
  const findings: string[] = [];
  for (const faults of [
    [],
    ...(await doFaults(scenario)).filter(({ when }) => when === 'after').map((fault) => [fault]),
  ]) {
    const { cuts } = await rehearse(scenario, { faults });
    for (let cut = 1; cut <= (cuts[0] ?? 0); cut++) {
      const run = await rehearse(scenario, { faults, deaths: [cut] });
      findings.push(
        ...settled(`${storyOf(faults)} and the process died at effect ${cut} (${run.diedAt.join(', ')})`, run, done),
      );
    }
  }
  return findings;
}

async function survivesTwoDeaths(scenario: SagaScenario): Promise<Findings> {
  const done = await rehearse(scenario);
  const last = done.steps.at(-1);
  if (!last) return ['it has no steps'];
  const findings: string[] = [];
  for (const faults of [[], [failure(last.name, 'after')]]) {
    for (const deaths of await pairs(scenario, faults)) {
      const run = await rehearse(scenario, { faults, deaths });
      findings.push(
        ...settled(
          `${storyOf(faults)} and processes died at effects ${deaths.join(' and ')} (${run.diedAt.join(', ')})`,
          run,
          done,
        ),
      );
    }
  }
  return findings;
}

async function pairs(scenario: SagaScenario, faults: readonly Fault[]): Promise<readonly (readonly number[])[]> {
  const all: number[][] = [];
  const { cuts } = await rehearse(scenario, { faults });
  for (let first = 1; first <= (cuts[0] ?? 0); first++) {
    const recovery = await rehearse(scenario, { faults, deaths: [first] });
    for (let second = 1; second <= (recovery.cuts[1] ?? 0); second++) all.push([first, second]);
  }
  const stride = Math.max(1, all.length / pairsOfDeaths);
  return Array.from(
    { length: Math.min(all.length, pairsOfDeaths) },
    (_, index) => all[Math.floor(index * stride)] ?? [],
  );
}

type DoFailure = Extract<Fault, { when: 'before' | 'after' }>;

function failure(step: string, when: 'before' | 'after'): DoFailure {
  return { on: 'do', step, when, error: new Error(`${step} failed ${when} its effect`) };
}

async function doFaults(scenario: SagaScenario): Promise<readonly DoFailure[]> {
  const { steps } = await rehearse(scenario);
  return steps.flatMap(({ name }) => [failure(name, 'before'), failure(name, 'after')]);
}

function storyOf(faults: readonly Fault[]): string {
  return faults.length === 0
    ? 'all went well'
    : faults.map(({ step, on, when }) => `${on} of ${step} failed ${when}`).join(', ');
}

/** After a death, the record that was left decides which of the two ends is correct. */
function settled(story: string, run: Rehearsal, done: Rehearsal): Findings {
  const left = leftovers(story, run);
  if (left.length > 0) return left;
  switch (run.owed) {
    case 'clean':
      return same(story, 'a clean slate', run.before, run.after);
    case 'done':
      return same(story, 'all done', done.after, run.after);
    case 'either':
      return isDeepStrictEqual(run.before, run.after)
        ? []
        : same(story, 'all done or a clean slate', done.after, run.after);
  }
}

function cleanSlate(story: string, run: Rehearsal): Findings {
  const left = leftovers(story, run);
  return left.length > 0 ? left : same(story, 'a clean slate', run.before, run.after);
}

function leftovers(story: string, { unfinished }: Rehearsal): Findings {
  return unfinished.map(
    ({ state, step, message }) =>
      `${story}: it is still ${state}${step === undefined ? '' : ` at step ${step}`}: ${message ?? 'nobody went on with it'}`,
  );
}

function same(story: string, what: string, expected: unknown, actual: unknown): Findings {
  return isDeepStrictEqual(expected, actual)
    ? []
    : [`${story}: expected ${what}, ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`];
}
