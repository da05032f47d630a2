import type { Principal } from '@unikorn/core/access';
import type { Holder } from '@unikorn/core/references';
import type { Reference } from '@unikorn/core/resource';

import type { Amount, ProjectScope, QuotaKind } from '../quota/index.ts';

/** What a resource is to cost from now on. */
export interface ResourceCharge {
  /** Where the resource lives. */
  readonly scope: ProjectScope;
  readonly resource: Reference;
  readonly amounts: Readonly<Partial<Record<QuotaKind, Amount>>>;
}

/** A project as other services see it. */
export interface ProjectSummary extends ProjectScope {
  readonly name: string;
  readonly deleting: boolean;
}

/**
 * What other services ask of identity. Every operation may be repeated. The principal is on whose behalf it is asked: it is
 * written down as the author, pays where it names a project of its own, and changes nothing about what the service may do.
 *
 * @example
 * const { allocationId } = await identity.charge(principal, { scope, resource: { kind: Network.id, id }, amounts: { networks: { committed: 1, reserved: 0 } } });
 */
export interface IdentityClient {
  /** Fails with 403 when the organization has not enough left; the message names kind, wanted and limit. */
  charge(principal: Principal, charge: ResourceCharge): Promise<{ readonly allocationId: string }>;
  /** What costs nothing, or is of a project that is gone, is released already. */
  release(principal: Principal, scope: ProjectScope, resource: Reference): Promise<void>;
  /** What the organization has left of each kind, and negative where it has more than it now may. */
  free(principal: Principal, organizationId: string): Promise<Readonly<Partial<Record<QuotaKind, number>>>>;
  /** Undefined when there is no such project in the organization. */
  project(principal: Principal, scope: ProjectScope): Promise<ProjectSummary | undefined>;
  /** Keeps the project until the reference is removed. Refused with `invalid_request` once it is being deleted, and with `conflict` while somebody is about to. */
  addProjectReference(principal: Principal, scope: ProjectScope, holder: Holder): Promise<void>;
  /** With a claim, lets go only of what that run holds. */
  removeProjectReference(principal: Principal, scope: ProjectScope, reference: string, claim?: string): Promise<void>;
}

/** What an allocation is called: nobody looks at it by name. */
export const allocationName = 'undefined';

export function entriesOf(amounts: ResourceCharge['amounts']): readonly (Amount & { readonly kind: string })[] {
  return Object.entries(amounts).map(([kind, { committed, reserved }]) => ({ kind, committed, reserved }));
}
