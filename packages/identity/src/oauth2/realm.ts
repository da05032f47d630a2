import type { Acl } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import type { Tenancy, VerifiedToken } from '../access/index.ts';
import { Organization, Project } from '../kinds/index.ts';
import { mayVouch, type Standing } from './federation/vouching.ts';

/** A scope as a token exchange names it. */
export interface NamedScope {
  readonly organizationId: string;
  readonly projectId?: string;
}

/** The part of a scope that does not exist, or that the holder has no part in. The two are the same to them. */
export type OutOfScope = 'organization' | 'project';

/** What logins and passports ask about organizations. */
export class Realm {
  readonly #tenancy: Tenancy;
  readonly #store: Store;

  constructor(tenancy: Tenancy, store: Store) {
    this.#tenancy = tenancy;
    this.#store = store;
  }

  /** Where a person is an active member. */
  async organizationIds(subject: string): Promise<readonly string[]> {
    await this.#tenancy.whenReady();
    return this.#tenancy.organizationsOf({ type: 'user', subject });
  }

  /** What is wrong with the scope for this holder; undefined when all of it exists and they have a part in it. */
  async outOfScope(holder: VerifiedToken, scope: NamedScope): Promise<OutOfScope | undefined> {
    return (await this.#unreached(holder, scope)) ?? (await this.#absent(scope));
  }

  async #unreached(holder: VerifiedToken, scope: NamedScope): Promise<OutOfScope | undefined> {
    // Our own services have their rights everywhere.
    if (holder.accountType === 'system') return undefined;
    await this.#tenancy.whenReady();
    const acl = this.#tenancy.aclOf(holder.accountType === 'user' ? { type: 'user', subject: holder.subject } : { type: 'service', serviceAccountId: holder.subject });
    return unreachedOf(acl, holder.organizationIds, scope);
  }

  /** Read from the store, because caches may not know yet what was just created. */
  async #absent({ organizationId, projectId }: NamedScope): Promise<OutOfScope | undefined> {
    if (!(await this.#store.get(Organization, organizationId))) return 'organization';
    if (projectId === undefined) return undefined;
    const project = await this.#store.get(Project, projectId);
    return project?.metadata.labels?.[labels.organization] === organizationId ? undefined : 'project';
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

/** The part of a scope that these rights do not reach. Rights in a whole organization reach every project that it has. */
export function unreachedOf({ global = [], organizations = [] }: Acl, organizationIds: readonly string[], { organizationId, projectId }: NamedScope): OutOfScope | undefined {
  if (global.length > 0) return undefined;
  if (!organizationIds.includes(organizationId)) return 'organization';
  if (projectId === undefined) return undefined;
  const { endpoints = [], projects = [] } = organizations.find(({ id }) => id === organizationId) ?? {};
  return endpoints.length > 0 || projects.some(({ id }) => id === projectId) ? undefined : 'project';
}
