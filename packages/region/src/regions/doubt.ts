import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';

/** One claim that is strange. It is believed when it is made again after a while, and was not taken back in between. */
export class Doubt {
  readonly #world: World;
  #since_ms: number | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Told at every look whether the claim is made; says whether it is still in doubt. */
  about(isClaimed: boolean): boolean {
    const now_ms = this.#world.monotonic_ms();
    this.#since_ms = isClaimed ? (this.#since_ms ?? now_ms) : undefined;
    return this.#since_ms !== undefined && now_ms - this.#since_ms < waits.doubt_ms;
  }
}
