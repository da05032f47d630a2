/**
 * The built-in roles as a table: one row per group of endpoints with the same permissions, one column per role. A cell
 * contains the first letters of the operations; `o:` grants them in the organization, `p:` in the project, and without
 * prefix platform-wide.
 */
export const roleColumns = [
  'platform-administrator',
  'platform-reader',
  'region-service',
  'compute-service',
  'administrator',
  'auditor',
  'user',
  'reader',
] as const;

export type RoleRow = readonly [endpoints: readonly string[], ...cells: string[]];

/** The roles that clients and services of the wire contract need. */
export const contractRoleRows: readonly RoleRow[] = [
  [['identity:organizations'], 'CRUD', 'R', '', '', 'o:RU', 'o:R', '', ''],
  [
    ['identity:oauth2providers', 'identity:serviceaccounts', 'identity:users', 'identity:roles', 'identity:groups'],
    'CRUD',
    'R',
    '',
    '',
    'o:CRUD',
    'o:R',
    '',
    '',
  ],
  [['identity:projects'], 'CRUD', 'R', 'R', 'R', 'o:CRUD', 'o:R', 'p:R', 'p:R'],
  [['identity:projects/references'], 'CRUD', '', 'CD', '', '', '', '', ''],
  [['identity:quotas'], 'CRUD', 'R', '', '', 'o:R', 'o:R', 'o:R', 'o:R'],
  [['identity:allocations'], 'CRUD', 'R', 'CRUD', 'CRUD', '', '', '', ''],
  [['region:regions', 'region:flavors'], 'CRUD', 'R', '', 'R', 'o:R', 'o:R', 'o:R', 'o:R'],
  [['region:images'], 'CRUD', 'R', '', 'CR', 'o:CRD', 'o:R', 'o:CRD', 'o:R'],
  [['region:externalnetworks'], 'CRUD', 'R', '', '', '', '', '', ''],
  [['region:identities'], 'CRUD', '', '', 'CRD', '', '', '', ''],
  [
    ['region:identities/references', 'region:networks/references', 'region:networks:v2/references'],
    'CRUD',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ],
  [['region:networks'], 'CRUD', 'R', '', 'CRD', '', '', '', ''],
  [['region:networks:v2', 'region:securitygroups:v2'], 'CRUD', 'R', '', 'R', 'o:CRUD', 'o:R', 'p:CRUD', 'p:R'],
  [['region:securitygroups', 'region:servers'], 'CRUD', 'R', '', 'CRUD', '', '', '', ''],
  [['region:servers:v2'], 'CRUD', '', '', 'CRUD', '', '', '', ''],
  [['region:loadbalancers:v2', 'region:filestorage:v2'], 'CRUD', 'R', '', '', 'o:CRUD', 'o:R', 'p:CRUD', 'p:R'],
  [['region:volumes:v2'], 'CRUD', '', '', '', 'o:CRUD', 'o:R', 'p:CRUD', 'p:R'],
  [['region:volumeclasses:v2'], 'R', 'R', '', '', 'o:R', 'o:R', 'o:R', 'o:R'],
  [['region:filestorageclass:v2'], 'CRUD', 'R', '', '', 'o:R', 'o:R', 'o:R', 'o:R'],
  [['region:sshcertificateauthorities:v2'], 'CRD', 'R', '', 'R', 'o:CRD', 'o:R', 'p:CRD', 'p:R'],
  [['compute:regions', 'compute:flavors', 'compute:images'], 'CRUD', 'R', '', '', 'o:R', 'o:R', 'o:R', 'o:R'],
  [['compute:instances', 'compute:clusters'], 'CRUD', '', '', '', 'o:CRUD', 'o:R', 'p:CRUD', 'p:R'],
  [
    ['kubernetes:clusters', 'kubernetes:virtualclusters', 'storage:objectstorageendpoints/accesskeys'],
    'CRUD',
    '',
    '',
    '',
    'o:CRUD',
    'o:R',
    'p:CRUD',
    'p:R',
  ],
  [['storage:objectstorageendpoints'], 'CRUD', 'R', '', '', 'o:CRUD', 'o:R', 'p:CRUD', 'p:R'],
  [
    ['kubernetes:regions', 'kubernetes:flavors', 'kubernetes:images', 'storage:objectstorageclasses'],
    'CRUD',
    'R',
    '',
    '',
    'o:R',
    'o:R',
    'o:R',
    'o:R',
  ],
  [['kubernetes:clustermanagers'], 'CRUD', 'R', '', '', '', '', '', ''],
];

/**
 * Permissions that the contract does not have. To change the power of a machine, to read its console or its key, and to
 * copy its disk, a caller needs more than the permission to read it. Only platform operators may inject faults into a
 * simulated region.
 */
export const strictRoleRows: readonly RoleRow[] = [
  [['compute:instances/power'], 'CRUD', '', '', '', 'o:U', '', 'p:U', ''],
  [['compute:instances/console', 'compute:instances/sshkey'], 'CRUD', '', '', '', 'o:R', '', 'p:R', ''],
  [['compute:instances/snapshot'], 'CRUD', '', '', '', 'o:C', '', 'p:C', ''],
  [['region:servers/power'], 'CRUD', '', '', 'U', '', '', '', ''],
  [['region:servers/console', 'region:servers/sshkey'], 'CRUD', '', '', 'R', '', '', '', ''],
  [['region:servers/snapshot'], 'CRUD', '', '', 'C', '', '', '', ''],
  [['region:regions/simulation'], 'CRUD', '', '', '', '', '', '', ''],
  // Roles that add regions may also read their connection settings.
  [['region:regions/detail'], 'R', '', '', '', '', '', '', ''],
  [['core:sagas'], 'R', 'R', '', '', '', '', '', ''],
  // A role that registers an application decides where logins are sent.
  [['identity:oauth2clients'], 'CRUD', 'R', '', '', '', '', '', ''],
  // An instance has references to the resources that it uses from the moment it is accepted, and to its project while
  // it is protected. The monitor of compute lists them.
  [['identity:projects/references', 'region:networks:v2/references'], '', '', '', 'CRD', '', '', '', ''],
  [
    ['region:securitygroups:v2/references', 'region:sshcertificateauthorities:v2/references'],
    'CRUD',
    '',
    '',
    'CRD',
    '',
    '',
    '',
    '',
  ],
  // A plan shows the remaining quota.
  [['identity:quotas'], '', '', '', 'R', '', '', '', ''],
];

/** Services of other projects that know the platform by these names. */
export const foreignServices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes-service': {
    'identity:projects': 'R',
    'identity:projects/references': 'CD',
    'identity:allocations': 'CRUD',
    'region:identities': 'CRD',
    'region:identities/references': 'CD',
    'region:regions': 'R',
    'region:regions/detail': 'R',
    'region:flavors': 'R',
    'region:images': 'R',
    'region:externalnetworks': 'R',
    'region:networks': 'CRD',
  },
  'storage-service': {
    'identity:projects': 'R',
    'identity:projects/references': 'CD',
    'identity:allocations': 'CRUD',
    'region:networks:v2/references': 'CRUD',
  },
};

/** Roles that are never listed and never attached to a group. */
export const protectedRoles: ReadonlySet<string> = new Set([
  'platform-administrator',
  'platform-reader',
  'region-service',
  'compute-service',
  ...Object.keys(foreignServices),
]);
