import type { IdentityReference } from './identity.ts';
import type { Ensured, Presence, Removed } from './presence.ts';

/** What is enough to find something again: its name in the provider follows from it. */
export interface ResourceReference {
  readonly id: string;
}

/** One thing among those of an identity. */
export interface Found<Observed> {
  readonly id: string;
  readonly presence: Ensured<Observed>;
}

/**
 * How things of one sort are kept in a provider, within a scope: an identity, but for what lives without one.
 * Everything is found by a name that follows from what the reference says and is compared as a whole, never by what a
 * status remembers, so any call can be repeated at any time.
 */
export interface Provision<
  Reference extends ResourceReference,
  Wanted extends Reference,
  Observed,
  Scope = IdentityReference,
> {
  /**
   * Makes it, or finds it and repairs what can be changed. Creates only on proof of absence; never waits for the cloud.
   */
  ensure(scope: Scope, wanted: Wanted): Promise<Ensured<Observed>>;
  /** Looks and changes nothing. */
  observe(scope: Scope, reference: Reference): Promise<Presence<Observed>>;
  /** Everything in the scope, in order of id, however many pages that takes. */
  list(scope: Scope): Promise<readonly Found<Observed>[]>;
  /** Removes it and all that was made for it. Absent is success, and so is an identity that never came to be. */
  remove(scope: Scope, reference: Reference): Promise<Removed>;
}
