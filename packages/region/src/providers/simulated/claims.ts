import { isProblem } from '@unikorn/core/errors';
import type { Resource } from '@unikorn/core/kinds';
import { matching, type Store } from '@unikorn/core/store';

import { nameOf, ownerLabel, poolLabel, SimulatedClaim } from './kinds.ts';
import { limits } from './limits.ts';

/** The numbers of the shares in a pool, both ends included. */
export interface Shares {
  readonly from: number;
  readonly to: number;
}

type Claim = Resource<typeof SimulatedClaim>;

/**
 * Every limited resource is a pool of numbered shares. An object with the name of a share records its owner, so the
 * store's refusal of a second object prevents that an address is given out twice, also by concurrent requests.
 */
export class Claims {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The shares of an owner, for the time of one call. */
  of(owner: string): Holdings {
    return new Holdings(this.#store, owner);
  }

  /** The owner of this share. */
  async ownerOf(pool: string, share: number): Promise<string | undefined> {
    return (await this.#store.get(SimulatedClaim, nameOf(pool, `${share}`)))?.spec.owner;
  }

  async inUse(pool: string): Promise<boolean> {
    return (
      (await this.#store.list(SimulatedClaim, { selector: matching({ [poolLabel]: nameOf(pool) }), limit: 1 })).items
        .length > 0
    );
  }
}

/** The claims of one owner. They are read once, with the first use. */
export class Holdings {
  readonly #store: Store;
  readonly #owner: string;
  #known: Promise<Map<string, Claim>> | undefined;

  constructor(store: Store, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /** The share that the owner already has, or a free one; undefined if there is none. */
  async take(pool: string, shares: Shares): Promise<number | undefined> {
    const mine = (await this.#in(pool)).find(({ spec }) => spec.share >= shares.from && spec.share <= shares.to);
    if (mine) return mine.spec.share;
    const size = shares.to - shares.from + 1;
    // Owners start at different places, so that finding a free share does not take longer when more are taken.
    const start = parseInt(this.#owner.slice(-8), 16);
    for (let step = 0; step < size; step++) {
      // In a full pool, every attempt would read every share.
      if (step === limits.claimMisses && (await this.#isFull(pool, size))) return undefined;
      const share = shares.from + ((start + step) % size);
      // The first is usually free. After that, reading is much cheaper than a refused write.
      const found = step > 0 ? await this.#at(pool, share) : undefined;
      if (!found && (await this.#create(pool, share))) return share;
      if (await this.#isOurs(found ?? (await this.#at(pool, share)))) return share;
    }
    return undefined;
  }

  /** Records that the owner uses an object without shares, which must stay for that time. */
  async use(pool: string): Promise<void> {
    if ((await this.#in(pool)).length === 0) await this.#create(pool, 0, this.#owner);
  }

  /**
   * Reserves an amount of a measured resource for the owner, and returns whether there is enough. The amount can only
   * grow. Two concurrent requests for the last of it may both be refused, and are repeated.
   */
  async hold(pool: string, amount: number, capacity: number): Promise<boolean> {
    const held = sumOf(await this.#in(pool));
    if (held >= amount) return true;
    // Also checked before the write, so that a process that dies in between has at most lost a race.
    if ((await this.#taken(pool)) + amount - held > capacity) return false;
    const key = `${this.#owner}/${amount}`;
    await this.#create(pool, amount - held, key);
    if ((await this.#taken(pool)) <= capacity) return true;
    await this.#remove(nameOf(pool, key));
    return false;
  }

  /** Releases the owner's shares of a pool, or of all pools. */
  async release(pool?: string): Promise<void> {
    for (const { metadata, spec } of (await this.#all()).values()) {
      if (pool === undefined || spec.pool === pool) await this.#remove(metadata.name);
    }
  }

  async #isFull(pool: string, size: number): Promise<boolean> {
    return (
      (await this.#store.countUpTo(SimulatedClaim, matching({ [poolLabel]: nameOf(pool) }), size, { cached: true })) >=
      size
    );
  }

  async #taken(pool: string): Promise<number> {
    return sumOf(
      (await this.#store.list(SimulatedClaim, { selector: matching({ [poolLabel]: nameOf(pool) }), cached: true }))
        .items,
    );
  }

  #all(): Promise<Map<string, Claim>> {
    this.#known ??= this.#store
      .list(SimulatedClaim, { selector: matching({ [ownerLabel]: this.#owner }), cached: true })
      .then(({ items }) => new Map(items.map((claim) => [claim.metadata.name, claim])));
    return this.#known;
  }

  #at(pool: string, share: number): Promise<Claim | undefined> {
    return this.#store.get(SimulatedClaim, nameOf(pool, `${share}`));
  }

  /**
   * Another process may still work on the same object, because it has not noticed that it lost its lease. Its claims
   * also belong to the owner.
   */
  async #isOurs(claim: Claim | undefined): Promise<boolean> {
    if (claim?.spec.owner !== this.#owner) return false;
    (await this.#all()).set(claim.metadata.name, claim);
    return true;
  }

  async #in(pool: string): Promise<readonly Claim[]> {
    return [...(await this.#all()).values()].filter(({ spec }) => spec.pool === pool);
  }

  /** Whether the owner has the share now and no one had it before. */
  async #create(pool: string, share: number, key = `${share}`): Promise<boolean> {
    const metadata = { name: nameOf(pool, key), labels: { [poolLabel]: nameOf(pool), [ownerLabel]: this.#owner } };
    try {
      const claim = await this.#store.create(SimulatedClaim, { metadata, spec: { pool, owner: this.#owner, share } });
      (await this.#all()).set(claim.metadata.name, claim);
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict')) return false;
      throw error;
    }
  }

  async #remove(name: string): Promise<void> {
    await this.#store.delete(SimulatedClaim, name);
    (await this.#all()).delete(name);
  }
}

function sumOf(claims: Iterable<Claim>): number {
  return [...claims].reduce((sum, { spec }) => sum + spec.share, 0);
}
