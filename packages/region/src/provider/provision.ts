import type { IdentityReference } from './identity.ts';
import type { Ensured, Presence, Removed } from './presence.ts';

/** The data that is needed to find a resource again: its name in the provider is derived from it. */
export interface ResourceReference {
  readonly id: string;
}

/** One resource of an identity. */
export interface Found<Observed> {
  readonly id: string;
  readonly presence: Ensured<Observed>;
}

/**
 * The operations on one resource type of a provider, within a scope: an identity, or a project for resources without
 * one. A resource is found by a name that is derived from the reference and compared as a whole. It never depends on
 * data in a status, so any call can be repeated at any time.
 */
export interface Provision<
  Reference extends ResourceReference,
  Wanted extends Reference,
  Observed,
  Scope = IdentityReference,
> {
  /**
   * Creates the resource, or finds it and applies the changes that are possible. It only creates after proof of
   * absence, and never waits for the cloud.
   */
  ensure(scope: Scope, wanted: Wanted): Promise<Ensured<Observed>>;
  /** Reads it and changes nothing. */
  observe(scope: Scope, reference: Reference): Promise<Presence<Observed>>;
  /** All resources in the scope, in order of id, over all pages. */
  list(scope: Scope): Promise<readonly Found<Observed>[]>;
  /** Removes it and everything that was created for it. It succeeds if the resource or the identity does not exist. */
  remove(scope: Scope, reference: Reference): Promise<Removed>;
}
