import { limits } from '../limits.ts';
import type { World } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import type { CacheContext } from './cache.ts';
import { reportContained } from './contain.ts';
import { requestsIn } from '../requests.ts';
import type { Predecessor } from './election.ts';
import { controllerMetrics } from './metrics.ts';
import type { Work, WorkQueue } from './queue.ts';

/** A component that runs until it is stopped, and can be started again. */
export interface Runnable {
  readonly name: string;
  /** `predecessor` is the process that held the lease before and did not release it. */
  run(signal: AbortSignal, predecessor?: Predecessor): Promise<void>;
}

export interface Crew {
  readonly name: string;
  readonly concurrency: number;
  /** Returns the outcome in one word. It should not throw: no other code retries the work. */
  readonly handle: (work: Work) => Promise<string>;
  readonly retrying: () => number;
  readonly parked: () => number;
}

/** Processes a queue until the signal aborts. Then it waits for the work in progress for a limited time. */
export async function runCrew(
  queue: WorkQueue,
  crew: Crew,
  { world, telemetry }: Omit<CacheContext, 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const { running } = controllerMetrics(telemetry.registry);
  running.set(crew.name, { queue, retrying: crew.retrying, parked: crew.parked });
  const finished = new AbortController();
  void workOff(queue, crew, { world, telemetry }, signal).then(() => {
    finished.abort();
  });
  await whenAborted(signal);
  queue.close();
  await world.sleep(limits.drain_ms, finished.signal);
  if (!finished.signal.aborted)
    telemetry.log.warn(
      { controller: crew.name, running: queue.running },
      'stopped without waiting for work that is still running',
    );
  running.delete(crew.name);
}

/**
 * API requests have priority: each request in progress reduces the number of workers, down to a minimum that always
 * runs. Workers are started when they are needed.
 */
async function workOff(
  queue: WorkQueue,
  { name, concurrency, handle }: Crew,
  { world, telemetry }: Omit<CacheContext, 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const { wakeups, reconciles } = controllerMetrics(telemetry.registry);
  const requests = requestsIn(world);
  const breathe = breather(world);
  const hand = async (number: number): Promise<void> => {
    const bearable =
      number < limits.reconcilesReserved
        ? Infinity
        : Math.floor((concurrency - 1 - number) / limits.reconcilesPerRequest);
    const next = async () => {
      await requests.untilAtMost(bearable, signal);
      return queue.next();
    };
    let another: Promise<void> | undefined;
    for (let work = await next(); work; work = await next()) {
      if (number + 1 < concurrency) another ??= hand(number + 1);
      const begun_ms = world.monotonic_ms();
      for (const cause of work.causes) wakeups.inc({ controller: name, cause });
      const outcome = await handle(work).catch((thrown: unknown) => {
        reportContained(telemetry, name, 'handle', thrown);
        return 'errored';
      });
      queue.finish(work.key);
      reconciles.observe({ controller: name, outcome }, (world.monotonic_ms() - begun_ms) / 1000);
      await breathe();
    }
    await another;
  };
  await hand(0);
}

/** Calls a function for each item without blocking the event loop for long. */
export async function inBursts<T>(
  world: World,
  items: Iterable<T>,
  signal: AbortSignal,
  each: (item: T) => void,
): Promise<void> {
  const breathe = breather(world);
  for (const item of items) {
    if (signal.aborted) return;
    each(item);
    const breath = breathe();
    if (breath) await breath;
  }
}

function breather(world: World): () => Promise<void> | undefined {
  let breath_ms = world.monotonic_ms();
  return () => {
    if (world.monotonic_ms() - breath_ms < limits.burst_ms) return undefined;
    return world.turn().then(() => {
      breath_ms = world.monotonic_ms();
    });
  };
}
