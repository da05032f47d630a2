import { Answers } from '@unikorn/core/outbound';

import {
  absent,
  isProviderFailure,
  openSshPrivateKey,
  openSshPublicKey,
  ProviderFailure,
  type Ensured,
  type Identities,
  type IdentityReference,
  type ObservedIdentity,
  type Presence,
  type Removed,
} from '../../provider/index.ts';
import { cinder, glance, keystone, neutron, nova, type Session } from './client/index.ts';
import { IdentityRecords, type IdentityFacts } from './identity-records.ts';
import { waits } from './limits.ts';
import { computeQuota, networkQuota, volumeQuota } from './quotas.ts';
import type { OpenstackRegion } from './region.ts';
import type { Tenants } from './tenants.ts';

/** The key of each identity's user. The original of this platform uses the same name. */
export const keyName = 'unikorn-openstack-provider';

/** The role by which policies of the cloud let the region's user do what tenants may not. */
export const managerRole = 'manager';
export const defaultUserRoles = ['member', 'load-balancer_member'];
const defaultGroupPolicy = 'soft-anti-affinity';

/** The name of the project, the user and the server group of an identity. */
export function identityName(id: string): string {
  return `unikorn-identity-${id}`;
}

/**
 * An identity is a project, with a user of its own in it, and what servers of that user need. Every step finds what an
 * earlier attempt made, by its name, and is recorded before the next one.
 */
export class OpenstackIdentities implements Identities {
  readonly #region: OpenstackRegion;
  readonly #records: IdentityRecords;
  readonly #roles: Answers<readonly keystone.Role[]>;

  constructor(region: OpenstackRegion) {
    this.#region = region;
    this.#records = new IdentityRecords(region.store, region.regionId);
    this.#roles = new Answers(region.world, 1);
  }

  /** The project of an identity as the region's user sees it, who is its manager. */
  readonly managers: Tenants = async (identity) => {
    const projectId = completeProject(await this.#records.find(identity));
    return projectId === undefined ? undefined : { projectId, session: await this.#region.manager(projectId) };
  };

  /** The project of an identity as its own user sees it. */
  readonly users: Tenants = async (identity) => {
    const facts = await this.#records.find(identity);
    const projectId = completeProject(facts);
    const session = facts && projectId !== undefined ? this.#session(facts, projectId) : undefined;
    return projectId !== undefined && session ? { projectId, session } : undefined;
  };

  async ensure(identity: IdentityReference): Promise<Ensured<ObservedIdentity>> {
    const { world } = this.#region;
    const secrets = await this.#records.open(identity, () => ({
      password: Buffer.from(world.randomBytes(32)).toString('base64url'),
      sshPrivateKey: openSshPrivateKey(world.randomBytes(32)),
    }));
    const domain = await this.#region.domain();
    const projectId = await this.#ensureProject(domain, identity);
    await this.#grant(domain, { projectId, userId: (await domain.holder()).userId, roleNames: [managerRole] });
    await liftQuotas(await this.#region.manager(projectId), projectId);
    const userId = await this.#ensureUser(domain, identity, projectId, secrets.password);
    await this.#grant(domain, { projectId, userId, roleNames: this.#userRoles() });
    const facts = await this.#records.note(identity, { userID: userId });
    const session = this.#session(facts, projectId);
    if (!session) throw new ProviderFailure('inconsistent', 'the record of the identity has lost its user');
    const serverGroupID = await ensureServerGroup(session, {
      name: identityName(identity.id),
      policy: this.#region.settings.compute?.serverGroupPolicy ?? defaultGroupPolicy,
    });
    await ensureKey(session, openSshPublicKey(secrets.sshPrivateKey));
    await this.#records.note(identity, { serverGroupID, sshKeyName: keyName });
    return { state: 'present', observed: { providerId: projectId } };
  }

  async observe(identity: IdentityReference): Promise<Presence<ObservedIdentity>> {
    const project = await this.#findProject(await this.#region.domain(), identity);
    if (!project) return absent;
    const facts = await this.#records.find(identity);
    // The identity was removed, and its project stayed for its snapshots.
    if (!facts && !(await this.#hasUser(identity.id))) return absent;
    const observed = { providerId: project.id };
    return completeProject(facts) === project.id
      ? { state: 'present', observed }
      : { state: 'pending', reason: 'the identity is being created in the cloud', observed };
  }

  /**
   * Removes everything that `ensure` may have made, in the reverse order. The record goes last. A project that has
   * snapshots stays until the last of them is deleted: only a user of their project may delete them.
   */
  async remove(identity: IdentityReference): Promise<Removed> {
    const domain = await this.#region.domain();
    const name = identityName(identity.id);
    const domainId = await this.#region.domainId();
    const facts = await this.#records.find(identity);
    // A list can be older than the last change. Without its user, the key and the server group could not be removed.
    const project = (await this.#findProject(domain, identity)) ?? (await projectNoted(domain, facts));
    const user = (await keystone.findUser(domain, { name, domainId })) ?? (await userNoted(domain, facts));
    if (project) await this.#assertEmpty(domain, project.id);
    if (user) {
      if (project) await this.#removeBelongings(domain, { projectId: project.id, userId: user.id, name, facts });
      await keystone.deleteUser(domain, user.id);
    }
    if (project && !(await this.#hasImages(project.id))) await keystone.deleteProject(domain, project.id);
    await this.#records.forget(identity);
    return absent;
  }

  /** Deletes the project of an identity that was removed, when its last snapshot is deleted. */
  async releaseProject(id: string): Promise<void> {
    const domain = await this.#region.domain();
    if (await this.#records.find({ id })) return;
    const project = await keystone.findProject(domain, {
      name: identityName(id),
      domainId: await this.#region.domainId(),
    });
    if (project && !(await this.#hasUser(id)) && !(await this.#hasImages(project.id)))
      await keystone.deleteProject(domain, project.id);
  }

  async #hasUser(id: string): Promise<boolean> {
    const domain = await this.#region.domain();
    const domainId = await this.#region.domainId();
    return (await keystone.findUser(domain, { name: identityName(id), domainId })) !== undefined;
  }

  async #hasImages(projectId: string): Promise<boolean> {
    const session = await this.#region.manager(projectId);
    return (await glance.listImages(session, { owner: projectId, visibility: 'all' })).length > 0;
  }

  /** The projects in the cloud of the identities of an organization. */
  projectsOf(organizationId: string): Promise<readonly string[]> {
    return this.#records.projectsOf(organizationId);
  }

  async privateKey(identity: IdentityReference): Promise<string> {
    const key = (await this.#records.find(identity))?.sshPrivateKey;
    if (key === undefined) throw new ProviderFailure('not_found', 'the identity has no key');
    return key;
  }

  #session({ userID, password }: IdentityFacts, projectId: string): Session | undefined {
    if (userID === undefined || password === undefined) return undefined;
    return this.#region.user({ method: 'password', user: { id: userID }, password }, projectId);
  }

  #userRoles(): readonly string[] {
    return this.#region.settings.identity?.clusterRoles ?? defaultUserRoles;
  }

  async #findProject(domain: Session, { id, organizationId, projectId }: IdentityReference) {
    const project = await keystone.findProject(domain, {
      name: identityName(id),
      domainId: await this.#region.domainId(),
    });
    if (project && !belongsTo(project, { organization: organizationId, project: projectId }))
      throw new ProviderFailure(
        'inconsistent',
        'the project of the identity in the cloud is marked as that of another tenant: the platform operator must check it',
        { cause: new Error(`project ${project.id} has the tags ${(project.tags ?? []).join(', ')}`) },
      );
    return project;
  }

  async #ensureProject(domain: Session, identity: IdentityReference): Promise<string> {
    const { id, organizationId, projectId } = identity;
    const project =
      (await this.#findProject(domain, identity)) ??
      (await keystone.createProject(domain, {
        name: identityName(id),
        domainId: await this.#region.domainId(),
        description: 'Made by Unikorn',
        tags: [`organization=${organizationId}`, `project=${projectId}`],
      }));
    await this.#records.begin(identity, project.id);
    return project.id;
  }

  async #ensureUser(
    domain: Session,
    identity: IdentityReference,
    projectId: string,
    password: string,
  ): Promise<string> {
    const name = identityName(identity.id);
    const domainId = await this.#region.domainId();
    const known = (await this.#records.find(identity))?.userID;
    const found = await keystone.findUser(domain, { name, domainId });
    // A user that is not recorded was made by an attempt whose answer was lost, or by a record that was.
    if (found && found.id !== known) await this.#setPassword(domain, found.id, password);
    const user = found ?? (await keystone.createUser(domain, { name, domainId, password, projectId }));
    return user.id;
  }

  /** Keystone ends all tokens of that second, also those that are issued after the change. */
  async #setPassword(domain: Session, userId: string, password: string): Promise<void> {
    await keystone.setPassword(domain, userId, password);
    await this.#region.world.sleep(waits.revocation_ms);
  }

  async #grant(
    domain: Session,
    {
      projectId,
      userId,
      roleNames,
    }: { readonly projectId: string; readonly userId: string; readonly roleNames: readonly string[] },
  ): Promise<void> {
    for (const roleName of roleNames)
      await keystone.grantRole(domain, { projectId, userId, roleId: await this.#roleId(domain, roleName) });
  }

  async #roleId(domain: Session, name: string): Promise<string> {
    const { world } = this.#region;
    const roles = await this.#roles.get('roles', async () => ({
      value: await keystone.listRoles(domain),
      until: world.now() + waits.roles_ms,
    }));
    const role = roles.find((known) => known.name === name);
    if (role) return role.id;
    throw new ProviderFailure(
      'permission',
      `the cloud of this region has no role ${name}: the platform operator must create it, or name other roles in the settings of the region`,
    );
  }

  /** A project that still has things would leave them behind without an owner. */
  async #assertEmpty(domain: Session, projectId: string): Promise<void> {
    const { userId } = await domain.holder();
    // An identity that was never completed may lack the role that is needed to look.
    await this.#grant(domain, { projectId, userId, roleNames: [managerRole] });
    const session = await this.#region.manager(projectId);
    const things = [
      ...(await nova.listServers(session)),
      ...(await neutron.listNetworks(session, { projectId })),
      ...(await neutron.listFloatingIPs(session, { projectId })),
    ];
    if (things.length > 0)
      throw new ProviderFailure('in_use', 'the identity still has resources in the cloud', {
        cause: new Error(`project ${projectId} has ${things.map(({ id }) => id).join(', ')}`),
      });
  }

  /** Keys belong to a user and server groups to a project; neither goes with its owner. */
  async #removeBelongings(
    domain: Session,
    {
      projectId,
      userId,
      name,
      facts = {},
    }: {
      readonly projectId: string;
      readonly userId: string;
      readonly name: string;
      readonly facts: IdentityFacts | undefined;
    },
  ): Promise<void> {
    const session = await this.#login(domain, { projectId, userId, facts });
    await nova.deleteKeypair(session, keyName);
    for (const group of await nova.serverGroupsNamed(session, name)) await nova.deleteServerGroup(session, group.id);
  }

  /** A session of the user, also where the record of its password was lost or its roles were never granted. */
  async #login(
    domain: Session,
    {
      projectId,
      userId,
      facts,
    }: { readonly projectId: string; readonly userId: string; readonly facts: IdentityFacts },
  ): Promise<Session> {
    const known = this.#session({ ...facts, userID: userId }, projectId);
    try {
      await known?.holder();
      if (known) return known;
    } catch (error) {
      if (!isProviderFailure(error, 'permission')) throw error;
    }
    const password = Buffer.from(this.#region.world.randomBytes(32)).toString('base64url');
    await this.#setPassword(domain, userId, password);
    await this.#grant(domain, { projectId, userId, roleNames: this.#userRoles() });
    return this.#region.user({ method: 'password', user: { id: userId }, password }, projectId);
  }
}

/** The project of a record, if it exists. */
async function projectNoted(domain: Session, facts: IdentityFacts | undefined): Promise<keystone.Project | undefined> {
  return facts?.projectID === undefined ? undefined : keystone.getProject(domain, facts.projectID);
}

/** The user of a record, if it exists. */
async function userNoted(domain: Session, facts: IdentityFacts | undefined): Promise<keystone.User | undefined> {
  return facts?.userID === undefined ? undefined : keystone.getUser(domain, facts.userID);
}

/** The project of an identity that was completed once. */
function completeProject(facts: IdentityFacts | undefined): string | undefined {
  return facts?.sshKeyName === undefined ? undefined : facts.projectID;
}

/** A project without tags is known by its name alone. */
function belongsTo(
  { tags = [] }: keystone.Project,
  owner: { readonly organization: string; readonly project: string },
): boolean {
  return tags.every((tag) => {
    const [, key, value] = /^(organization|project)=(.*)$/.exec(tag) ?? [];
    return key === undefined || value === (key === 'project' ? owner.project : owner.organization);
  });
}

/** Tenants are limited by the platform, and not by the cloud a second time. */
async function liftQuotas(session: Session, projectId: string): Promise<void> {
  await nova.updateComputeQuota(session, projectId, computeQuota);
  await neutron.updateNetworkQuota(session, projectId, networkQuota);
  if ((await session.services()).includes('block-storage'))
    await cinder.updateVolumeQuota(session, projectId, volumeQuota);
}

/** Nova accepts several of one name. A second one was made where a list did not show the first one yet. */
async function ensureServerGroup(
  session: Session,
  { name, policy }: { readonly name: string; readonly policy: string },
): Promise<string> {
  const [found, ...surplus] = await nova.serverGroupsNamed(session, name);
  for (const group of surplus) await nova.deleteServerGroup(session, group.id);
  return (found ?? (await nova.createServerGroup(session, { name, policy }))).id;
}

/** A key that is not ours cannot be used by anyone, because its private half is lost. */
async function ensureKey(session: Session, publicKey: string): Promise<void> {
  const found = await nova.getKeypair(session, keyName);
  if (found && found.public_key.trim() === publicKey) return;
  if (found) await nova.deleteKeypair(session, keyName);
  await nova.createKeypair(session, { name: keyName, publicKey });
}
