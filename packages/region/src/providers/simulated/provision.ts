import type { GetOptions } from '@unikorn/core/store';

import {
  absent,
  ProviderFailure,
  type Ensured,
  type Found,
  type IdentityReference,
  type Presence,
  type Provision,
  type Removed,
  type ResourceReference,
} from '../../provider/index.ts';
import type { Holdings } from './claims.ts';
import { pools, type Cloud } from './cloud.ts';
import type { SimulatedIdentities } from './identities.ts';
import type { Knobs } from './knobs.ts';
import type { Records, Stored } from './records.ts';

/** The scope, the time and the owner of an operation. */
export interface Site {
  readonly tenant: string;
  /** The owner of the claims of a resource. */
  readonly owner: string;
  readonly holdings: Holdings;
  readonly now: number;
  readonly knobs: Knobs;
}

/** The special behaviour of one resource type. */
export interface Sort<Wanted, Body, Observed> {
  readonly records: Records<Body>;
  readonly delete_ms: (knobs: Knobs) => number;
  /**
   * Claims the shares that it needs. If one is missing, the others stay claimed for the next attempt or the removal.
   */
  make(site: Site, wanted: Wanted): Promise<Body>;
  /** Returns a change, which is applied to the stored object. */
  converge(site: Site, body: Body, wanted: Wanted): Promise<(current: Body) => Body>;
  observe(stored: Stored<Body>, tenant: string): Promise<Ensured<Observed>> | Ensured<Observed>;
  /** Throws `in_use` while another resource needs it; absent for types that no other resource uses. */
  assertUnused?(site: Site): Promise<void>;
}

/** The owner of resources, and whether the cloud knows it. */
export interface Tenancy<Scope> {
  tenantOf(scope: Scope): string;
  isRealised(scope: Scope): Promise<boolean>;
}

export function tenancyOf(identities: SimulatedIdentities): Tenancy<IdentityReference> {
  return { tenantOf: ({ id }) => id, isRealised: (identity) => identities.isRealised(identity) };
}

/**
 * The lifecycle of a resource in the cloud. Only `ensure` and `remove` delete the records of removed objects, and a
 * controller runs one of them at a time for each resource. Reading never changes anything.
 */
export class SimulatedProvision<
  Reference extends ResourceReference,
  Wanted extends Reference,
  Body,
  Observed,
  Scope = IdentityReference,
> implements Provision<Reference, Wanted, Observed, Scope> {
  readonly #cloud: Cloud;
  readonly #tenancy: Tenancy<Scope>;
  readonly #sort: Sort<Wanted, Body, Observed>;

  constructor(cloud: Cloud, tenancy: Tenancy<Scope>, sort: Sort<Wanted, Body, Observed>) {
    this.#cloud = cloud;
    this.#tenancy = tenancy;
    this.#sort = sort;
  }

  ensure(scope: Scope, wanted: Wanted): Promise<Ensured<Observed>> {
    return this.#cloud.gate.pass(async (knobs) => {
      if (!(await this.#tenancy.isRealised(scope)))
        throw new ProviderFailure('unrealised_identity', 'the identity does not exist in the cloud yet');
      const site = this.#site(scope, wanted, knobs);
      // It is created or changed under compare-and-swap, so the copy in this process is enough.
      const stored = await this.#cleared(site, { cached: true });
      if (stored?.goneAt !== undefined)
        throw new ProviderFailure('conflict', `the former ${this.#sort.records.sort} is still being deleted`);
      return await this.#sort.observe(
        stored ? await this.#converge(site, stored, wanted) : await this.#make(site, wanted),
        site.tenant,
      );
    });
  }

  observe(scope: Scope, reference: Reference): Promise<Presence<Observed>> {
    return this.#cloud.gate.look<Presence<Observed>>(
      async () => {
        const tenant = this.#tenancy.tenantOf(scope);
        const stored = await this.#sort.records.find(tenant, reference.id);
        return stored && this.#isVisible(stored) ? await this.#sort.observe(stored, tenant) : absent;
      },
      () => absent,
    );
  }

  list(scope: Scope): Promise<readonly Found<Observed>[]> {
    return this.#cloud.gate.look<readonly Found<Observed>[]>(
      async () => {
        const tenant = this.#tenancy.tenantOf(scope);
        const found: Found<Observed>[] = [];
        for (const stored of await this.#sort.records.list(tenant)) {
          if (this.#isVisible(stored))
            found.push({ id: stored.id, presence: await this.#sort.observe(stored, tenant) });
        }
        return found;
      },
      () => [],
    );
  }

  remove(scope: Scope, reference: Reference): Promise<Removed> {
    return this.#cloud.gate.pass(async (knobs): Promise<Removed> => {
      const site = this.#site(scope, reference, knobs);
      await this.#sort.assertUnused?.(site);
      const stored = await this.#sort.records.named(site.owner);
      if (stored) await this.#sort.records.leave(site.owner, site.now + this.#sort.delete_ms(knobs));
      if (await this.#cleared(site))
        return { state: 'pending', reason: `the ${this.#sort.records.sort} is being deleted` };
      // A resource whose creation failed may have claimed shares.
      await site.holdings.release();
      return absent;
    });
  }

  /** Runs a verb on a resource, or throws `not_found`; `notFoundRate` applies as for reads. */
  async verb<T>(
    scope: Scope,
    reference: Reference,
    happen: (stored: Stored<Body>, site: Site) => Promise<T>,
  ): Promise<T> {
    const missing = () => {
      throw new ProviderFailure('not_found', `the ${this.#sort.records.sort} does not exist`);
    };
    return this.#cloud.gate.look<T>(async (knobs) => {
      const site = this.#site(scope, reference, knobs);
      const stored = await this.#sort.records.named(site.owner);
      return stored && stored.goneAt === undefined ? await happen(stored, site) : missing();
    }, missing);
  }

  #site(scope: Scope, { id }: ResourceReference, knobs: Knobs): Site {
    const tenant = this.#tenancy.tenantOf(scope);
    const owner = this.#sort.records.nameOf(tenant, id);
    return { tenant, owner, holdings: this.#cloud.claims.of(owner), now: this.#cloud.world.now(), knobs };
  }

  #isVisible({ goneAt }: Stored<Body>): boolean {
    return goneAt === undefined || goneAt > this.#cloud.world.now();
  }

  /**
   * The stored object, after the record of a deleted one is removed. Its claims are removed first, because the record
   * is needed to find them.
   */
  async #cleared({ owner, holdings }: Site, options?: GetOptions): Promise<Stored<Body> | undefined> {
    const stored = await this.#sort.records.named(owner, options);
    if (!stored || this.#isVisible(stored)) return stored;
    await holdings.release();
    await this.#sort.records.delete(owner);
    return undefined;
  }

  async #make(site: Site, wanted: Wanted): Promise<Stored<Body>> {
    const body = await this.#sort.make(site, wanted);
    // Not needed if it already has a numbered share of its tenant, as servers do.
    await site.holdings.use(pools.usesOfIdentity(this.#cloud, site.tenant));
    return this.#sort.records.create(site.tenant, wanted.id, body);
  }

  async #converge(site: Site, { body }: Stored<Body>, wanted: Wanted): Promise<Stored<Body>> {
    return this.#sort.records.change(site.owner, await this.#sort.converge(site, body, wanted));
  }
}
