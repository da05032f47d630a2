import type { World } from './world/index.ts';

/**
 * Turns of the loop for each piece at least. An ordinary request takes about a dozen turns; with fewer between them it
 * would meet a piece in each.
 */
const turnsPerPiece = 4;

/** Everybody else gets this many times as long as a piece took, while they have work. */
const shareOfOthers = 3;

/** A turn of the loop in which nobody had work takes no longer. */
const quiet_ms = 0.2;

/**
 * Long work on the event loop, taken in turns. Pieces of it run in the order in which they asked, so that everything
 * else seldom waits, and for one piece at most, however many answers are being written. While others have work, pieces
 * take a quarter of the time. While nobody has, they follow each other after a few turns, which cost next to nothing.
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
      quiet = now_ms - before_ms <= quiet_ms ? quiet + 1 : 0;
    }
  }
}

const known = new WeakMap<World, Pace>();

/** Whoever shares a world shares its event loop. */
export function paceOf(world: World): Pace {
  const pace = known.get(world) ?? new Pace(world);
  known.set(world, pace);
  return pace;
}
