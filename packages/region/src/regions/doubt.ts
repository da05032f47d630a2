import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';

/** An implausible claim. It is accepted when it is repeated after a while, and was not withdrawn in between. */
export class Doubt {
  readonly #world: World;
  #since_ms: number | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Called with every observation. Returns whether the claim is still in doubt. */
  about(isClaimed: boolean): boolean {
    const now_ms = this.#world.monotonic_ms();
    this.#since_ms = isClaimed ? (this.#since_ms ?? now_ms) : undefined;
    return this.#since_ms !== undefined && now_ms - this.#since_ms < waits.doubt_ms;
  }
}
