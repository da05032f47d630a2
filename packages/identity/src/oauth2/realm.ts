import type { Acl } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import type { Tenancy, VerifiedToken } from '../access/index.ts';
import { Organization, Project } from '../kinds/index.ts';
import { domainOf, mayVouch, type Claimant, type Standing } from './federation/vouching.ts';

/** The scope of a token exchange. */
export interface NamedScope {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** The part of a scope that does not exist, or that the holder may not use. Both are reported in the same way. */
export type OutOfScope = 'organization' | 'project';

/** A membership that an organization has created and the user has not decided about. */
export interface Invitation {
  readonly membershipId: string;
  /** The name of the organization. */
  readonly organization: string;
}

/** The queries of logins and passports about organizations. */
export class Realm {
  readonly #tenancy: Tenancy;
  readonly #store: Store;

  constructor(tenancy: Tenancy, store: Store) {
    this.#tenancy = tenancy;
    this.#store = store;
  }

  /** The organizations in which a user is an active member and has accepted the membership. */
  async organizationIds(subject: string): Promise<readonly string[]> {
    await this.#tenancy.whenReady();
    return this.#tenancy.organizationsOf({ type: 'user', subject });
  }

  /** The part of the scope that the holder may not use; undefined if all of it exists and the holder has access. */
  async outOfScope(holder: VerifiedToken, scope: NamedScope): Promise<OutOfScope | undefined> {
    return (await this.#unreached(holder, scope)) ?? (await this.#absent(scope));
  }

  async #unreached(holder: VerifiedToken, scope: NamedScope): Promise<OutOfScope | undefined> {
    // The platform's services have platform-wide permissions.
    if (holder.accountType === 'system') return undefined;
    await this.#tenancy.whenReady();
    const acl = this.#tenancy.aclOf(
      holder.accountType === 'user'
        ? { type: 'user', subject: holder.subject }
        : { type: 'service', serviceAccountId: holder.subject },
      holder.organizationIds,
    );
    return unreachedOf(acl, holder.organizationIds, scope);
  }

  /** Read from the store, because caches may not contain an object that was just created. */
  async #absent({ organizationId, projectId }: NamedScope): Promise<OutOfScope | undefined> {
    if (!(await this.#store.get(Organization, organizationId))) return 'organization';
    if (projectId === undefined) return undefined;
    const project = await this.#store.get(Project, projectId);
    return project?.metadata.labels?.[labels.organization] === organizationId ? undefined : 'project';
  }

  async standing(subject: string): Promise<Standing> {
    await this.#tenancy.whenReady();
    const user = { type: 'user', subject } as const;
    return {
      activeIn: this.#tenancy.activeIn(user),
      acceptedIn: this.#tenancy.acceptedIn(subject),
      isPlatformSubject: this.#tenancy.globalRoles(user).length > 0,
    };
  }

  /** The memberships that a user has not decided about, sorted by the name of the organization. */
  async invitationsOf(subject: string): Promise<readonly Invitation[]> {
    await this.#tenancy.whenReady();
    const invitations = this.#tenancy.invitationsOf(subject).map(({ metadata }) => {
      const organization = this.#tenancy.organization(metadata.labels?.[labels.organization] ?? '');
      return { membershipId: metadata.name, organization: organization?.metadata.labels?.[labels.name] ?? '' };
    });
    return invitations.sort((a, b) => a.organization.localeCompare(b.organization));
  }

  /** Whether the organization may vouch for the user at this moment. */
  async mayVouch(organizationId: string, subject: string): Promise<boolean> {
    const standing = await this.standing(subject);
    const organization = this.#tenancy.organization(organizationId);
    return organization !== undefined && mayVouch(claimantOf(organization), subject, standing);
  }

  /**
   * The organization that decides how the user of this address logs in. The owner of the domain decides for all users
   * that it may vouch for. An organization that only claims the domain decides for its own members. Undefined if there
   * is none, or several.
   */
  async organizationOf(email: string): Promise<Organization | undefined> {
    const standing = await this.standing(email);
    const claimants = this.#tenancy.claimantsOf(domainOf(email));
    const owners = claimants.filter(ownsDomain);
    const deciding = (owners.length > 0 ? owners : claimants).filter(
      (organization) =>
        (ownsDomain(organization) && isUnknown(standing)) || mayVouch(claimantOf(organization), email, standing),
    );
    return deciding.length === 1 ? deciding[0] : undefined;
  }
}

function claimantOf({ metadata, spec: { domain, verifiedDomain } }: Organization): Claimant {
  return { id: metadata.name, domain, verifiedDomain };
}

function ownsDomain({ spec: { domain, verifiedDomain } }: Organization): boolean {
  return domain !== undefined && domain.toLowerCase() === verifiedDomain?.toLowerCase();
}

/** A user without memberships. The page must not show a difference from members. */
function isUnknown({ activeIn, acceptedIn, isPlatformSubject }: Standing): boolean {
  return activeIn.length === 0 && acceptedIn.length === 0 && !isPlatformSubject;
}

/**
 * The part of a scope that these permissions do not include. Permissions in a whole organization include all its
 * projects.
 */
export function unreachedOf(
  { global = [], organizations = [] }: Acl,
  organizationIds: readonly string[],
  { organizationId, projectId }: NamedScope,
): OutOfScope | undefined {
  if (global.length > 0) return undefined;
  if (!organizationIds.includes(organizationId)) return 'organization';
  if (projectId === undefined) return undefined;
  const { endpoints = [], projects = [] } = organizations.find(({ id }) => id === organizationId) ?? {};
  return endpoints.length > 0 || projects.some(({ id }) => id === projectId) ? undefined : 'project';
}
