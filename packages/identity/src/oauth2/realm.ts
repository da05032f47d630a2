import type { Acl } from '@unikorn/core/access';

import type { Tenancy, VerifiedToken } from '../access/index.ts';
import type { Organization } from '../kinds/index.ts';
import { mayVouch, type Standing } from './federation/vouching.ts';

/** A scope as a token exchange names it. */
export interface NamedScope {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** What logins and passports ask about organizations. */
export class Realm {
  readonly #tenancy: Tenancy;

  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
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

  async standing(subject: string): Promise<Standing> {
    await this.#tenancy.whenReady();
    const user = { type: 'user', subject } as const;
    return { activeIn: this.#tenancy.organizationsOf(user), memberOf: this.#tenancy.membershipsOf(subject), isPlatformSubject: this.#tenancy.globalRoles(user).length > 0 };
  }

  /** Whether the organization's own provider may speak for the person, as things stand now. */
  async mayVouch(organizationId: string, subject: string): Promise<boolean> {
    return mayVouch(organizationId, await this.standing(subject));
  }

  /** The organization whose people have addresses of this domain; undefined when none or several say so. */
  async organizationOf(domain: string): Promise<Organization | undefined> {
    await this.#tenancy.whenReady();
    const [organization, ...others] = this.#tenancy.claimantsOf(domain);
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
