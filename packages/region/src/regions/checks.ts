import { Problem } from '@unikorn/core/errors';
import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';
import type { Check } from '../provider/index.ts';

/**
 * The checks of clouds that are under way. A slow cloud can need longer than a request may take. Then the request is
 * refused, the check goes on, and the next request for the same region gets its result.
 */
export class Checks {
  readonly #world: World;
  readonly #underWay = new Map<string, Promise<readonly Check[]>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The result of the check of this region that is under way, or else of a new one. */
  async of(regionId: string, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
    const known = this.#underWay.get(regionId);
    const work = known ?? check();
    if (!known) this.#remember(regionId, work);
    const result = await this.#inTime(work);
    this.#forget(regionId, work);
    return result;
  }

  #remember(regionId: string, work: Promise<readonly Check[]>): void {
    this.#underWay.set(regionId, work);
    const forgetLater = () => {
      this.#world.after(waits.checkResult_ms, () => {
        this.#forget(regionId, work);
      });
    };
    work.then(forgetLater, () => {
      this.#forget(regionId, work);
    });
  }

  #forget(regionId: string, work: Promise<readonly Check[]>): void {
    if (this.#underWay.get(regionId) === work) this.#underWay.delete(regionId);
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#world.after(waits.check_ms, () => {
        reject(
          new Problem(
            'too_many_requests',
            'the check of this region is still running: send the request again to get its result',
          ),
        );
      });
      work.then(resolve, reject).finally(cancel);
    });
  }
}
