import { isProblem } from '@unikorn/core/errors';
import type { World } from '@unikorn/core/world';

import { ProviderFailure } from '../../provider/index.ts';
import type { KnobBoard, Knobs } from './knobs.ts';

/** The entry point of the simulated cloud, where calls are delayed, fail, or lose their responses. */
export class Gate {
  readonly #world: World;
  readonly #board: KnobBoard;

  constructor(world: World, board: KnobBoard) {
    this.#world = world;
    this.#board = board;
  }

  async pass<T>(happen: (knobs: Knobs) => Promise<T>): Promise<T> {
    try {
      return await this.#pass(happen);
    } catch (error) {
      if (!isProblem(error)) throw error;
      throw new ProviderFailure('transient', 'the simulated cloud could not store its state; try again', {
        cause: error,
      });
    }
  }

  /** The same for read calls, which may also return nothing although the object exists. */
  look<T>(happen: (knobs: Knobs) => Promise<T>, nothing: () => T): Promise<T> {
    return this.pass((knobs) => (this.#happens(knobs.notFoundRate) ? Promise.resolve().then(nothing) : happen(knobs)));
  }

  async #pass<T>(happen: (knobs: Knobs) => Promise<T>): Promise<T> {
    const knobs = await this.#board.read();
    if (knobs.call_ms > 0) await this.#world.sleep(knobs.call_ms);
    if (knobs.service === 'down') throw new ProviderFailure('unavailable', 'the simulated cloud is out of service');
    if (this.#happens(knobs.errorRate)) throw new ProviderFailure('transient', 'the simulated cloud failed; try again');
    const answer = await happen(knobs);
    if (this.#happens(knobs.lostResponseRate))
      throw new ProviderFailure('transient', 'the response of the simulated cloud was lost; try again');
    return answer;
  }

  #happens(rate: number): boolean {
    return rate > 0 && this.#world.random() < rate;
  }
}
