import { defined } from '@unikorn/core/defined';
import { labels, newMetadata, randomId } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { digestLabels, issueToken, roleIdOf } from '../access/index.ts';
import {
  Group,
  localIssuer,
  membershipIdOf,
  normaliseSubject,
  Organization,
  OrganizationUser,
  Project,
  ServiceAccount,
  User,
  userIdOf,
  type Acceptance,
  type UserState,
} from '../kinds/index.ts';

/**
 * Writes test data directly into the store, in the form that the API would have written.
 *
 * @example const organizationId = await new Founder(store, world).organization();
 */
export class Founder {
  readonly #store: Store;
  readonly #world: World;
  readonly #name: string;

  /** `name` is the name of every object that it creates. */
  constructor(store: Store, world: World, name = 'acme') {
    this.#store = store;
    this.#world = world;
    this.#name = name;
  }

  async organization(): Promise<string> {
    const id = randomId(this.#world);
    await this.#store.create(Organization, {
      metadata: newMetadata(id, { name: this.#name }, { organizationId: id }, { subject: 'test' }),
      spec: {},
    });
    return id;
  }

  async project(organizationId: string, groupIDs: readonly string[] = []): Promise<string> {
    const id = randomId(this.#world);
    await this.#store.create(Project, {
      metadata: newMetadata(id, { name: this.#name }, { organizationId, projectId: id }, { subject: 'test' }),
      spec: { groupIDs },
    });
    return id;
  }

  /** A group with these members and roles, by name. */
  async group(
    organizationId: string,
    roles: readonly string[],
    members: { readonly users?: readonly string[]; readonly serviceAccounts?: readonly string[] } = {},
  ): Promise<string> {
    const id = randomId(this.#world);
    const subjects = (members.users ?? []).map((subject) => ({
      id: normaliseSubject(subject),
      issuer: localIssuer,
      email: subject,
    }));
    const spec = { subjects, serviceAccountIDs: members.serviceAccounts ?? [], roleIDs: roles.map(roleIdOf) };
    await this.#store.create(Group, {
      metadata: newMetadata(id, { name: this.#name }, { organizationId }, { subject: 'test' }),
      spec,
    });
    return id;
  }

  /**
   * A user and, if an organization is given, their membership. Without a decision it is stored as in older versions.
   * Returns the id of the membership.
   */
  async user(
    subject: string,
    organizationId?: string,
    state: UserState = 'active',
    acceptance?: Acceptance,
  ): Promise<string> {
    const userId = userIdOf(subject);
    if (!(await this.#store.get(User, userId)))
      await this.#store.create(User, {
        metadata: { name: userId },
        spec: { subject: normaliseSubject(subject), state: 'active' },
      });
    if (organizationId === undefined) return userId;
    const id = membershipIdOf(organizationId, userId);
    const metadata = newMetadata(
      id,
      { name: 'undefined' },
      { organizationId },
      { subject: 'test' },
      { labels: { [labels.user]: userId } },
    );
    await this.#store.create(OrganizationUser, {
      metadata,
      spec: { subject: normaliseSubject(subject), state, ...defined({ acceptance }) },
    });
    return id;
  }

  async serviceAccount(organizationId: string): Promise<{ readonly id: string; readonly token: string }> {
    const id = randomId(this.#world);
    const { token, tokenDigest, expiry } = issueToken(this.#world);
    const metadata = newMetadata(
      id,
      { name: this.#name },
      { organizationId },
      { subject: 'test' },
      { labels: digestLabels(tokenDigest) },
    );
    await this.#store.create(ServiceAccount, { metadata, spec: { tokenDigest, expiry } });
    return { id, token };
  }

  /** A service account with these roles. */
  async robot(
    organizationId: string,
    roles: readonly string[],
  ): Promise<{ readonly id: string; readonly token: string; readonly groupId: string }> {
    const account = await this.serviceAccount(organizationId);
    return { ...account, groupId: await this.group(organizationId, roles, { serviceAccounts: [account.id] }) };
  }
}
