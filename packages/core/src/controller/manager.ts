import type { CacheContext } from './cache.ts';
import type { Caches } from './caches.ts';
import { whenAborted } from './abort.ts';
import type { Runnable } from './crew.ts';
import { runAsLeader } from './election.ts';

export interface ManagerOptions extends CacheContext {
  readonly caches: Caches;
  /** The lease that keeps a second process from running the same controllers. */
  readonly lease: string;
  /** Unique to this process. */
  readonly identity: string;
  readonly controllers: readonly Runnable[];
}

/**
 * Runs the controllers of a process: caches first, then the contest for the lease, then the controllers for as long as it
 * is held; and stops them in the opposite order.
 *
 * @example
 * const manager = new ControllerManager({ store, world, telemetry, caches, lease: 'region-controllers', identity, controllers });
 * await manager.run(signal);
 */
export class ControllerManager {
  readonly #options: ManagerOptions;
  #state: 'idle' | 'running' | 'stopping' = 'idle';

  constructor(options: ManagerOptions) {
    this.#options = options;
  }

  /** Whether this process could lead at once: every cache holds what there is. */
  get ready(): boolean {
    return this.#state === 'running' && this.#options.caches.synced;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { caches, controllers, store, world, telemetry, lease: name, identity } = this.#options;
    const stopCaches = new AbortController();
    const caching = caches.run(stopCaches.signal);
    this.#state = 'running';
    void whenAborted(signal).then(() => {
      this.#state = 'stopping';
    });
    try {
      await runAsLeader({ store, world, telemetry, name, identity }, signal, async (leading, predecessor) => {
        await Promise.all(controllers.map((controller) => controller.run(leading, predecessor)));
      });
    } finally {
      stopCaches.abort();
      await caching;
    }
  }
}
