/**
 * What the region's user may do, beyond what OpenStack allows it by itself. A region of type `openstack` needs these
 * rules in any cloud. It has the role `manager` in its domain and in every project that it makes, and is no
 * administrator.
 */

const ofProject = 'role:manager and project_id:%(project_id)s';

/** Keystone's own policy has this persona, the manager of a domain, only from a later version on. */
function managerOf(target: string): string {
  return `(role:manager and domain_id:%(${target}.domain_id)s)`;
}

const [user, project, domain] = [managerOf('target.user'), managerOf('target.project'), managerOf('target')];

const reader = '(role:reader and system_scope:all)';

/** A rule of Keystone, for administrators and for these. */
function allow(...others: readonly string[]): string {
  return ['rule:admin_required', ...others].join(' or ');
}

const managedRoles = ['member', 'reader', 'manager', 'load-balancer_member', 'creator'];

const keystone = {
  is_managed_role: managedRoles.map((role) => `'${role}':%(target.role.name)s`).join(' or '),
  is_grant_within_domain: [
    `(${user} and domain_id:%(target.project.domain_id)s)`,
    `(${user} and domain_id:%(target.domain.id)s)`,
  ].join(' or '),
  'identity:list_roles': allow(reader, 'role:manager'),
  'identity:get_role': allow(reader, 'role:manager'),
  'identity:list_domains': allow(reader, 'role:manager'),
  'identity:create_project': allow(project),
  'identity:update_project': allow(project),
  'identity:delete_project': allow(project),
  'identity:get_project': allow(reader, project, 'project_id:%(target.project.id)s'),
  'identity:list_projects': allow(reader, domain),
  'identity:list_user_projects': allow(reader, user, 'user_id:%(target.user.id)s'),
  'identity:create_project_tag': allow(project),
  'identity:update_project_tags': allow(project),
  'identity:create_user': allow(user),
  'identity:update_user': allow(user),
  'identity:delete_user': allow(user),
  'identity:get_user': allow(reader, user, 'user_id:%(target.user.id)s'),
  'identity:list_users': allow(reader, domain),
  'identity:check_grant': allow(reader, 'rule:is_grant_within_domain'),
  'identity:list_grants': allow(reader, 'rule:is_grant_within_domain'),
  'identity:create_grant': allow('(rule:is_grant_within_domain and rule:is_managed_role)'),
  'identity:revoke_grant': allow('(rule:is_grant_within_domain and rule:is_managed_role)'),
  'identity:list_role_assignments': allow(reader, `(${domain} and not None:%(target.domain_id)s)`),
};

const nova = {
  'os_compute_api:os-quota-sets:update': `rule:context_is_admin or (${ofProject})`,
  'compute:servers:create:requested_destination': `rule:context_is_admin or (${ofProject})`,
};

const providerAttributes = [
  'segments',
  'provider:network_type',
  'provider:physical_network',
  'provider:segmentation_id',
];

const neutron = {
  ...Object.fromEntries(
    ['create_network', 'get_network'].flatMap((action) =>
      providerAttributes.map((attribute) => [`${action}:${attribute}`, `rule:admin_only or (${ofProject})`]),
    ),
  ),
  update_quota: `rule:admin_only or (${ofProject})`,
};

const glance = { publicize_image: 'role:admin or role:manager' };

/** Only for regions that look for free hosts before they make a pinned server. */
const placement = { 'placement:resource_providers:list': 'rule:admin_api or role:manager' };

/** Only for clouds with Cinder. */
const cinder = { 'volume_extension:quotas:update': `rule:admin_api or (${ofProject})` };

/** Only for regions with flavors of bare metal. */
const ironic = { 'baremetal:node:list_all': 'rule:is_admin or role:manager' };

export const policies = { keystone, glance, placement, neutron, nova, octavia: {}, cinder, ironic };
