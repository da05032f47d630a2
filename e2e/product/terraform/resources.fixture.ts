import { child, isObject, type Json } from '../../../packages/core/src/testing/json.ts';
import type { ServiceName } from '../running.fixture.ts';
import type { Settings } from './client.fixture.ts';

/** The values of a resource in a configuration or a state; null for fields that are not set. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A resource type of the provider. */
export interface ResourceType {
  readonly type: string;
  readonly service: ServiceName;
  /** The path of its collection; the path of a resource is below it. */
  collection(settings: Settings): string;
  /** The spec of the create request. */
  create(wanted: Attributes, settings: Settings): Json;
  /** The spec of the update request; a type without it is always replaced. */
  readonly update?: (wanted: Attributes) => Json;
  /** Whether the response of an update contains the resource. */
  readonly changed: 'answered' | 'empty';
  /** The values in the state after a response, in addition to the common ones. */
  read(answer: Json): Attributes;
  /** A change of these fields replaces the resource. */
  readonly fixed: readonly string[];
  /** These fields must be identifiers; the provider checks that before it sends a request. */
  readonly identifiers: readonly string[];
  /** Whether a deletion is retried while the resource is in use. */
  readonly outwaitsUsers: boolean;
}

export class Crash extends Error {}

/** A field that the provider reads without checking whether it is set. */
function dereferenced(value: unknown, what: string): Json {
  if (!isObject(value)) throw new Crash(`the provider crashes: ${what} is ${JSON.stringify(value)}`);
  return value;
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Crash(`the provider cannot read ${what}: ${JSON.stringify(value)}`);
  return value;
}

function orNull(value: unknown): unknown {
  return value ?? null;
}

/** Treats an empty value as absent. */
function filled(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** Removes fields that are not set, which are not sent. */
function said(values: Attributes): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

/** The project of the resource, or else the provider's. */
function tenancy(wanted: Attributes, { organizationId, projectId }: Settings): Json {
  return { organizationId, projectId: wanted['projectId'] ?? projectId };
}

function organization({ organizationId }: Settings): string {
  return `/api/v1/organizations/${organizationId}`;
}

const projectSpec = (wanted: Attributes): Json => ({ groupIDs: wanted['groupIds'] });

const project: ResourceType = {
  type: 'identity_project',
  service: 'identity',
  collection: (settings) => `${organization(settings)}/projects`,
  create: projectSpec,
  update: projectSpec,
  changed: 'empty',
  read: ({ spec }) => ({ groupIds: list(child(spec, 'groupIDs'), 'spec.groupIDs') }),
  fixed: [],
  identifiers: [],
  outwaitsUsers: false,
};

const groupSpec = (wanted: Attributes): Json =>
  said({ roleIDs: wanted['roleIds'], serviceAccountIDs: wanted['serviceAccountIds'], userIDs: wanted['userIds'] });

const group: ResourceType = {
  type: 'identity_group',
  service: 'identity',
  collection: (settings) => `${organization(settings)}/groups`,
  create: groupSpec,
  update: groupSpec,
  changed: 'empty',
  read: ({ spec }) => ({
    roleIds: list(child(spec, 'roleIDs'), 'spec.roleIDs'),
    serviceAccountIds: list(child(spec, 'serviceAccountIDs'), 'spec.serviceAccountIDs'),
    userIds: list(child(spec, 'userIDs'), 'spec.userIDs'),
    subjects: list(child(spec, 'subjects'), 'spec.subjects'),
  }),
  fixed: [],
  identifiers: [],
  outwaitsUsers: false,
};

const networkSpec = (wanted: Attributes): Json =>
  said({ dnsNameservers: wanted['dnsNameservers'], routes: filled(wanted['routes']) });

const network: ResourceType = {
  type: 'network',
  service: 'region',
  collection: () => '/api/v2/networks',
  create: (wanted, settings) => ({
    ...tenancy(wanted, settings),
    regionId: settings.regionId,
    prefix: wanted['prefix'],
    ...networkSpec(wanted),
  }),
  update: networkSpec,
  changed: 'answered',
  read: ({ metadata, spec, status }) => ({
    prefix: child(status, 'prefix'),
    regionId: child(status, 'regionId'),
    projectId: child(metadata, 'projectId'),
    dnsNameservers: list(child(spec, 'dnsNameservers'), 'spec.dnsNameservers'),
    // In a plan, an empty list is different from no list.
    routes: orNull(child(spec, 'routes')),
  }),
  fixed: ['prefix', 'regionId', 'projectId'],
  identifiers: ['regionId', 'projectId'],
  outwaitsUsers: false,
};

const ruleFields = ['direction', 'protocol', 'port', 'portMax', 'prefix'];
const rulesSpec = (wanted: Attributes): Json => ({ rules: list(wanted['rules'], 'rules').filter(isObject).map(said) });

const securityGroup: ResourceType = {
  type: 'security_group',
  service: 'region',
  collection: () => '/api/v2/securitygroups',
  create: (wanted) => ({ networkId: wanted['networkId'], ...rulesSpec(wanted) }),
  update: rulesSpec,
  changed: 'answered',
  read: ({ spec, status }) => ({
    rules: list(child(spec, 'rules'), 'spec.rules').map((rule) =>
      Object.fromEntries(ruleFields.map((field) => [field, orNull(child(rule, field))])),
    ),
    networkId: child(status, 'networkId'),
    regionId: child(status, 'regionId'),
  }),
  fixed: ['networkId'],
  identifiers: ['networkId'],
  outwaitsUsers: true,
};

const sshCertificateAuthority: ResourceType = {
  type: 'ssh_certificate_authority',
  service: 'region',
  collection: () => '/api/v2/sshcertificateauthorities',
  create: (wanted, settings) => ({ ...tenancy(wanted, settings), publicKey: String(wanted['publicKey']).trim() }),
  changed: 'empty',
  read: ({ metadata, spec }) => ({
    publicKey: String(child(spec, 'publicKey')).trim(),
    projectId: child(metadata, 'projectId'),
  }),
  fixed: ['publicKey', 'projectId'],
  identifiers: ['projectId'],
  outwaitsUsers: false,
};

const storageSpec = (wanted: Attributes): Json => ({
  sizeGiB: wanted['sizeGiB'],
  storageType: { NFS: { rootSquash: wanted['rootSquash'] } },
  attachments: { networkIds: wanted['networkIds'] },
  ...said({ defaultSnapshotProtectionEnabled: wanted['protection'], snapshotPolicies: wanted['snapshotPolicies'] }),
});

const fileStorage: ResourceType = {
  type: 'file_storage',
  service: 'region',
  collection: () => '/api/v2/filestorage',
  create: (wanted, settings) => ({
    ...tenancy(wanted, settings),
    regionId: settings.regionId,
    storageClassId: wanted['storageClassId'],
    ...storageSpec(wanted),
  }),
  update: storageSpec,
  changed: 'answered',
  read: ({ metadata, spec, status }) => ({
    storageClassId: child(status, 'storageClassId'),
    regionId: child(status, 'regionId'),
    projectId: child(metadata, 'projectId'),
    sizeGiB: child(spec, 'sizeGiB'),
    rootSquash: dereferenced(child(spec, 'storageType', 'NFS'), 'spec.storageType.NFS')['rootSquash'],
    networkIds: (filled(child(status, 'attachments')) === null
      ? []
      : list(child(status, 'attachments'), 'status.attachments')
    ).map((attachment) => child(attachment, 'networkId')),
    usedGiB: Math.floor(Number(child(status, 'usage', 'usedBytes') ?? 0) / 2 ** 30),
    protection: child(spec, 'defaultSnapshotProtectionEnabled'),
    snapshotPolicies: child(spec, 'snapshotPolicies') ?? [],
  }),
  fixed: ['storageClassId', 'regionId', 'projectId'],
  identifiers: ['storageClassId', 'regionId', 'projectId'],
  outwaitsUsers: false,
};

/** The attribute is already base64, and is encoded again because JSON has no bytes. */
function instanceSpec(wanted: Attributes): Json {
  const userData = wanted['userData'];
  return {
    flavorId: wanted['flavorId'],
    imageId: wanted['imageId'],
    networking: {
      securityGroups: wanted['securityGroups'] ?? [],
      allowedSourceAddresses: wanted['allowedSourceAddresses'] ?? [],
      ...said({ publicIP: wanted['publicIP'] }),
    },
    ...said({
      sshCertificateAuthorityId: wanted['sshCertificateAuthorityId'],
      userData: typeof userData === 'string' ? Buffer.from(userData).toString('base64') : null,
    }),
  };
}

const instance: ResourceType = {
  type: 'instance',
  service: 'compute',
  collection: () => '/api/v2/instances',
  create: (wanted, settings) => ({
    ...tenancy(wanted, settings),
    networkId: wanted['networkId'],
    ...instanceSpec(wanted),
  }),
  update: instanceSpec,
  changed: 'answered',
  read: ({ metadata, spec, status }) => {
    const networking = dereferenced(child(spec, 'networking'), 'spec.networking');
    const userData = child(spec, 'userData');
    return {
      flavorId: child(spec, 'flavorId'),
      imageId: child(spec, 'imageId'),
      sshCertificateAuthorityId: orNull(child(spec, 'sshCertificateAuthorityId')),
      userData: typeof userData === 'string' ? Buffer.from(userData, 'base64').toString() : null,
      networkId: child(status, 'networkId'),
      regionId: child(status, 'regionId'),
      projectId: child(metadata, 'projectId'),
      securityGroups: filled(networking['securityGroups']),
      allowedSourceAddresses: filled(networking['allowedSourceAddresses']),
      publicIP: orNull(networking['publicIP']),
      privateAddress: orNull(child(status, 'privateIP')),
      publicAddress: orNull(child(status, 'publicIP')),
      powerState: orNull(child(status, 'powerState')),
    };
  },
  fixed: ['networkId', 'sshCertificateAuthorityId', 'projectId'],
  identifiers: ['networkId', 'projectId', 'sshCertificateAuthorityId'],
  outwaitsUsers: false,
};

export const resourceTypes = {
  project,
  group,
  network,
  securityGroup,
  sshCertificateAuthority,
  fileStorage,
  instance,
} as const;
