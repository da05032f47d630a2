import { waits } from './limits.ts';
import type { World } from './world/index.ts';

/**
 * Minimum number of event loop turns between two pieces. An ordinary request takes about a dozen turns; with fewer
 * between the pieces it would be delayed by a piece in each turn.
 */
const turnsPerPiece = 4;

/** Other work gets this many times as long as a piece took, while there is other work. */
const shareOfOthers = 3;

/**
 * Schedules long work on the event loop in pieces. Pieces run in the order of their requests, so that other work waits
 * for one piece at most, whatever the number of responses in progress. While there is other work, pieces take a quarter
 * of the time. Without other work, they follow each other after a few turns of the loop, which cost almost nothing.
 */
export class Pace {
  readonly #world: World;
  readonly #waiting: (() => void)[] = [];
  #turning = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Resolves when the next piece of work may run. A piece should take no longer than `limits.burst_ms`. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#turning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#turning = true;
    let took_ms = 0;
    while (this.#waiting.length > 0) {
      await this.#giveWay(took_ms);
      const began_ms = this.#world.monotonic_ms();
      this.#waiting.shift()?.();
      await this.#world.turn();
      took_ms = this.#world.monotonic_ms() - began_ms;
    }
    this.#turning = false;
  }

  async #giveWay(took_ms: number): Promise<void> {
    let now_ms = this.#world.monotonic_ms();
    const enough_ms = now_ms + shareOfOthers * took_ms;
    for (let turns = 0, quiet = 0; quiet < turnsPerPiece && (turns < turnsPerPiece || now_ms < enough_ms); turns++) {
      const before_ms = now_ms;
      await this.#world.turn();
      now_ms = this.#world.monotonic_ms();
      quiet = now_ms - before_ms <= waits.quiet_ms ? quiet + 1 : 0;
    }
  }
}

const known = new WeakMap<World, Pace>();

/** The pace of a world. Code that shares a world also shares its event loop. */
export function paceOf(world: World): Pace {
  const pace = known.get(world) ?? new Pace(world);
  known.set(world, pace);
  return pace;
}
