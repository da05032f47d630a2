import { limits } from './limits.ts';
import type { World } from './world/index.ts';

/** The requests that a process is answering. Background work uses it to give way to them. */
export class Requests {
  readonly #world: World;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #waiting = new Map<number, Set<() => void>>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Counts the work as a request until it ends, up to the limit of a request's precedence. After its end it counts for
   * as long as it took, up to a limit, because its caller will probably send the next request soon.
   */
  async answering<T>(work: Promise<T>): Promise<T> {
    const end = () => {
      if (!this.#underWay.delete(work)) return;
      for (const proceed of this.#waiting.get(this.#underWay.size) ?? []) proceed();
    };
    this.#underWay.add(work);
    const begun_ms = this.#world.monotonic_ms();
    const cancel = this.#world.after(limits.precedence_ms, end);
    try {
      return await work;
    } finally {
      cancel();
      const took_ms = this.#world.monotonic_ms() - begun_ms;
      if (took_ms > 0) this.#world.after(Math.min(took_ms, limits.aftermath_ms), end);
      else end();
    }
  }

  /**
   * Resolves when at most this many requests are in progress, or the signal aborts; undefined if there is no need to
   * wait.
   */
  untilAtMost(count: number, signal: AbortSignal): Promise<void> | undefined {
    if (this.#underWay.size <= count || signal.aborted) return undefined;
    const waiting = this.#waiting.get(count) ?? new Set();
    this.#waiting.set(count, waiting);
    return new Promise((resolve) => {
      const proceed = () => {
        waiting.delete(proceed);
        signal.removeEventListener('abort', proceed);
        resolve();
      };
      waiting.add(proceed);
      signal.addEventListener('abort', proceed);
    });
  }
}

const known = new WeakMap<World, Requests>();

/** The requests of a world. Code that shares a world also shares its event loop. */
export function requestsIn(world: World): Requests {
  const requests = known.get(world) ?? new Requests(world);
  known.set(world, requests);
  return requests;
}
