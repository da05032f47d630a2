import type { World } from '@unikorn/core/world';

/** So much may be missing at once before it looks more like a fault of the cloud than like what happened to the things themselves. */
const tolerated = { things: 3, share: 0.2 } as const;

/** Whether a loss is more than can be believed at once. Several things that all went together say more about the cloud than about themselves, however few they are. */
export function isImplausibleLoss({
  expected,
  missing,
}: {
  readonly expected: number;
  readonly missing: number;
}): boolean {
  const all = expected > 1 && missing === expected;
  return all || missing > Math.max(tolerated.things, tolerated.share * expected);
}

/** For so long a strange claim of a cloud is not believed: longer than the restart of a service that lost its database for a moment. */
const doubt_ms = 60_000;

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
    return this.#since_ms !== undefined && now_ms - this.#since_ms < doubt_ms;
  }
}
