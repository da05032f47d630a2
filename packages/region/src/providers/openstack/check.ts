import { isProviderFailure, openSshPrivateKey, openSshPublicKey, type Check } from '../../provider/index.ts';
import { flavorsOf } from './catalogue.ts';
import { Checkup, Lack } from './checkup.ts';
import { cinder, glance, ironic, keystone, neutron, nova, octavia, placement, type Session } from './client/index.ts';
import { externalNetworks } from './external-networks.ts';
import { defaultUserRoles, managerRole } from './identities.ts';
import { imageOf, isTrusted } from './image-properties.ts';
import { networkSettings } from './network-settings.ts';
import { volumeQuota } from './quotas.ts';
import type { OpenstackRegion } from './region.ts';

/** A rule for the region's user, in the words of a policy file. */
const ofManager = 'role:manager and project_id:%(project_id)s';

/** No network has this VLAN, so an attempt to take it is refused in every cloud, after its policies were asked. */
const noVlan = 4095;

/**
 * Tries everything that the provider needs from its cloud. The check creates some objects, under a name that belongs to
 * the region. It deletes them at its end, together with those of an earlier check that was interrupted.
 */
export async function checkCloud(region: OpenstackRegion): Promise<readonly Check[]> {
  const logins = new Checkup();
  const domain = await checkDomain(region, logins);
  const own = await checkOwnProject(region, logins);
  if (!own) logins.skip('services, networks and images', 'a login to the project of the region');
  if (!own || !domain)
    logins.skip('projects and users of tenants', 'a login to the domain and to the project of the region');
  const groups = await Promise.all([
    ...(own ? [checkServices, checkNetworks, checkHosts].map((group) => group(region, own)) : []),
    ...(own && domain ? [checkIdentities(region, { domain, own })] : []),
  ]);
  return [logins, ...groups].flatMap(({ results }) => results);
}

async function checkDomain(region: OpenstackRegion, checkup: Checkup): Promise<Session | undefined> {
  const session = await checkup.try({
    name: 'log in to the domain',
    remedy:
      'check the secret of the region (domain-id, user-id, password), and give the user a role in the domain: openstack role add --user USER --domain DOMAIN manager',
    attempt: async () => {
      const found = await region.domain();
      await found.holder();
      return found;
    },
  });
  if (!session) return undefined;
  await checkup.try({
    name: `have the role ${managerRole} in the domain`,
    remedy: `openstack role add --user USER --domain DOMAIN ${managerRole}`,
    attempt: async () => {
      assertRole(await session.holder());
    },
  });
  return session;
}

async function checkOwnProject(region: OpenstackRegion, checkup: Checkup): Promise<Session | undefined> {
  const session = await checkup.try({
    name: 'log in to the project of the region',
    remedy:
      'check the secret of the region (project-id, user-id, password), and give the user a role in the project: openstack role add --user USER --project PROJECT manager',
    attempt: async () => {
      const found = await region.region();
      await found.holder();
      return found;
    },
  });
  if (!session) return undefined;
  await checkup.try({
    name: `have the role ${managerRole} in the project of the region`,
    remedy: `openstack role add --user USER --project PROJECT ${managerRole}`,
    attempt: async () => {
      assertRole(await session.holder());
    },
  });
  return session;
}

function assertRole({ roles }: { readonly roles: readonly string[] }): void {
  if (!roles.includes(managerRole)) throw new Lack(`the user has only these roles: ${roles.join(', ') || 'none'}`);
}

async function checkServices(region: OpenstackRegion, session: Session): Promise<Checkup> {
  const checkup = new Checkup();
  const { settings } = region;
  await checkup.try({
    name: 'offer flavors',
    remedy: 'create public flavors with openstack flavor create, or correct compute.flavors.selector of the region',
    attempt: async () => {
      const flavors = flavorsOf(await nova.listFlavors(session), settings.compute?.flavors);
      if (flavors.length === 0) throw new Lack('the cloud shows no flavor that the settings of the region allow');
    },
  });
  await checkup.try({
    name: 'offer images',
    only: 'users have no image to start from until one is imported',
    remedy:
      'give a public image the properties unikorn:os:kernel, unikorn:os:family, unikorn:os:distro, unikorn:os:version and unikorn:virtualization with openstack image set --property, and sign it if the region has a signing key',
    attempt: async () => {
      const found = (await glance.listImages(session, {})).filter((image) =>
        isTrusted(image, settings.image?.selector?.signingKey),
      );
      if (!found.some((image) => imageOf(image))) throw new Lack('no image has the properties that it needs');
    },
  });
  await checkup.try({
    name: 'fetch images from addresses',
    only: 'images cannot be imported',
    remedy: 'enable the import method web-download of Glance: enabled_import_methods in glance-api.conf',
    attempt: async () => {
      const methods = await glance.importMethods(session);
      if (!methods.includes('web-download')) throw new Lack(`Glance offers ${methods.join(', ') || 'no import'}`);
    },
  });
  if ((await session.services()).includes('block-storage'))
    await checkup.try({
      name: 'list volume types',
      remedy: 'allow the user of the region to list the volume types of Cinder',
      attempt: () => cinder.listVolumeTypes(session),
    });
  return checkup;
}

async function checkNetworks(region: OpenstackRegion, session: Session): Promise<Checkup> {
  const checkup = new Checkup();
  const settings = networkSettings(region.settings.network);
  await checkup.try({
    name: 'find an external network',
    remedy:
      'create an external network with openstack network create --external, or correct network.externalNetworks.selector of the region',
    attempt: async () => {
      assertExternal(await externalNetworks(session, settings));
    },
  });
  const name = checkName(region);
  const { projectId = '' } = await session.holder();
  const network = await checkup.try({
    name: 'create networks',
    remedy: 'give the user of the region the role member in its project',
    attempt: async () => {
      await removeNetworks(session, projectId, name);
      return neutron.createNetwork(session, { name });
    },
  });
  if (settings.vlans) await checkVlans(session, settings.vlans.physicalNetwork, checkup);
  if (settings.vlans && network)
    await checkup.try({
      name: 'see the VLAN of networks',
      remedy: `policy of Neutron: get_network:provider:network_type, get_network:provider:physical_network, get_network:provider:segmentation_id: rule:admin_only or (${ofManager})`,
      attempt: () => {
        if (network['provider:network_type'] === undefined)
          return Promise.reject(new Lack('Neutron does not show these fields of networks'));
        return Promise.resolve();
      },
    });
  if (network)
    await checkup.try({
      name: 'delete networks',
      remedy: `policy of Neutron: delete_network: rule:admin_or_owner or (${ofManager}). Delete the network ${name} in the project of the region by hand`,
      attempt: () => neutron.deleteNetwork(session, network.id),
    });
  return checkup;
}

/** The VLAN does not exist, so no network is made, and no VLAN of a tenant is touched. */
function checkVlans(session: Session, physicalNetwork: string, checkup: Checkup): Promise<void> {
  return checkup.try({
    name: `create networks on VLANs of ${physicalNetwork}`,
    remedy: `policy of Neutron: create_network:provider:network_type, create_network:provider:physical_network, create_network:provider:segmentation_id: rule:admin_only or (${ofManager}). The physical network must be in network_vlan_ranges of Neutron`,
    attempt: async () => {
      try {
        await neutron.createNetwork(session, { name: 'unikorn-check', vlan: { physicalNetwork, id: noVlan } });
      } catch (error) {
        if (!isProviderFailure(error, 'invalid')) throw error;
        if (String(error.cause).includes('physical_network')) throw error;
      }
    },
  });
}

async function checkHosts(region: OpenstackRegion, session: Session): Promise<Checkup> {
  const checkup = new Checkup();
  const { compute } = region.settings;
  const metadata = compute?.flavors?.metadata ?? [];
  const pins = metadata.some(({ pinnedOnly }) => pinnedOnly) || compute?.placementPreflight?.enabled === true;
  const absent = region.world.uuid();
  await checkup.try({
    name: 'choose the host of a server',
    ...(pins ? {} : { only: 'servers cannot be pinned to hosts' }),
    remedy: `policy of Nova: compute:servers:create:requested_destination: rule:context_is_admin or (${ofManager})`,
    attempt: async () => {
      try {
        // Neither flavor nor image exists, so no server is made.
        const wanted = { name: 'unikorn-check', flavorRef: absent, imageRef: absent, portId: absent, metadata: {} };
        await nova.createServer(session, { ...wanted, hypervisorHostname: 'unikorn-check' });
      } catch (error) {
        if (!isProviderFailure(error, 'invalid', 'not_found')) throw error;
      }
    },
  });
  if (compute?.placementPreflight?.enabled)
    await checkup.try({
      name: 'look for free hosts',
      remedy:
        'policy of Placement: placement:resource_providers:list: rule:admin_api or role:manager; or switch placementPreflight off',
      attempt: () => placement.listResourceProviders(session, { resources: { VCPU: 1 }, traits: [] }),
    });
  if (metadata.some(({ baremetal }) => baremetal))
    await checkup.try({
      name: 'see the state of bare metal machines',
      only: 'a server that waits for its machine is shown as being built',
      remedy: 'give the user of the region a role that may list the nodes of Ironic: baremetal:node:list_all',
      attempt: () => ironic.nodesOfServer(session, absent),
    });
  return checkup;
}

interface Sessions {
  readonly domain: Session;
  readonly own: Session;
}

/** A project with a user, as tenants get them. */
async function checkIdentities(region: OpenstackRegion, sessions: Sessions): Promise<Checkup> {
  const checkup = new Checkup();
  const { domain } = sessions;
  const name = checkName(region);
  const domainId = await region.domainId();
  const roles = await checkup.try({
    name: 'find the roles of tenants',
    remedy:
      'openstack role create for each of them, or name other roles in identity.clusterRoles of the region. Policy of Keystone: identity:list_roles: rule:admin_required or role:manager',
    attempt: () => rolesOf(region, domain),
  });
  try {
    const project = await checkup.try({
      name: 'create projects in the domain',
      remedy:
        "policy of Keystone: identity:create_project, identity:delete_project and identity:list_projects for role:manager and domain_id:%(target.project.domain_id)s (the persona 'domain manager')",
      attempt: async () => {
        await removeIdentity(domain, { name, domainId });
        return keystone.createProject(domain, {
          name,
          domainId,
          description: 'Made by unikorn region check',
          tags: [],
        });
      },
    });
    const password = Buffer.from(region.world.randomBytes(32)).toString('base64url');
    const user =
      project &&
      (await checkup.try({
        name: 'create users in the domain',
        remedy:
          'policy of Keystone: identity:create_user, identity:update_user, identity:delete_user and identity:list_users for role:manager and domain_id:%(target.user.domain_id)s',
        attempt: () => keystone.createUser(domain, { name, domainId, password, projectId: project.id }),
      }));
    if (!project || !user || !roles) {
      checkup.skip('roles and quotas of tenants', 'projects, users and roles');
      return checkup;
    }
    const projectId = project.id;
    if (await grantManager(domain, { projectId, roles }, checkup)) {
      await checkQuotas(await region.manager(projectId), projectId, checkup);
      await checkImages(region, sessions.own, projectId, checkup);
    } else checkup.skip('quotas of tenants', `the role ${managerRole} in their projects`);
    if (await grantTenant(region, domain, { projectId, userId: user.id, roles }, checkup))
      await checkTenant(
        region,
        region.user({ method: 'password', user: { id: user.id }, password }, projectId),
        checkup,
      );
    else checkup.skip('servers of tenants', 'the roles of their users');
  } finally {
    await checkup.try({
      name: 'delete projects and users',
      remedy: `policy of Keystone: identity:delete_project and identity:delete_user. Delete the project and the user ${name} by hand`,
      attempt: () => removeIdentity(domain, { name, domainId }),
    });
  }
  return checkup;
}

type Roles = ReadonlyMap<string, string>;

async function rolesOf(region: OpenstackRegion, domain: Session): Promise<Roles> {
  const roles = new Map((await keystone.listRoles(domain)).map(({ id, name }) => [name, id]));
  const missing = [managerRole, ...tenantRoles(region)].filter((name) => !roles.has(name));
  if (missing.length > 0) throw new Lack(`the cloud has no role ${missing.join(', ')}`);
  return roles;
}

function tenantRoles(region: OpenstackRegion): readonly string[] {
  return region.settings.identity?.clusterRoles ?? defaultUserRoles;
}

function grantManager(
  domain: Session,
  { projectId, roles }: { readonly projectId: string; readonly roles: Roles },
  checkup: Checkup,
): Promise<boolean | undefined> {
  return checkup.try({
    name: `grant the role ${managerRole} in projects`,
    remedy: `policy of Keystone: identity:create_grant must let the manager of a domain grant ${managerRole}, too: is_managed_role: '${managerRole}':%(target.role.name)s or …`,
    attempt: async () => {
      const { userId } = await domain.holder();
      await keystone.grantRole(domain, { projectId, userId, roleId: roles.get(managerRole) ?? '' });
      return true;
    },
  });
}

function grantTenant(
  region: OpenstackRegion,
  domain: Session,
  { projectId, userId, roles }: { readonly projectId: string; readonly userId: string; readonly roles: Roles },
  checkup: Checkup,
): Promise<boolean | undefined> {
  const names = tenantRoles(region);
  return checkup.try({
    name: `grant the roles ${names.join(', ')} in projects`,
    remedy: `policy of Keystone: is_managed_role must have these roles: ${names.map((name) => `'${name}':%(target.role.name)s`).join(' or ')}`,
    attempt: async () => {
      for (const name of names) await keystone.grantRole(domain, { projectId, userId, roleId: roles.get(name) ?? '' });
      return true;
    },
  });
}

/** In the project of the check. Nova and Neutron accept a change of nothing, Cinder does not. */
async function checkQuotas(session: Session, projectId: string, checkup: Checkup): Promise<void> {
  await checkup.try({
    name: 'set the compute quotas of projects',
    remedy: `policy of Nova: os_compute_api:os-quota-sets:update: rule:context_is_admin or (${ofManager})`,
    attempt: () => nova.updateComputeQuota(session, projectId, {}),
  });
  await checkup.try({
    name: 'set the network quotas of projects',
    remedy: `policy of Neutron: update_quota: rule:admin_only or (${ofManager})`,
    attempt: () => neutron.updateNetworkQuota(session, projectId, {}),
  });
  if ((await session.services()).includes('block-storage'))
    await checkup.try({
      name: 'set the volume quotas of projects',
      remedy: `policy of Cinder: volume_extension:quotas:update: rule:admin_api or (${ofManager})`,
      attempt: () => cinder.updateVolumeQuota(session, projectId, volumeQuota),
    });
}

/** An image of the region, without data, that a project may use. */
async function checkImages(region: OpenstackRegion, own: Session, projectId: string, checkup: Checkup): Promise<void> {
  const id = region.world.uuid();
  const image = await checkup.try({
    name: 'create images and share them with projects',
    only: 'images cannot be imported',
    remedy: 'policy of Glance: add_image and add_member for the user of the region in its project',
    attempt: async () => {
      await glance.createImage(own, {
        id,
        name: checkName(region),
        visibility: 'shared',
        diskFormat: 'raw',
        properties: {},
      });
      await glance.addImageMember(own, id, projectId);
      return id;
    },
  });
  await checkup.try({
    name: 'delete images',
    only: image === undefined ? 'images cannot be imported' : `the image ${id} stays: delete it by hand`,
    remedy: 'policy of Glance: delete_image for the user of the region in its project',
    attempt: () => glance.deleteImage(own, id),
  });
}

/** As the user of a tenant. */
async function checkTenant(region: OpenstackRegion, session: Session, checkup: Checkup): Promise<void> {
  const { settings, world } = region;
  const name = checkName(region);
  await checkup.try({
    name: 'create server groups as a tenant',
    remedy: 'check compute.serverGroupPolicy of the region, and the roles of tenants in identity.clusterRoles',
    attempt: async () => {
      const policy = settings.compute?.serverGroupPolicy ?? 'soft-anti-affinity';
      const { id } = await nova.createServerGroup(session, { name, policy });
      await nova.deleteServerGroup(session, id);
    },
  });
  await checkup.try({
    name: 'store keys as a tenant',
    remedy: 'check the roles of tenants in identity.clusterRoles of the region',
    attempt: async () => {
      await nova.createKeypair(session, {
        name,
        publicKey: openSshPublicKey(openSshPrivateKey(world.randomBytes(32))),
      });
      await nova.deleteKeypair(session, name);
    },
  });
  await checkup.try({
    name: 'see the external network as a tenant',
    remedy: 'share the external network with all projects: openstack network rbac create --action access_as_external',
    attempt: async () => {
      assertExternal(await externalNetworks(session, networkSettings(settings.network)));
    },
  });
  await checkup.try({
    name: 'list load balancers as a tenant',
    only: 'load balancers cannot be created',
    remedy: 'install Octavia, and let identity.clusterRoles of the region contain load-balancer_member',
    attempt: async () => {
      if (!(await session.services()).includes('load-balancer'))
        throw new Lack('the catalogue of the cloud has no load-balancer service');
      await octavia.listLoadBalancers(session, { projectId: (await session.holder()).projectId ?? '' });
    },
  });
}

function assertExternal(networks: readonly unknown[]): void {
  if (networks.length === 0) throw new Lack('no external network fits the selector of the region');
}

function checkName({ regionId }: OpenstackRegion): string {
  return `unikorn-check-${regionId}`;
}

async function removeNetworks(session: Session, projectId: string, name: string): Promise<void> {
  for (const { id } of await neutron.listNetworks(session, { projectId, name }))
    await neutron.deleteNetwork(session, id);
}

async function removeIdentity(
  domain: Session,
  where: { readonly name: string; readonly domainId: string },
): Promise<void> {
  const user = await keystone.findUser(domain, where);
  if (user) await keystone.deleteUser(domain, user.id);
  const project = await keystone.findProject(domain, where);
  if (project) await keystone.deleteProject(domain, project.id);
}
