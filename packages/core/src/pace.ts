import type { World } from './world/index.ts';

/** Turns of the loop for each piece. An ordinary request takes about a dozen turns; with fewer between them it would meet a piece in each. */
const turnsPerPiece = 4;

/**
 * Long work on the event loop, taken in turns. One piece of it runs in every few turns of the loop, in the order in which they
 * asked, so that everything else seldom waits, and for one piece at most, however many answers are being written. Turns in
 * which nobody else has work cost next to nothing.
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
    while (this.#waiting.length > 0) {
      for (let turn = 0; turn < turnsPerPiece; turn++) await this.#world.turn();
      this.#waiting.shift()?.();
    }
    this.#turning = false;
  }
}

const known = new WeakMap<World, Pace>();

/** Whoever shares a world shares its event loop. */
export function paceOf(world: World): Pace {
  const pace = known.get(world) ?? new Pace(world);
  known.set(world, pace);
  return pace;
}
