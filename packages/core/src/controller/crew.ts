import { limits } from '../limits.ts';
import type { World } from '../world/index.ts';
import { whenAborted } from './abort.ts';
import type { CacheContext } from './cache.ts';
import { reportContained } from './contain.ts';
import { requestsIn } from '../requests.ts';
import type { Predecessor } from './election.ts';
import { controllerMetrics } from './metrics.ts';
import type { Work, WorkQueue } from './queue.ts';

/** Something that runs until it is told to stop, and can be run again. */
export interface Runnable {
  readonly name: string;
  /** `predecessor` is whoever ran it before and ended without a word. */
  run(signal: AbortSignal, predecessor?: Predecessor): Promise<void>;
}

export interface Crew {
  readonly name: string;
  readonly concurrency: number;
  /** The word it returns says how it went. It should not fail: nobody would try again. */
  readonly handle: (work: Work) => Promise<string>;
  readonly retrying: () => number;
  readonly parked: () => number;
}

/** Works a queue off until the signal aborts; what runs then is waited for, but not for ever. */
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
 * Requests come first: each one that is being answered holds back some hands, but for a few that always go on. Hands
 * are there once they are needed.
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

/** Does something for each item without holding the event loop for long. */
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
