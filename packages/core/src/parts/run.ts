import { whenAborted } from '../controller/abort.ts';
import type { Caches } from '../controller/caches.ts';
import { toError } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { World } from '../world/index.ts';
import type { Part, PartName } from './part.ts';

export interface PartsProcess {
  readonly world: World;
  /** The one set of caches that all parts of the process read. */
  readonly caches: Caches;
}

/**
 * Runs the parts of a process until the signal aborts. A part stops after the parts that need it, or after the drain
 * time. Caches stop last. If one part fails, all stop.
 *
 * @example await runParts({ world, caches }, [...identity.parts, ...region.parts], signal);
 */
export async function runParts(
  { world, caches }: PartsProcess,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const ends = endsOf(parts);
  const run = async (part: Part): Promise<void> => {
    const users = parts
      .filter(({ needs }) => needs.includes(part.name))
      .flatMap(({ name }) => ends.get(name)?.promise ?? []);
    try {
      await part.run(users.length === 0 ? stop : afterAll(users, world, stop));
    } catch (thrown) {
      failed.abort();
      throw thrown;
    } finally {
      ends.get(part.name)?.resolve(undefined);
    }
  };
  const stopCaches = new AbortController();
  const caching = caches.run(stopCaches.signal);
  const outcomes = await Promise.allSettled(parts.map(run));
  stopCaches.abort();
  await caching;
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw toError(outcome.reason);
}

function endsOf(parts: readonly Part[]): ReadonlyMap<PartName, PromiseWithResolvers<undefined>> {
  const ends = new Map(parts.map(({ name }) => [name, Promise.withResolvers<undefined>()]));
  if (ends.size < parts.length) throw new Error('two parts of one process have the same name');
  return ends;
}

/** Aborts when the process stops and the users of a part have ended, or when they do not end in time. */
function afterAll(users: readonly Promise<undefined>[], world: World, stop: AbortSignal): AbortSignal {
  const own = new AbortController();
  void whenAborted(stop).then(async () => {
    const waited = new AbortController();
    await Promise.race([Promise.all(users), world.sleep(limits.drain_ms, waited.signal)]);
    waited.abort();
    own.abort();
  });
  return own.signal;
}
