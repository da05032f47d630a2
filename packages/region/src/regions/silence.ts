import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';
import { isProviderFailure, ProviderFailure } from '../provider/index.ts';

/**
 * Notices a cloud that does not answer. Each call of such a cloud waits until its deadline, and the controllers would
 * soon do nothing but wait, also for the regions of other clouds. So while a cloud is silent, one call at a time tries
 * it, and all others fail at once. The first answer ends this.
 */
export class Silence {
  readonly #world: World;
  #heard_ms = -Infinity;
  #state: 'answers' | 'silent' | 'being tried' = 'answers';

  constructor(world: World) {
    this.#world = world;
  }

  /** Makes a call, or fails at once. */
  async through<T>(call: () => Promise<T>): Promise<T> {
    this.refuse();
    const tries = this.#state === 'silent';
    if (tries) this.#state = 'being tried';
    const begun_ms = this.#world.monotonic_ms();
    try {
      const answer = await call();
      this.#hear();
      return answer;
    } catch (error) {
      if (isProviderFailure(error, 'unavailable', 'transient')) this.#miss(begun_ms, tries);
      else this.#hear();
      throw error;
    }
  }

  /** Fails while the cloud is silent and another call tries it. */
  refuse(): void {
    if (this.#state === 'being tried')
      throw new ProviderFailure('unavailable', 'the cloud of this region does not answer at the moment');
  }

  #hear(): void {
    this.#heard_ms = this.#world.monotonic_ms();
    this.#state = 'answers';
  }

  /** A quick refusal costs nothing, and one service of a cloud may fail while the others answer. */
  #miss(begun_ms: number, tries: boolean): void {
    if (this.#heard_ms >= begun_ms) return;
    const wasSlow = this.#world.monotonic_ms() - begun_ms >= waits.silence_ms;
    if (tries || (wasSlow && this.#state === 'answers')) this.#state = 'silent';
  }
}
