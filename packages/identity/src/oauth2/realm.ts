import type { Acl } from '@unikorn/core/access';
import type { CacheIndex, Caches } from '@unikorn/core/controller';

import type { Tenancy, VerifiedToken } from '../access/index.ts';
import { Organization } from '../kinds/index.ts';

/** A scope as a token exchange names it. */
export interface NamedScope {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** What logins and passports ask about organizations. */
export class Realm {
  readonly #tenancy: Tenancy;
  readonly #byDomain: CacheIndex<typeof Organization>;

  constructor(tenancy: Tenancy, caches: Caches) {
    this.#tenancy = tenancy;
    this.#byDomain = caches.of(Organization).index(({ spec }) => (spec.domain === undefined ? [] : [spec.domain.toLowerCase()]));
  }

  /** Where a person is an active member. */
  async organizationIds(subject: string): Promise<readonly string[]> {
    await this.#tenancy.whenReady();
    return this.#tenancy.organizationsOf({ type: 'user', subject });
  }

  /** Whether the holder has any part in the scope. What is absent and what is others' are the same to them. */
  async reaches(holder: VerifiedToken, scope: NamedScope): Promise<boolean> {
    // Our own services have their rights everywhere.
    if (holder.accountType === 'system') return true;
    await this.#tenancy.whenReady();
    const acl = this.#tenancy.aclOf(holder.accountType === 'user' ? { type: 'user', subject: holder.subject } : { type: 'service', serviceAccountId: holder.subject });
    return reachesScope(acl, holder.organizationIds, scope);
  }

  /** Whether the deployment gives the subject rights over every organization. */
  isPlatformSubject(subject: string): boolean {
    return this.#tenancy.globalRoles({ type: 'user', subject }).length > 0;
  }

  /** The organization whose people have addresses of this domain; undefined when none or several say so. */
  async organizationOf(domain: string): Promise<Organization | undefined> {
    await this.#tenancy.whenReady();
    const [organization, ...others] = this.#byDomain.get(domain.toLowerCase());
    return others.length > 0 ? undefined : organization;
  }
}

export function reachesScope({ global = [], organizations = [] }: Acl, organizationIds: readonly string[], { organizationId, projectId }: NamedScope): boolean {
  if (global.length > 0) return true;
  if (!organizationIds.includes(organizationId)) return false;
  if (projectId === undefined) return true;
  const { endpoints = [], projects = [] } = organizations.find(({ id }) => id === organizationId) ?? {};
  return endpoints.length > 0 || projects.some(({ id }) => id === projectId);
}
