import type { Acl, OrganizationAccess } from '@unikorn/core/access';
import type { CacheChange, CacheIndex, Caches, WatchCache } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import type { Kind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { perRegistry, type Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';
import { Counter } from 'prom-client';

import {
  acceptanceOf,
  Group,
  Organization,
  OrganizationUser,
  Project,
  ServiceAccount,
  userIdOf,
} from '../kinds/index.ts';
import { waits } from '../limits.ts';
import { buildAcl, buildOrganizationAccess, type AclSubject, type AclView } from './acl.ts';
import type { GlobalBindings } from './bindings.ts';
import { localSubjects } from './members.ts';
import type { Role, RoleCatalogue } from './roles.ts';

export interface TenancyOptions {
  readonly caches: Caches;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly roles: RoleCatalogue;
  readonly bindings: GlobalBindings;
}

const metricsOf = perRegistry((registry) => ({
  missingRoles: new Counter({
    name: 'unikorn_identity_missing_roles_total',
    help: 'Undefined roles found in groups while permissions were computed',
    registers: [registry],
  }),
}));

/**
 * All memberships in memory, kept up to date, so that the cost of computing permissions depends only on the groups of
 * the subject. A result is cached until a group or project of the organization changes.
 */
export class Tenancy implements AclView {
  readonly #options: TenancyOptions;
  readonly #organizations: WatchCache<typeof Organization>;
  readonly #accounts: WatchCache<typeof ServiceAccount>;
  readonly #byDomain: CacheIndex<typeof Organization>;
  readonly #memberships: CacheIndex<typeof OrganizationUser>;
  readonly #groups: CacheIndex<typeof Group>;
  readonly #projectsByGroup: CacheIndex<typeof Project>;
  readonly #known = new Map<string, Map<string, OrganizationAccess | undefined>>();

  constructor(options: TenancyOptions) {
    this.#options = options;
    const { caches } = options;
    const groups = caches.of(Group);
    const projects = caches.of(Project);
    this.#organizations = caches.of(Organization);
    this.#accounts = caches.of(ServiceAccount);
    this.#memberships = caches.of(OrganizationUser).index(({ metadata }) => [metadata.labels?.[labels.user] ?? '']);
    this.#byDomain = this.#organizations.index(({ spec }) =>
      spec.domain === undefined ? [] : [spec.domain.toLowerCase()],
    );
    this.#groups = groups.index(membersOf);
    this.#projectsByGroup = projects.index(({ spec }) => spec.groupIDs);
    this.#forgetOn(groups);
    this.#forgetOn(projects);
  }

  /**
   * Resolves when all data is read. Before that no subject would have permissions. If this takes too long, the store
   * has a problem, and the waiting requests get an error.
   */
  async whenReady(): Promise<void> {
    const { caches, world } = this.#options;
    if (caches.synced) return;
    const over = new AbortController();
    const late = world.sleep(waits.tenancy_ms, over.signal).then(() => 'late' as const);
    const outcome = await Promise.race([caches.whenSynced(), late]);
    over.abort();
    if (outcome === 'late')
      throw new Problem(
        'storage_unavailable',
        'permissions could not be loaded yet: try again later; if the error persists, the platform operator must check the log and the disk of the control plane',
      );
  }

  /**
   * Limited to the organizations in which a login is valid, if given. They may include an organization that vouched for
   * a user who has not accepted the membership.
   */
  aclOf(subject: AclSubject, among?: readonly string[]): Acl {
    const organizationIds = among
      ? this.activeIn(subject).filter((id) => among.includes(id))
      : this.organizationsOf(subject);
    return buildAcl(subject, this, organizationIds, (organizationId) => this.#within(subject, organizationId));
  }

  /** The organizations in which a subject is an active member and has accepted the membership. */
  organizationsOf(subject: AclSubject): readonly string[] {
    return this.#existing(
      subject.type === 'service'
        ? this.#homeOf(subject)
        : this.#active(subject.subject)
            .filter((membership) => acceptanceOf(membership) === 'accepted')
            .map(organizationIdOf),
    );
  }

  /** The organizations in which a subject is an active member, accepted or not. */
  activeIn(subject: AclSubject): readonly string[] {
    return this.#existing(
      subject.type === 'service' ? this.#homeOf(subject) : this.#active(subject.subject).map(organizationIdOf),
    );
  }

  /**
   * The organizations whose membership a user has accepted, whatever its state is now. Deleted organizations are
   * included.
   */
  acceptedIn(subject: string): readonly string[] {
    return this.#memberships
      .get(userIdOf(subject))
      .filter((membership) => acceptanceOf(membership) === 'accepted')
      .map(organizationIdOf);
  }

  /** Memberships that a user has not decided about. */
  invitationsOf(subject: string): readonly OrganizationUser[] {
    const open = this.#memberships
      .get(userIdOf(subject))
      .filter(
        (membership) => membership.spec.state !== 'suspended' && ['open', 'vouched'].includes(acceptanceOf(membership)),
      );
    return open.filter((membership) => this.organization(organizationIdOf(membership)) !== undefined);
  }

  organization(id: string): Organization | undefined {
    return this.#organizations.get(id);
  }

  /** The organizations that claim this mail domain. */
  claimantsOf(domain: string): readonly Organization[] {
    return this.#byDomain.get(domain.toLowerCase());
  }

  groupsOf(subject: AclSubject, organizationId: string): readonly Group[] {
    return this.#groups.get(memberKey(organizationId, subject));
  }

  projectsOf(groupId: string): readonly Project[] {
    return this.#projectsByGroup.get(groupId);
  }

  role(id: string): Role | undefined {
    const role = this.#options.roles.get(id);
    if (!role) {
      metricsOf(this.#options.telemetry.registry).missingRoles.inc();
      this.#options.telemetry.log.warn({ role: id }, 'a group names a role that does not exist');
    }
    return role;
  }

  globalRoles(subject: AclSubject): readonly Role[] {
    return this.#options.bindings.of(subject.type === 'user' ? subject.subject : subject.serviceAccountId);
  }

  #homeOf({ serviceAccountId }: Extract<AclSubject, { type: 'service' }>): readonly string[] {
    return [this.#accounts.get(serviceAccountId)?.metadata.labels?.[labels.organization] ?? ''];
  }

  #active(subject: string): readonly OrganizationUser[] {
    return this.#memberships.get(userIdOf(subject)).filter(({ spec }) => spec.state === 'active');
  }

  #existing(organizationIds: readonly string[]): readonly string[] {
    return organizationIds.filter((id) => this.#organizations.get(id) !== undefined).sort();
  }

  #within(subject: AclSubject, organizationId: string): OrganizationAccess | undefined {
    const known = this.#known.get(organizationId) ?? new Map<string, OrganizationAccess | undefined>();
    this.#known.set(organizationId, known);
    const key = memberKey(organizationId, subject);
    if (!known.has(key)) known.set(key, buildOrganizationAccess(subject, organizationId, this));
    return known.get(key);
  }

  /** Only the spec determines permissions. Changes of a status or an annotation are ignored. */
  #forgetOn<K extends Kind>(cache: WatchCache<K>): void {
    cache.subscribe((change: CacheChange<K>) => {
      const { object, previous } = change;
      if (change.type === 'modified' && previous?.metadata.generation === object.metadata.generation) return;
      this.#known.delete(object.metadata.labels?.[labels.organization] ?? '');
    });
  }
}

function organizationIdOf({ metadata }: OrganizationUser): string {
  return metadata.labels?.[labels.organization] ?? '';
}

function memberKey(organizationId: string, subject: AclSubject): string {
  return subject.type === 'user'
    ? `${organizationId} user ${subject.subject}`
    : `${organizationId} service ${subject.serviceAccountId}`;
}

function membersOf(group: Group): readonly string[] {
  const organizationId = group.metadata.labels?.[labels.organization] ?? '';
  const users = localSubjects(group).map((subject) => memberKey(organizationId, { type: 'user', subject }));
  const accounts = group.spec.serviceAccountIDs.map((serviceAccountId) =>
    memberKey(organizationId, { type: 'service', serviceAccountId }),
  );
  return [...users, ...accounts];
}
