import type { Caches } from '../controller/caches.ts';
import type { CacheContext } from '../controller/cache.ts';
import type { Runnable } from '../controller/crew.ts';
import { runAsLeader } from '../controller/election.ts';
import { whenAborted } from '../controller/abort.ts';

/** The service and the role of the part: `region/server-controller`. */
export type PartName = `${string}/${string}`;

/** A component of a service that can run in its own process. A process runs each of its parts once. */
export interface Part {
  readonly name: PartName;
  /** The parts that this one calls, in this process or in another one. In the same process they stop after this one. */
  readonly needs: readonly PartName[];
  /** Whether it runs, and the caches that it reads are complete. */
  readonly ready: boolean;
  /** Runs until the signal aborts, and resolves when all its work has ended. */
  run(signal: AbortSignal): Promise<void>;
}

/** The dependencies that all parts of a process share. */
export interface PartContext extends CacheContext {
  readonly caches: Caches;
  /** Names this run of the process in leases. */
  readonly processName: string;
}

interface Definition {
  readonly name: PartName;
  readonly needs?: readonly PartName[];
}

export interface SharedPart extends Definition {
  /** The caches that the part reads. */
  readonly caches: Caches;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface LeasedPart extends Definition {
  /** Creates the runnables. It is called when the part starts, so a part that does not run reads nothing. */
  readonly work: (caches: Caches) => readonly Runnable[];
  /** Called last, when all work has ended. */
  readonly afterwards?: () => Promise<void>;
}

/**
 * A part that any number of processes can run at the same time, such as an API.
 *
 * @example sharedPart({ name: 'region/api', needs: ['identity/api'], caches, run: (signal) => recoverSagas(signal) });
 */
export function sharedPart({ name, needs = [], caches, run }: SharedPart): Part {
  let running = false;
  return {
    name,
    needs,
    get ready() {
      return running && caches.synced;
    },
    run: async (signal) => {
      running = true;
      void whenAborted(signal).then(() => {
        running = false;
      });
      await run(signal);
    },
  };
}

/**
 * A part that works in one process at a time: in the one that holds the lease of the part. Other processes that run it
 * keep their caches complete, and take over when the lease is free.
 *
 * @example leasedPart({ store, world, telemetry, caches, processName }, { name: 'region/monitor', work: (caches) => regionMonitors({ ...context, caches }) });
 */
export function leasedPart(
  { store, world, telemetry, caches: all, processName }: PartContext,
  { name, needs, work, afterwards }: LeasedPart,
): Part {
  const caches = all.scope();
  const election = { store, world, telemetry, name: leaseOf(name), processName };
  return sharedPart({
    name,
    ...(needs ? { needs } : {}),
    caches,
    run: async (signal) => {
      const runnables = work(caches);
      await runAsLeader(election, signal, async (leading, predecessor) => {
        await Promise.all(runnables.map((runnable) => runnable.run(leading, predecessor)));
      });
      await afterwards?.();
    },
  });
}

/**
 * The name of the lease of a part. Kubernetes allows no slash in names.
 *
 * @example leaseOf('region/server-controller') // region-server-controller
 */
export function leaseOf(part: PartName): string {
  return part.replace('/', '-');
}
