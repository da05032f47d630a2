import { ComputeInstance, computeKinds } from '@unikorn/compute';
import { Lease } from '@unikorn/core/controller';
import type { Kind } from '@unikorn/core/kinds';
import { MigrationRecord } from '@unikorn/core/migration';
import { ReferenceRecord } from '@unikorn/core/references';
import { Saga } from '@unikorn/core/saga';
import { identityKinds } from '@unikorn/identity';
import * as identity from '@unikorn/identity/kinds';
import { regionKinds } from '@unikorn/region';
import * as region from '@unikorn/region/kinds';
import { openstackKinds } from '@unikorn/region/providers/openstack';
import { simulatedKinds } from '@unikorn/region/providers/simulated';

import { partTable, type PartName } from './table.ts';

/** The kinds that a part may use. A part may read the kinds that it writes. */
export interface PartRules {
  readonly writes: readonly Kind[];
  readonly reads: readonly Kind[];
}

/** The objects that providers store for their clouds. */
const clouds = [...openstackKinds, ...simulatedKinds];

/** Every process of identity keeps access lists current from these kinds. */
const tenancy = [
  identity.Organization,
  identity.Project,
  identity.Group,
  identity.OrganizationUser,
  identity.ServiceAccount,
  identity.GlobalRoleBinding,
];
const ledgers = [identity.QuotaLedger, identity.Allocation];
const projectHistory = [identity.ResourceHistory, identity.GoneResource];

/** Controllers of region wait for the resources that theirs depend on, and for those that use theirs. */
const resources = [
  region.Region,
  region.FileStorageClass,
  region.Identity,
  region.Network,
  region.SecurityGroup,
  region.LoadBalancer,
  region.Server,
  region.Volume,
  region.SSHCertificateAuthority,
  region.FileStorage,
  ReferenceRecord,
];
const regionHistory = [region.ResourceHistory, region.GoneResource];

/** Instances and their histories. */
const instances = computeKinds.filter(({ group }) => group === ComputeInstance.group);

function controllerOfRegion(...own: readonly Kind[]): PartRules {
  return { writes: [...own, ...regionHistory, ...clouds], reads: resources };
}

const rules: Readonly<Record<string, PartRules>> = {
  'identity/api': { writes: identityKinds, reads: [] },
  'identity/organization-controller': {
    writes: [
      identity.Organization,
      identity.Project,
      identity.Group,
      identity.OrganizationUser,
      identity.ServiceAccount,
      identity.OAuth2Provider,
      ...ledgers,
    ],
    reads: tenancy,
  },
  'identity/project-controller': {
    writes: [identity.Project, ...ledgers, ...projectHistory],
    reads: [...tenancy, ReferenceRecord],
  },
  'identity/oauth2client-controller': { writes: [identity.OAuth2Artifact], reads: tenancy },
  'region/api': { writes: [...regionKinds, ...clouds], reads: [] },
  'region/identity-controller': { writes: [region.Identity, ...clouds], reads: resources },
  // A network deletes its principal with itself.
  'region/network-controller': controllerOfRegion(region.Network, region.Identity),
  'region/security-group-controller': controllerOfRegion(region.SecurityGroup),
  'region/load-balancer-controller': controllerOfRegion(region.LoadBalancer),
  'region/server-controller': controllerOfRegion(region.Server, region.SSHCertificateAuthority),
  // A file storage holds the networks that it is attached to.
  'region/file-storage-controller': controllerOfRegion(region.FileStorage, ReferenceRecord),
  'region/monitor': { writes: [region.Server, ...clouds], reads: resources },
  'region/project-consumer': {
    writes: [region.Identity, region.Network, region.FileStorage, region.SSHCertificateAuthority],
    reads: [],
  },
  'compute/api': { writes: computeKinds, reads: [] },
  'compute/instance-controller': { writes: instances, reads: [Saga] },
  'compute/monitor': { writes: instances, reads: [] },
  'compute/network-consumer': { writes: [ComputeInstance], reads: [] },
};

/**
 * The kinds that each part reads and writes. The Roles of the Helm chart are generated from it, and a test runs every
 * part as a process of its own and compares.
 *
 * @example rulesOf('region/monitor').writes // Server, and the objects of providers
 */
export function rulesOf(part: PartName): PartRules {
  const own = rules[part];
  if (!own) throw new Error(`the part ${part} has no rules`);
  const writes = [...new Set([...own.writes, Lease])];
  const reads = [...new Set([...own.reads, MigrationRecord])].filter((kind) => !writes.includes(kind));
  return { writes, reads };
}

/** A rule of a Role of Kubernetes. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const reading = ['get', 'list', 'watch'];
const writing = [...reading, 'create', 'update', 'delete'];

/** The rules of the Role of a part: only the verbs that the store engine uses. */
export function roleOf(part: PartName): readonly RoleRule[] {
  const { writes, reads } = rulesOf(part);
  const own = writes.filter(({ group }) => group !== Lease.group);
  return [
    // The store probes whether it can write by patching a lease.
    { apiGroups: [Lease.group], resources: [Lease.plural], verbs: [...writing, 'patch'] },
    ...byGroup(own, writing, ({ plural }) => plural),
    ...byGroup(own, ['update'], ({ plural }) => `${plural}/status`),
    ...byGroup(reads, reading, ({ plural }) => plural),
  ];
}

function byGroup(
  kinds: readonly Kind[],
  verbs: readonly string[],
  resource: (kind: Kind) => string,
): readonly RoleRule[] {
  return [...new Set(kinds.map(({ group }) => group))].toSorted().map((group) => ({
    apiGroups: [group],
    resources: kinds
      .filter((kind) => kind.group === group)
      .map(resource)
      .toSorted(),
    verbs,
  }));
}

/** The parts as the templates of the chart read them. */
export function chartParts(): readonly object[] {
  return partTable.map(({ name, work, needs }) => {
    const { writes } = rulesOf(name);
    const callsClouds = clouds.some((kind) => writes.includes(kind));
    return {
      name,
      service: name.split('/')[0],
      work,
      needs,
      api: name.endsWith('/api'),
      /** Whether it needs the credentials of clouds. */
      clouds: callsClouds,
      /** Whether it connects to addresses outside the cluster: clouds and login providers. */
      outside: callsClouds || name === 'identity/api',
      rules: roleOf(name),
    };
  });
}
