import { limits } from '@unikorn/core/limits';
import { systemWorld } from '@unikorn/core/world';

import type { Replica } from './platform.fixture.ts';
import type { Random } from './random.fixture.ts';

/** What can happen to the processes. */
export interface Stage {
  readonly replicas: readonly Replica[];
  readonly random: Random;
  /** Whether the result is certain before the last fault. */
  isOver(): boolean;
  /** Kills the API server, and starts it again with its state. */
  restartApiServer(): Promise<void>;
}

const longerThanALease_ms = limits.lease_ms * 1.5;
const frozen_ms = 30_000;
/** After a fault. */
const quiet_ms = 3_000;

type Fault = (stage: Stage) => Promise<void>;

async function killOne(replica: Replica, random: Random): Promise<void> {
  say(`kill -9 ${replica.name}`);
  await replica.stop('SIGKILL');
  await systemWorld.sleep(random.between(0, 5_000));
  await replica.start();
}

async function freezeOne(replica: Replica): Promise<void> {
  say(`freeze ${replica.name}`);
  replica.freeze();
  await systemWorld.sleep(frozen_ms);
  replica.thaw();
}

async function cutOffOne({ replicas, random }: Stage): Promise<void> {
  const replica = random.pick(replicas);
  const how = random.pick(['refused', 'silent'] as const);
  say(`cut off ${replica.name} from the API server (${how})`);
  replica.cutOff(how);
  await systemWorld.sleep(longerThanALease_ms);
  replica.mend();
}

async function stopOne(replica: Replica): Promise<void> {
  say(`stop ${replica.name} with SIGTERM`);
  await replica.stop('SIGTERM');
  await replica.start();
}

async function restart(stage: Stage): Promise<void> {
  say('kill -9 and restart the API server');
  await stage.restartApiServer();
}

const shortFaults: readonly Fault[] = [
  ({ replicas, random }) => killOne(random.pick(replicas), random),
  cutOffOne,
  ({ replicas, random }) => stopOne(random.pick(replicas)),
];

async function inTurn(faults: readonly Fault[], stage: Stage): Promise<void> {
  for (const fault of faults) {
    // A wrong answer is final, so there is no need to wait for the rest.
    if (stage.isOver()) return;
    await fault(stage);
    await systemWorld.sleep(quiet_ms);
  }
}

/** Each fault once, one after another, in an order that the seed decides. */
export function oneByOne(stage: Stage): Promise<void> {
  const freeze: Fault = ({ replicas, random }) => freezeOne(random.pick(replicas));
  return inTurn(stage.random.shuffled([...shortFaults, freeze, restart]), stage);
}

/**
 * Each fault once, in less time: while one process is frozen, the others happen to the other services. The API server
 * comes last, because it kills no process: a killed process can leave a change of the ledger open for 75 seconds.
 */
export async function together(stage: Stage): Promise<void> {
  const { replicas, random } = stage;
  const frozen = random.pick(replicas);
  const others = replicas.filter(({ service }) => service !== frozen.service);
  await Promise.all([freezeOne(frozen), inTurn(random.shuffled(shortFaults), { ...stage, replicas: others })]);
  await inTurn([restart], stage);
}

/** Faults that happen one after another, until they are stopped. */
export interface Unnoticed {
  /** Whether each kind of fault has happened. */
  readonly isComplete: boolean;
  /** Resolves when the current fault is over. */
  stop(): Promise<void>;
}

/**
 * Faults that a client does not notice: controllers are killed or frozen, and APIs are stopped with SIGTERM. Each
 * happens once, in an order that the seed decides, and then they go on at random. It needs a layout in which these are
 * different processes.
 */
export function unnoticed(replicas: readonly Replica[], random: Random): Unnoticed {
  const workers = replicas.filter(({ servesApi }) => !servesApi);
  const apis = replicas.filter(({ servesApi }) => servesApi);
  const kinds = [
    () => killOne(random.pick(workers), random),
    () => freezeOne(random.pick(workers)),
    () => stopOne(random.pick(apis)),
  ];
  const plan = [...random.shuffled(kinds)];
  const end = new AbortController();
  let isComplete = false;
  const happening = (async () => {
    for (;;) {
      await systemWorld.sleep(3_000, end.signal);
      if (end.signal.aborted) return;
      const fault = plan.shift() ?? random.pick(kinds);
      await fault();
      isComplete ||= plan.length === 0;
    }
  })();
  // Its error is thrown by `stop`.
  happening.catch(() => undefined);
  return {
    get isComplete() {
      return isComplete;
    },
    stop: () => {
      end.abort();
      return happening;
    },
  };
}

const begun_ms = systemWorld.monotonic_ms();

/** Prints what happens, and when. */
export function say(what: string): void {
  console.log(`${((systemWorld.monotonic_ms() - begun_ms) / 1000).toFixed(1)} s: ${what}`);
}
