import { isProblem } from '@unikorn/core/errors';
import type { Resource } from '@unikorn/core/kinds';
import { matching, type Store } from '@unikorn/core/store';

import { nameOf, ownerLabel, poolLabel, SimulatedClaim } from './kinds.ts';

/** The shares a pool has, both ends included. */
export interface Shares {
  readonly from: number;
  readonly to: number;
}

/**
 * Everything scarce is a pool of numbered shares. A share is somebody's by the existence of an object named after it, so
 * the store's refusal of a second one is what keeps an address from being handed out twice, whoever asks at the same time.
 */
export class Claims {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The share its owner has already, or a free one; undefined when there is none. */
  async take(pool: string, owner: string, shares: Shares): Promise<number | undefined> {
    const held = await this.#heldBy(owner);
    const mine = held.find(({ spec }) => spec.pool === pool && spec.share >= shares.from && spec.share <= shares.to);
    if (mine) return mine.spec.share;
    const size = shares.to - shares.from + 1;
    // Owners start in different places, so that finding a free share does not take longer the more are taken.
    const start = parseInt(owner.slice(0, 8), 16);
    for (let step = 0; step < size; step++) {
      const share = shares.from + ((start + step) % size);
      if (await this.#create(pool, owner, share)) return share;
    }
    return undefined;
  }

  /** Says that the owner uses something that has no shares, and that must stay as long as it does. */
  async use(pool: string, owner: string): Promise<void> {
    await this.#create(pool, owner, 0, owner);
  }

  /**
   * Makes the owner have this much of what is measured and not numbered, and says whether there is that much. It only ever
   * grows. Two that ask for the last of it at the same moment may both be refused, and ask again.
   */
  async hold(pool: string, owner: string, amount: number, capacity: number): Promise<boolean> {
    const held = sumOf((await this.#heldBy(owner)).filter(({ spec }) => spec.pool === pool));
    if (held >= amount) return true;
    // Looked at before too, so that whoever dies in between has at most lost a race.
    if ((await this.#taken(pool)) + amount - held > capacity) return false;
    const key = `${owner}/${amount}`;
    await this.#create(pool, owner, amount - held, key);
    if ((await this.#taken(pool)) <= capacity) return true;
    await this.#store.delete(SimulatedClaim, nameOf(pool, key));
    return false;
  }

  /** Who has this share. */
  async ownerOf(pool: string, share: number): Promise<string | undefined> {
    return (await this.#store.get(SimulatedClaim, nameOf(pool, `${share}`)))?.spec.owner;
  }

  async inUse(pool: string): Promise<boolean> {
    return (await this.#store.list(SimulatedClaim, { selector: matching({ [poolLabel]: nameOf(pool) }), limit: 1 })).items.length > 0;
  }

  /** Gives back what the owner has of a pool, or of all of them. */
  async release(owner: string, pool?: string): Promise<void> {
    for (const { metadata, spec } of await this.#heldBy(owner)) {
      if (pool === undefined || spec.pool === pool) await this.#store.delete(SimulatedClaim, metadata.name);
    }
  }

  async #taken(pool: string): Promise<number> {
    return sumOf((await this.#store.list(SimulatedClaim, { selector: matching({ [poolLabel]: nameOf(pool) }) })).items);
  }

  async #heldBy(owner: string) {
    return (await this.#store.list(SimulatedClaim, { selector: matching({ [ownerLabel]: owner }) })).items;
  }

  /** Whether it is the owner's now and was nobody's before. */
  async #create(pool: string, owner: string, share: number, key = `${share}`): Promise<boolean> {
    const name = nameOf(pool, key);
    // Looking first is much cheaper than being refused.
    if (await this.#store.get(SimulatedClaim, name)) return false;
    const metadata = { name, labels: { [poolLabel]: nameOf(pool), [ownerLabel]: owner } };
    try {
      await this.#store.create(SimulatedClaim, { metadata, spec: { pool, owner, share } });
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict')) return false;
      throw error;
    }
  }
}

function sumOf(claims: readonly Resource<typeof SimulatedClaim>[]): number {
  return claims.reduce((sum, { spec }) => sum + spec.share, 0);
}
