import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { defineSaga } from '../saga/index.ts';
import { MachineInput, sampleScenario, type SampleDeps } from '../saga/sample.fixture.ts';
import { sagaChecks, sagasWithoutScenario, type SagaScenario } from './saga.ts';

/** The guarantees that the checks find violated, each with its first finding. */
async function broken(scenario: SagaScenario): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [promise, check] of Object.entries(sagaChecks)) {
    const [first] = await check(scenario);
    if (first !== undefined) found[promise] = first;
  }
  return found;
}

function wrongSaga(
  name: string,
  steps: Parameters<typeof defineSaga<typeof MachineInput, SampleDeps, Readonly<Record<string, unknown>>>>[0]['steps'],
) {
  return sampleScenario(defineSaga({ name: `wrong.machine.${name}`, input: MachineInput, onCrash: 'unwind', steps }));
}

describe('the checks of sagas', () => {
  it('report an undo that deletes an object of another run', async () => {
    const scenario = wrongSaga('deletesOthers', (table, { machines }) =>
      table.step({
        name: 'store',
        do: ({ input, sagaId }) => machines.create(input.machineId, { cores: input.cores }, sagaId),
        undo: ({ input }) => machines.delete(input.machineId).catch(() => undefined),
      }),
    );
    const findings = await broken(scenario);
    expect(Object.keys(findings)).toEqual(['it does not undo anything that another run did']);
    expect(Object.values(findings)[0]).toMatch(
      /another run was first and step store failed before its effect: expected a clean slate/,
    );
  });

  it('report a step that fails when it is repeated', async () => {
    let attempt = 0;
    const scenario = wrongSaga('notRepeatable', (table, { machines }) =>
      table.step({
        name: 'store',
        do: ({ input, sagaId }) => machines.create(input.machineId, { cores: input.cores }, `${sagaId} ${attempt++}`),
        undo: ({ input }) => machines.delete(input.machineId).catch(() => undefined),
      }),
    );
    expect((await broken(scenario))['a step that runs twice has the same result as one that runs once']).toMatch(
      /store was done twice: it failed/,
    );
  });

  it('report a step that leaves more when it is repeated', async () => {
    const scenario = wrongSaga('accumulates', (table, { remote }) =>
      table.step({
        name: 'announce',
        do: ({ input, sagaId }) => remote.announce(`${input.machineId} ${remote.announced.size}`, sagaId),
        undo: ({ sagaId }) => {
          for (const [id, saga] of remote.announced) if (saga === sagaId) remote.announced.delete(id);
          return Promise.resolve();
        },
      }),
    );
    expect(Object.keys(await broken(scenario))).toEqual([
      'a step that runs twice has the same result as one that runs once',
    ]);
  });

  it('report an undo that is missing', async () => {
    const scenario = wrongSaga('neverUndone', (table, { machines }) =>
      table.step({
        name: 'store',
        do: ({ input, sagaId }) => machines.create(input.machineId, { cores: input.cores }, sagaId),
        noUndo: 'it was forgotten',
      }),
    );
    expect(Object.keys(await broken(scenario))).toEqual([
      'a step that fails, before or after its effect, leaves nothing behind',
      'a process that dies at any point leaves it either done or undone',
      'a process that dies again during recovery leaves it either done or undone',
    ]);
  });

  it('report an undo that fails when there is nothing to undo', async () => {
    const scenario = wrongSaga('insistsOnSomething', (table, { remote }) =>
      table.step({
        name: 'announce',
        do: ({ input, sagaId }) => remote.announce(input.machineId, sagaId),
        undo: ({ input, sagaId }) => {
          if (remote.announced.get(input.machineId) !== sagaId) throw new Error('not announced');
          return remote.withdraw(input.machineId, sagaId);
        },
      }),
    );
    const findings = await broken(scenario);
    expect(findings['a step that fails, before or after its effect, leaves nothing behind']).toBe(
      'step announce failed before its effect: it is still stuck at step announce: an unexpected error occurred',
    );
    expect(Object.keys(findings)).toContain('an undo that repeats, or fails a few times, leaves nothing behind');
  });

  it('report state that is only in the memory of the process', async () => {
    const scenario = wrongSaga('remembersInMemory', (table, { remote }) => {
      const mine = new Set<string>();
      return table.step({
        name: 'announce',
        do: async ({ input, sagaId }) => {
          mine.add(sagaId);
          await remote.announce(input.machineId, sagaId);
        },
        undo: async ({ input, sagaId }) => {
          if (mine.has(sagaId)) await remote.withdraw(input.machineId, sagaId);
        },
      });
    });
    expect(Object.keys(await broken(scenario))).toEqual([
      'a process that dies at any point leaves it either done or undone',
      'a process that dies again during recovery leaves it either done or undone',
    ]);
  });

  it('report an undo that needs an output that was never recorded', async () => {
    const scenario = wrongSaga('trustsItsOutput', (table, { remote }) =>
      table
        .step({
          name: 'announce',
          returns: Type.Object({ machineId: Type.String() }),
          do: async ({ input, sagaId }) => {
            await remote.announce(input.machineId, sagaId);
            return { machineId: input.machineId };
          },
          undo: async ({ output, sagaId }) => {
            if (output) await remote.withdraw(output.machineId, sagaId);
          },
        })
        .step({ name: 'look', do: () => Promise.resolve(), noUndo: 'it only reads' }),
    );
    expect(Object.keys(await broken(scenario))).toContain(
      'a step that fails, before or after its effect, leaves nothing behind',
    );
  });

  it('report a scenario that cannot find a defect', async () => {
    const scenario = wrongSaga('invisible', (table) =>
      table.step({ name: 'nothing', do: () => Promise.resolve(), noUndo: 'it does nothing' }),
    );
    expect(await broken(scenario)).toEqual({
      'it has the expected result and leaves no record': 'the snapshot does not show what the saga does',
    });
  });

  it('report a saga that has no scenario', () => {
    const scenario = wrongSaga('covered', (table) =>
      table.step({ name: 'nothing', do: () => Promise.resolve(), noUndo: 'it does nothing' }),
    );
    const missing = sagasWithoutScenario('wrong', [scenario]);
    expect(missing).toContain('wrong.machine.deletesOthers');
    expect(missing).not.toContain('wrong.machine.covered');
    expect(missing.every((name) => name.startsWith('wrong.'))).toBe(true);
  });
});
