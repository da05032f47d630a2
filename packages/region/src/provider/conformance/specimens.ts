import type { ProjectReference, WantedFileStorage } from '../file-storage.ts';
import type { IdentityReference } from '../identity.ts';
import type { WantedLoadBalancer } from '../load-balancer.ts';
import type { WantedNetwork } from '../network.ts';
import type { Ensured, Presence, Removed } from '../presence.ts';
import type { CloudProvider } from '../provider.ts';
import type { Provision, ResourceReference } from '../provision.ts';
import type { WantedServer } from '../server.ts';
import { insist, isPresent, type Capability, type Stage } from './harness.ts';

/** One resource type without its specific types, so that common tests are written once. */
export interface Specimen {
  readonly sort: string;
  readonly ownedBy: 'identity' | 'project';
  /** Absent for what every cloud has. */
  readonly capability?: Capability;
  /** Creates the resources that this type depends on. */
  prepare(stage: Stage): Promise<void>;
  ensure(stage: Stage, id: string, provider?: CloudProvider): Promise<Ensured<unknown>>;
  observe(stage: Stage, id: string, provider?: CloudProvider): Promise<Presence<unknown>>;
  list(stage: Stage): Promise<readonly string[]>;
  remove(stage: Stage, id: string): Promise<Removed>;
  /** The provider's own id of the resource. */
  providerId(stage: Stage, id: string): Promise<string | undefined>;
}

interface Particulars<Wanted, Observed, Scope> {
  readonly sort: string;
  readonly ownedBy: Specimen['ownedBy'];
  readonly capability?: Capability;
  readonly of: (
    provider: CloudProvider,
  ) => Provision<Wanted & ResourceReference, Wanted & ResourceReference, Observed, Scope>;
  readonly scope: (identity: IdentityReference) => Scope;
  readonly wanted: (stage: Stage, id: string) => Wanted & ResourceReference;
  readonly providerId: (observed: Observed) => string;
  readonly prepare?: (stage: Stage) => Promise<void>;
}

function specimen<Wanted, Observed, Scope>({
  sort,
  ownedBy,
  capability,
  of,
  scope,
  wanted,
  providerId,
  prepare,
}: Particulars<Wanted, Observed, Scope>): Specimen {
  return {
    sort,
    ownedBy,
    ...(capability === undefined ? {} : { capability }),
    prepare: (stage) => prepare?.(stage) ?? Promise.resolve(),
    ensure: (stage, id, provider = stage.provider) => of(provider).ensure(scope(stage.identity), wanted(stage, id)),
    observe: (stage, id, provider = stage.provider) => of(provider).observe(scope(stage.identity), wanted(stage, id)),
    list: async (stage) => (await of(stage.provider).list(scope(stage.identity))).map(({ id }) => id),
    remove: (stage, id) => of(stage.provider).remove(scope(stage.identity), wanted(stage, id)),
    providerId: async (stage, id) => {
      const presence = await of(stage.provider).observe(scope(stage.identity), wanted(stage, id));
      return presence.state === 'absent' ? undefined : providerId(presence.observed);
    },
  };
}

const byIdentity = { ownedBy: 'identity', scope: (identity: IdentityReference) => identity } as const;

export function networkOf(id: string): WantedNetwork {
  return {
    id,
    prefix: '10.0.0.0/24',
    reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
    dnsNameservers: ['1.1.1.1'],
    routes: [],
  };
}

/** The network of a stage's servers and load balancers. Its id is that of the identity. */
export function homeOf({ identity }: Stage): string {
  return identity.id;
}

export async function prepareHome(stage: Stage): Promise<void> {
  await insist(stage, () => stage.provider.networks.ensure(stage.identity, networkOf(homeOf(stage))), isPresent);
}

export function serverOf(stage: Stage, id: string): WantedServer {
  const { flavorId, imageId } = stage.materials;
  return {
    id,
    name: `web-${id}`,
    flavorId,
    imageId,
    networkId: homeOf(stage),
    securityGroupIds: [],
    publicIP: 'wanted',
    allowedAddressPairs: [],
    keyPair: 'none',
    metadata: {},
  };
}

function loadBalancerOf(stage: Stage, id: string): WantedLoadBalancer {
  const pool = { proxyProtocolV2: false, members: [{ address: '10.0.0.200', port: 8080 }] };
  return {
    id,
    networkId: homeOf(stage),
    publicIP: 'wanted',
    listeners: [{ name: 'web', protocol: 'tcp', port: 80, allowedCIDRs: [], pool }],
  };
}

export function fileStorageOf(id: string): WantedFileStorage {
  return {
    id,
    size_gib: 10,
    rootSquash: true,
    attachments: [],
    snapshotPlans: [{ name: 'nightly', interval: 'daily', timeOfDay: '04:00Z', keep: 7 }],
  };
}

export function projectOf({ organizationId, projectId }: IdentityReference): ProjectReference {
  return { organizationId, projectId };
}

const networks = specimen({
  ...byIdentity,
  sort: 'network',
  of: ({ networks }) => networks,
  wanted: (_stage, id) => networkOf(id),
  providerId: ({ networkId }) => networkId,
});

const securityGroups = specimen({
  ...byIdentity,
  sort: 'security group',
  of: ({ securityGroups }) => securityGroups,
  wanted: (_stage, id) => ({
    id,
    rules: [{ direction: 'ingress' as const, protocol: 'tcp' as const, ports: { start: 22, end: 22 } }],
  }),
  providerId: ({ providerId }) => providerId,
});

const servers = specimen({
  ...byIdentity,
  sort: 'server',
  capability: 'servers',
  of: ({ servers }) => servers,
  wanted: serverOf,
  providerId: ({ providerId }) => providerId,
  prepare: prepareHome,
});

const loadBalancers = specimen({
  ...byIdentity,
  sort: 'load balancer',
  capability: 'load balancers',
  of: ({ loadBalancers }) => loadBalancers,
  wanted: loadBalancerOf,
  providerId: ({ providerId }) => providerId,
  prepare: prepareHome,
});

const fileStorages = specimen({
  ownedBy: 'project',
  scope: projectOf,
  sort: 'file storage',
  capability: 'file storages',
  of: ({ fileStorages }) => fileStorages,
  wanted: (_stage, id) => fileStorageOf(id),
  providerId: ({ providerId }) => providerId,
});

export const specimens: readonly Specimen[] = [networks, securityGroups, servers, loadBalancers, fileStorages];
