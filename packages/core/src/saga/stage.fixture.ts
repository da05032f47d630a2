import { pino } from 'pino';

import type { Store } from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { capture, interpose, silentTelemetry, virtualWorld, type Around, type Life } from '../testing/index.ts';
import { bind, type BoundSaga } from './definition.ts';
import { Saga } from './kind.ts';
import type { SagaListener } from './report.ts';
import { SagaRunner } from './runner.ts';
import {
  createMachine,
  openLedger,
  registerMachine,
  Remote,
  sampleDeps,
  sampleKinds,
  sampleState,
} from './sample.fixture.ts';
import { unfinishedSagas } from './unfinished.ts';

interface ProcessOptions {
  readonly life?: Life;
  readonly around?: Around;
  /** Whether no other process can use the store; true by default, as with the embedded engine. */
  readonly sole?: boolean;
  readonly onEvent?: SagaListener;
  /** Collects the log lines. */
  readonly lines?: string[];
  readonly sagas?: (store: Store) => readonly BoundSaga[];
}

/** The world of the sample, with any number of processes. */
export async function openStage({ seed = 1, limit = 10 } = {}) {
  const world = virtualWorld(seed);
  const store = openMemoryStore({ world, kinds: [Saga, ...sampleKinds] });
  const remote = new Remote();
  await openLedger(store, limit);

  function startProcess(processName: string, options: ProcessOptions = {}) {
    const { life, around = (_call, happen) => happen(), sole = true, onEvent, lines, sagas } = options;
    const ownStore = life?.store ?? interpose(store, around, { sole });
    const telemetry = { ...silentTelemetry(), ...(lines ? { log: pino(capture(lines)) } : {}) };
    const create = bind(createMachine, sampleDeps(ownStore, remote));
    const register = bind(registerMachine, sampleDeps(ownStore, remote));
    const own = sagas?.(ownStore) ?? [create, register];
    const runner = new SagaRunner({
      store: ownStore,
      world,
      telemetry,
      processName,
      sagas: own,
      ...(onEvent ? { onEvent } : {}),
    });
    return {
      runner,
      create,
      register,
      telemetry,
      start: () => {
        runner.start(new AbortController().signal);
      },
    };
  }

  return {
    world,
    store,
    remote,
    startProcess,
    state: () => sampleState(store, remote),
    unfinished: () => unfinishedSagas(store),
    isSettled: async () => (await unfinishedSagas(store)).length === 0,
  };
}

/** The value of one metric, summed over all labels that are not given. */
export async function metric(
  { telemetry }: { telemetry: ReturnType<typeof silentTelemetry> },
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const found = await telemetry.registry.getSingleMetric(name)?.get();
  const values =
    found?.values.filter((value) => Object.entries(labels).every(([key, wanted]) => value.labels[key] === wanted)) ??
    [];
  return values.reduce((sum, { value }) => sum + value, 0);
}
