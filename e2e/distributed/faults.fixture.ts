import { limits } from '@unikorn/core/limits';
import { systemWorld } from '@unikorn/core/world';

import type { Replica } from './platform.fixture.ts';
import type { Random } from './random.fixture.ts';

/** What can happen to the processes. */
export interface Stage {
  readonly replicas: readonly Replica[];
  readonly random: Random;
  /** Kills the API server, and starts it again with its state. */
  restartApiServer(): Promise<void>;
}

const longerThanALease_ms = limits.lease_ms * 1.5;

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
  await systemWorld.sleep(longerThanALease_ms);
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

/** Each fault at least once, in an order that the seed decides. */
export function programme(random: Random): readonly Fault[] {
  const faults: Fault[] = [
    ({ replicas, random }) => killOne(random.pick(replicas), random),
    ({ replicas, random }) => freezeOne(random.pick(replicas)),
    cutOffOne,
    restart,
    ({ replicas, random }) => stopOne(random.pick(replicas)),
  ];
  for (let last = faults.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    const [a, b] = [faults[last], faults[other]];
    if (a && b) [faults[last], faults[other]] = [b, a];
  }
  return faults;
}

/**
 * Faults that a client does not notice, one after another until the signal aborts: controllers are killed or frozen,
 * and APIs are stopped with SIGTERM. It needs a layout in which these are different processes. Resolves with their
 * number.
 */
export async function unnoticed(replicas: readonly Replica[], random: Random, signal: AbortSignal): Promise<number> {
  const workers = replicas.filter(({ servesApi }) => !servesApi);
  const apis = replicas.filter(({ servesApi }) => servesApi);
  const faults = [
    () => killOne(random.pick(workers), random),
    () => freezeOne(random.pick(workers)),
    () => stopOne(random.pick(apis)),
  ];
  for (let count = 0; ; count++) {
    await systemWorld.sleep(3_000, signal);
    if (signal.aborted) return count;
    await random.pick(faults)();
  }
}

function say(what: string): void {
  console.log(what);
}
