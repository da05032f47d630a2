import { describe, expect, it } from 'vitest';

import type { BoundSaga } from './definition.ts';
import type { SagaRecord, SagaStatus } from './kind.ts';
import { planRecovery, progressOf, stepsToUndo } from './progress.ts';
import type { StepContext } from './table.ts';

/** A saga of steps that return something (upper case) or nothing (lower case). */
function saga(steps: string, onCrash: BoundSaga['onCrash']): BoundSaga {
  return {
    name: 'sample.thing.do',
    onCrash,
    isInput: (value): value is unknown => value !== undefined,
    isDone: (context): context is StepContext => context.sagaId !== '',
    steps: Array.from(steps, (name) => ({ name, returns: name === name.toUpperCase(), do: () => Promise.resolve() })),
  };
}

function record(status?: SagaStatus): SagaRecord {
  const metadata = {
    name: 'r',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return {
    apiVersion: 'core.unikorn-cloud.org/v1alpha1',
    kind: 'Saga',
    metadata,
    spec: { saga: 'sample.thing.do', input: {}, holder: 'h', term: 1 },
    ...(status ? { status } : {}),
  };
}

const recorded = (names: string): SagaStatus => ({
  outputs: Object.fromEntries(Array.from(names, (name) => [name, {}])),
});

describe('recovery', () => {
  it('that resumes changes finishes the change of an existing object, and undoes the creation of a new one', () => {
    const changing = { ...record(), spec: { ...record().spec, input: { before: {}, after: {} } } };
    expect(planRecovery(saga('ab', 'resume changes'), changing)).toEqual({ action: 'forward', from: 0 });
    expect(
      planRecovery(saga('ab', 'resume changes'), { ...changing, status: { failedStep: 'b', error: 'refused' } }),
    ).toMatchObject({ action: 'unwind' });
    expect(planRecovery(saga('ab', 'resume changes'), record())).toMatchObject({ action: 'unwind', failedStep: 'b' });
  });

  it.each([
    ['aBcDe', '', 'B'],
    ['aBcDe', 'B', 'D'],
    ['aBcDe', 'BD', 'e'],
    ['abc', '', 'c'],
    ['A', '', 'A'],
    ['aB', '', 'B'],
  ])('of %s with outputs of "%s" unwinds from %s: no later step can have begun', (steps, outputs, failedStep) => {
    expect(planRecovery(saga(steps, 'unwind'), record(recorded(outputs)))).toMatchObject({
      action: 'unwind',
      failedStep,
    });
  });

  it.each([
    ['aBcDe', '', 0],
    ['aBcDe', 'B', 2],
    ['aBcDe', 'BD', 4],
    ['abc', '', 0],
  ])('of %s with outputs of "%s" resumes at step %i: all steps before are recorded', (steps, outputs, from) => {
    expect(planRecovery(saga(steps, 'resume'), record(recorded(outputs)))).toEqual({ action: 'forward', from });
  });

  it('of a saga that has recorded nothing treats every step as possible', () => {
    expect(planRecovery(saga('abc', 'resume'), record())).toEqual({ action: 'forward', from: 0 });
  });

  it('never goes forward again once the saga unwinds', () => {
    expect(
      planRecovery(saga('aBc', 'resume'), record({ ...recorded('B'), phase: 'unwinding', failedStep: 'B' })),
    ).toMatchObject({ action: 'unwind', failedStep: 'B' });
  });

  it.each([
    ['an output of a step that no longer exists', { outputs: { X: {} } }],
    ['a failed step that no longer exists', { failedStep: 'x' }],
    ['an output without that of a step before it', { outputs: { D: {} } }],
  ])('does not guess at %s', (_what, status) => {
    expect(planRecovery(saga('aBcD', 'unwind'), record(status))).toBeUndefined();
  });
});

describe('unwinding', () => {
  it('begins with the failed step and goes back to the first', () => {
    expect(stepsToUndo(saga('abcd', 'unwind').steps, 'c').map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  });
});

describe('the progress of a saga', () => {
  const states = (status: SagaStatus) => progressOf(saga('aBcd', 'unwind'), record(status)).map(({ state }) => state);

  it('a recorded output proves its step and those before, and the others may not have run', () => {
    expect(states({})).toEqual(['open', 'open', 'open', 'open']);
    expect(states({ outputs: { B: {} } })).toEqual(['done', 'done', 'open', 'open']);
  });

  it('after a failure, later steps never ran', () => {
    expect(states({ outputs: { B: {} }, failedStep: 'c' })).toEqual(['done', 'done', 'failed', 'skipped']);
  });

  it('steps are undone from the failed one backwards, up to the one whose undo keeps failing', () => {
    const undo = { step: 'B', attempts: 3, nextAttempt: '' };
    expect(states({ outputs: { B: {} }, failedStep: 'c', undo })).toEqual(['done', 'undoing', 'undone', 'skipped']);
  });

  it('is not known for a record of another release', () => {
    expect(states({ failedStep: 'z' })).toEqual([]);
  });
});
