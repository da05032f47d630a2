import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { bind, defineSaga, registeredSagas, serviceOf } from './definition.ts';
import { StepTable, type StepContext } from './table.ts';

const nothing = { do: () => Promise.resolve(), noUndo: 'it does nothing' };
const declare = (name: string) =>
  defineSaga({
    name,
    input: Type.Object({}),
    onCrash: 'unwind',
    steps: (table) => table.step({ name: 'nothing', ...nothing }),
  });

describe('a definition', () => {
  it('registers the saga under its service', () => {
    declare('defined.thing.create');
    expect(registeredSagas()).toContainEqual({ name: 'defined.thing.create', onCrash: 'unwind' });
    expect(serviceOf('defined.thing.create')).toBe('defined');
  });

  it('refuses a name that is already used', () => {
    declare('defined.thing.delete');
    expect(() => declare('defined.thing.delete')).toThrow('two sagas are named defined.thing.delete');
  });

  it.each(['create', 'Defined.thing.create', 'defined.thing.create.', `defined.${'x'.repeat(60)}`])(
    'refuses the name %s',
    (name) => {
      expect(() => declare(name)).toThrow('does not have the form service.resource.verb');
    },
  );

  it('refuses two steps with the same name, and a saga without steps', () => {
    const twice = defineSaga({
      name: 'defined.thing.twice',
      input: Type.Object({}),
      onCrash: 'unwind',
      steps: (table) => table.step({ name: 'a', ...nothing }).step({ name: 'a', ...nothing }),
    });
    expect(() => bind(twice, undefined)).toThrow('two steps are named a');
    const empty = defineSaga({
      name: 'defined.thing.empty',
      input: Type.Object({}),
      onCrash: 'unwind',
      steps: (table) => table,
    });
    expect(() => bind(empty, undefined)).toThrow('has no steps');
  });
});

describe('a step', () => {
  const table = new StepTable([], (context): context is StepContext => context.sagaId !== '').step({
    name: 'first',
    returns: Type.Object({ count: Type.Integer() }),
    do: ({ input }) => Promise.resolve({ count: Number(input) }),
    undo: ({ output }) => (output ? Promise.reject(new Error(`undoing ${output.count}`)) : Promise.resolve()),
  });
  const [first] = table.steps;

  it('that returns another type than it declares fails', async () => {
    await expect(first?.do({ sagaId: 's', input: 1.5, outputs: {} })).rejects.toThrow(
      'step first returned a value that does not match its schema',
    );
  });

  it('is undone with its own output only when that was recorded', async () => {
    await expect(first?.undo?.({ sagaId: 's', input: 1, outputs: {} })).resolves.toBeUndefined();
    await expect(first?.undo?.({ sagaId: 's', input: 1, outputs: { first: { count: 7 } } })).rejects.toThrow(
      'undoing 7',
    );
  });

  it('does not run on a record that another release wrote differently', async () => {
    const [, second] = table.step({
      name: 'second',
      do: ({ outputs }) => Promise.reject(new Error(`count ${outputs.first.count}`)),
      noUndo: 'it only fails',
    }).steps;
    await expect(second?.do({ sagaId: 's', input: 1, outputs: { first: { count: 2 } } })).rejects.toThrow('count 2');
    await expect(second?.do({ sagaId: 's', input: 1, outputs: { first: { total: 2 } } })).rejects.toThrow(
      'does not match step second of this release',
    );
  });
});
