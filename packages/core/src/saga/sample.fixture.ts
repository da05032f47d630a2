import { Type, type Static } from 'typebox';

import { isProblem, Problem } from '../errors/index.ts';
import { defineKind, type Resource } from '../kinds/index.ts';
import { modify, type Store } from '../store/index.ts';
import type { SagaScenario } from '../testing/saga.ts';
import { bind, defineSaga, type SagaDefinition } from './definition.ts';
import type { StepOutputs, StepTable } from './table.ts';

const group = 'sample.unikorn-cloud.org';
const madeBy = 'sample.unikorn-cloud.org/saga';
export const ledgerName = 'ledger';

export const Ledger = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'Ledger',
  plural: 'ledgers',
  spec: Type.Object({
    limit: Type.Integer(),
    entries: Type.Record(Type.String(), Type.Object({ cores: Type.Integer(), saga: Type.String() })),
  }),
  status: {},
});

export const Machine = defineKind({
  group,
  version: 'v1alpha1',
  kind: 'Machine',
  plural: 'machines',
  spec: Type.Object({ cores: Type.Integer(), paidBy: Type.Optional(Type.String()) }),
  status: {},
});

export const sampleKinds = [Ledger, Machine];

/** A ledger with compare-and-swap. The key of an entry is the object that it pays for. */
export class LedgerClient {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async charge(machineId: string, cores: number, saga: string): Promise<void> {
    await this.#change(({ limit, entries }) => {
      const paid = entries[machineId];
      if (paid?.saga === saga) return entries;
      if (paid) throw new Problem('conflict', `machine ${machineId} is already paid for`);
      const spent = Object.values(entries).reduce((sum, entry) => sum + entry.cores, cores);
      if (spent > limit) throw new Problem('quota_exceeded', `the ledger allows ${limit} cores`);
      return { ...entries, [machineId]: { cores, saga } };
    });
  }

  async release(machineId: string, saga: string): Promise<void> {
    await this.#change(({ entries }) =>
      entries[machineId]?.saga === saga
        ? Object.fromEntries(Object.entries(entries).filter(([name]) => name !== machineId))
        : entries,
    );
  }

  async #change(
    next: (spec: Resource<typeof Ledger>['spec']) => Resource<typeof Ledger>['spec']['entries'],
  ): Promise<void> {
    await modify(this.#store, Ledger, ledgerName, ({ metadata, spec }) => {
      const entries = next(spec);
      return entries === spec.entries ? undefined : { metadata, spec: { ...spec, entries } };
    });
  }
}

export class MachineClient {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async create(name: string, spec: Resource<typeof Machine>['spec'], saga: string): Promise<void> {
    try {
      await this.#store.create(Machine, { metadata: { name, annotations: { [madeBy]: saga } }, spec });
    } catch (error) {
      if (isProblem(error, 'conflict') && (await this.#isMadeBy(name, saga))) return;
      throw error;
    }
  }

  async deleteIfMadeBy(name: string, saga: string): Promise<void> {
    if (await this.#isMadeBy(name, saga)) await this.delete(name);
  }

  async delete(name: string): Promise<void> {
    await this.#store.delete(Machine, name);
  }

  async #isMadeBy(name: string, saga: string): Promise<boolean> {
    const machine = await this.#store.get(Machine, name);
    return machine?.metadata.annotations?.[madeBy] === saga;
  }
}

/**
 * A remote system outside the store. It remembers which run announced each machine, and fails when a test asks for it.
 */
export class Remote {
  readonly announced = new Map<string, string>();
  failures = 0;

  async announce(machineId: string, saga: string): Promise<void> {
    await this.#reach();
    const other = this.announced.get(machineId);
    if (other !== undefined && other !== saga)
      throw new Problem('conflict', `machine ${machineId} is already announced`);
    this.announced.set(machineId, saga);
  }

  async withdraw(machineId: string, saga: string): Promise<void> {
    await this.#reach();
    if (this.announced.get(machineId) === saga) this.announced.delete(machineId);
  }

  async #reach(): Promise<void> {
    await Promise.resolve();
    if (this.failures === 0) return;
    this.failures -= 1;
    throw new Error('connection reset by 10.0.0.7');
  }
}

export interface SampleDeps {
  readonly ledger: LedgerClient;
  readonly machines: MachineClient;
  readonly remote: Remote;
}

export const MachineInput = Type.Object({ machineId: Type.String(), cores: Type.Integer() });

type SampleTable = StepTable<Readonly<Static<typeof MachineInput>>, StepOutputs>;

/** A saga in which a step returns a value that a later step needs. */
const createSteps = (table: SampleTable, { ledger, machines, remote }: SampleDeps) =>
  table
    .step({
      name: 'charge',
      returns: Type.Object({ entry: Type.String() }),
      do: async ({ input, sagaId }) => {
        await ledger.charge(input.machineId, input.cores, sagaId);
        return { entry: `${ledgerName}/${input.machineId}` };
      },
      undo: ({ input, sagaId }) => ledger.release(input.machineId, sagaId),
    })
    .step({
      name: 'store',
      do: ({ input, outputs, sagaId }) =>
        machines.create(input.machineId, { cores: input.cores, paidBy: outputs.charge.entry }, sagaId),
      undo: ({ input, sagaId }) => machines.deleteIfMadeBy(input.machineId, sagaId),
    })
    .step({
      name: 'announce',
      returns: Type.Object({ address: Type.String() }),
      do: async ({ input, sagaId }) => {
        await remote.announce(input.machineId, sagaId);
        return { address: `${input.machineId}.example` };
      },
      undo: ({ input, sagaId }) => remote.withdraw(input.machineId, sagaId),
    });

export const createMachine = defineSaga({
  name: 'sample.machine.create',
  input: MachineInput,
  onCrash: 'unwind',
  steps: createSteps,
});

export const adoptMachine = defineSaga({
  name: 'sample.machine.adopt',
  input: MachineInput,
  onCrash: 'resume',
  steps: createSteps,
});

/** A saga whose steps return nothing, and that is completed after a crash. */
export const registerMachine = defineSaga({
  name: 'sample.machine.register',
  input: MachineInput,
  onCrash: 'resume',
  steps: (table, { ledger, machines, remote }: SampleDeps) =>
    table
      .step({
        name: 'reach',
        do: () => Promise.resolve(),
        noUndo: 'it only reads',
      })
      .step({
        name: 'charge',
        do: ({ input, sagaId }) => ledger.charge(input.machineId, input.cores, sagaId),
        undo: ({ input, sagaId }) => ledger.release(input.machineId, sagaId),
      })
      .step({
        name: 'store',
        do: ({ input, sagaId }) => machines.create(input.machineId, { cores: input.cores }, sagaId),
        undo: ({ input, sagaId }) => machines.deleteIfMadeBy(input.machineId, sagaId),
      })
      .step({
        name: 'announce',
        do: ({ input, sagaId }) => remote.announce(input.machineId, sagaId),
        undo: ({ input, sagaId }) => remote.withdraw(input.machineId, sagaId),
      }),
});

export const sampleInput = { machineId: 'm1', cores: 4 };

export function sampleDeps(store: Store, remote: Remote): SampleDeps {
  return { ledger: new LedgerClient(store), machines: new MachineClient(store), remote };
}

export async function openLedger(store: Store, limit = 10): Promise<void> {
  await store.create(Ledger, { metadata: { name: ledgerName }, spec: { limit, entries: {} } });
}

/** Everything that the sample sagas change, without the metadata that the store adds. */
export async function sampleState(store: Store, remote: Remote): Promise<unknown> {
  const [ledgers, machines] = [await store.list(Ledger), await store.list(Machine)];
  return {
    entries: ledgers.items.map(({ spec }) => spec.entries),
    machines: machines.items.map(({ metadata, spec }) => ({
      name: metadata.name,
      annotations: metadata.annotations,
      spec,
    })),
    announced: [...remote.announced],
  };
}

/** A scenario for a saga in the world of the sample. */
export function sampleScenario<Outputs extends StepOutputs>(
  saga: SagaDefinition<SampleDeps, Readonly<Static<typeof MachineInput>>, Outputs>,
): SagaScenario {
  return {
    saga,
    kinds: sampleKinds,
    setup: async ({ store }) => {
      const remote = new Remote();
      await openLedger(store);
      return {
        input: sampleInput,
        bind: (process) => bind(saga, sampleDeps(process.store, remote)),
        snapshot: () => sampleState(store, remote),
      };
    },
  };
}
