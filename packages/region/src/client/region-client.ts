import type { Static, TSchema } from 'typebox';

import {
  typedCalls,
  unlessMissing,
  type Change,
  type OnBehalf,
  type ServiceCall,
  type ServiceCalls,
  type WatchOptions,
} from '@unikorn/core/calls';
import { defined } from '@unikorn/core/defined';
import { ActionsRead } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { Line } from '@unikorn/core/lines';
import { ReferenceRead, type Holder, type ReferenceQuery } from '@unikorn/core/references';

import { ExplanationRead } from '../api/explain.ts';
import { Flavors } from '../api/flavors.ts';
import { ImageRead, Images } from '../api/images.ts';
import { NetworkRead } from '../api/networks.ts';
import { Regions } from '../api/regions.ts';
import { SecurityGroupRead } from '../api/securitygroups.ts';
import {
  ConsoleOutput,
  ConsoleSession,
  ServerRead,
  ServersRead,
  SshKey,
  type ServerCreate,
  type ServerUpdate,
  type SnapshotCreate,
} from '../api/servers.ts';
import { SshCertificateAuthorityRead } from '../api/sshcertificateauthorities.ts';
import { Network, SecurityGroup, SSHCertificateAuthority } from '../kinds/index.ts';
import type { PowerVerb } from '../provider/index.ts';

type Value<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export type RegionRead = Value<typeof Regions>[number];
export type FlavorRead = Value<typeof Flavors>[number];
export type ImageRead = Value<typeof ImageRead>;
export type NetworkRead = Value<typeof NetworkRead>;
export type SecurityGroupRead = Value<typeof SecurityGroupRead>;
export type SshCertificateAuthorityRead = Value<typeof SshCertificateAuthorityRead>;
export type ServerRead = Value<typeof ServerRead>;
export type RegionExplanation = Value<typeof ExplanationRead>;
export type ActionRead = Value<typeof ActionsRead>[number];

export interface ServerFilter {
  readonly organizationID?: readonly string[];
  readonly projectID?: readonly string[];
  readonly regionID?: readonly string[];
  readonly networkID?: readonly string[];
  readonly tag?: readonly string[];
}

export type NetworkFilter = Omit<ServerFilter, 'networkID'>;

/** Resources that other services can refer to. */
export interface Held {
  readonly what: keyof typeof holdable;
  readonly id: string;
}

/** A reference to something that other services can hold. */
export interface RegionReference {
  readonly used: Held;
  /** `<plural>.<group>/<id>` of the resource that holds it. */
  readonly user: string;
  readonly protects: boolean;
  /** The runs of sagas that hold it; none where the resource itself does. */
  readonly claims: readonly string[];
  /** Where the used resource is. */
  readonly organizationId: string;
  readonly projectId: string;
}

/** The stored kind of each, and where references to it are kept. */
const holdable = {
  network: { kind: Network.id, path: '/api/v2/networks/{networkID}/references/{reference}', param: 'networkID' },
  securityGroup: {
    kind: SecurityGroup.id,
    path: '/api/v2/securitygroups/{securityGroupID}/references/{reference}',
    param: 'securityGroupID',
  },
  sshCertificateAuthority: {
    kind: SSHCertificateAuthority.id,
    path: '/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}/references/{reference}',
    param: 'sshCertificateAuthorityID',
  },
} as const;

const heldKinds = ['network', 'securityGroup', 'sshCertificateAuthority'] as const satisfies readonly Held['what'][];

/**
 * The operations of region that other services use, in the shapes of its wire contract. `on` names the principal that
 * is recorded and, when impersonating, whose rights apply. Errors are the problems that region returned.
 */
export interface RegionClient {
  regions(on: OnBehalf, organizationId: string): Promise<readonly RegionRead[]>;
  flavors(on: OnBehalf, organizationId: string, regionId: string): Promise<readonly FlavorRead[]>;
  /** The images of the organization and the public ones, in every state. */
  images(on: OnBehalf, organizationId: string, regionId: string): Promise<readonly ImageRead[]>;
  network(on: OnBehalf, networkId: string): Promise<NetworkRead>;
  securityGroup(on: OnBehalf, securityGroupId: string): Promise<SecurityGroupRead>;
  sshCertificateAuthority(on: OnBehalf, authorityId: string): Promise<SshCertificateAuthorityRead>;
  /**
   * Adds a reference to a resource, which prevents its deletion. Throws `not_found`, `invalid_request` if it is being
   * deleted, and `conflict` if it is about to be deleted.
   */
  hold(on: OnBehalf, used: Held, holder: Holder): Promise<void>;
  /**
   * Removes a reference. With a claim, only the claim of that saga run is removed. A resource that no longer exists is
   * not an error.
   */
  letGo(on: OnBehalf, used: Held, reference: string, claim?: string): Promise<void>;
  /** The references that one resource has, or all resources of a kind. They are read page by page. */
  references(on: OnBehalf, query: ReferenceQuery): AsyncIterable<RegionReference>;
  /** Undefined if the server does not exist. */
  server(on: OnBehalf, serverId: string): Promise<ServerRead | undefined>;
  servers(on: OnBehalf, filter: ServerFilter): Promise<readonly ServerRead[]>;
  createServer(on: OnBehalf, server: Value<typeof ServerCreate>): Promise<ServerRead>;
  updateServer(on: OnBehalf, serverId: string, server: Value<typeof ServerUpdate>): Promise<ServerRead>;
  /** A server that no longer exists is not an error. */
  deleteServer(on: OnBehalf, serverId: string): Promise<void>;
  /** The actions that are possible on a server now. */
  serverActions(on: OnBehalf, serverId: string): Promise<readonly ActionRead[]>;
  power(on: OnBehalf, serverId: string, verb: PowerVerb): Promise<void>;
  consoleOutput(on: OnBehalf, serverId: string, length?: number): Promise<{ readonly contents: string }>;
  consoleSession(on: OnBehalf, serverId: string): Promise<{ readonly url: string }>;
  /** Throws if a terminal cannot be opened, as far as region knows without asking the cloud. */
  demandTerminal(on: OnBehalf, serverId: string): Promise<void>;
  /** A terminal at the serial console of a server. The signal ends it. */
  terminal(on: OnBehalf, serverId: string, signal: AbortSignal): Promise<Line>;
  sshKey(on: OnBehalf, serverId: string): Promise<{ readonly privateKey: string }>;
  /** With the same key, only one image is made. */
  snapshot(
    on: OnBehalf,
    serverId: string,
    snapshot: Value<typeof SnapshotCreate>,
    idempotencyKey: string,
  ): Promise<ImageRead>;
  /** Explains the state of a resource; undefined if it does not exist. */
  explainServer(on: OnBehalf, serverId: string): Promise<RegionExplanation | undefined>;
  explainNetwork(on: OnBehalf, networkId: string): Promise<RegionExplanation | undefined>;
  explainSecurityGroup(on: OnBehalf, securityGroupId: string): Promise<RegionExplanation | undefined>;
  /** The servers that match the filter, and every change of them, until the signal aborts. */
  watchServers(on: OnBehalf, filter: ServerFilter, options: WatchOptions): AsyncIterable<Change<ServerRead>>;
  /** The networks that match the filter, and every change of them, until the signal aborts. */
  watchNetworks(on: OnBehalf, filter: NetworkFilter, options: WatchOptions): AsyncIterable<Change<NetworkRead>>;
}

const organization = '/api/v1/organizations/{organizationID}';
const servers = '/api/v2/servers';
const server = '/api/v2/servers/{serverID}';

/**
 * A client of region, either in the same process or over HTTP.
 *
 * @example const region = regionClient(localCalls({ service: region.service, commonName: 'unikorn-compute', store, world, telemetry, instance }));
 */
export function regionClient(calls: ServiceCalls): RegionClient {
  const typed = typedCalls(calls);
  const regionList = typed(Regions);
  const flavorList = typed(Flavors);
  const imageList = typed(Images);
  const images = typed(ImageRead);
  const networks = typed(NetworkRead);
  const securityGroups = typed(SecurityGroupRead);
  const authorities = typed(SshCertificateAuthorityRead);
  const serverItems = typed(ServerRead);
  const serverList = typed(ServersRead);
  const outputs = typed(ConsoleOutput);
  const sessions = typed(ConsoleSession);
  const keys = typed(SshKey);
  const explanations = typed(ExplanationRead);
  const actions = typed(ActionsRead);
  const references = typed(ReferenceRead);
  return {
    regions: (on, organizationID) =>
      regionList.call(on, { method: 'GET', path: `${organization}/regions`, params: { organizationID } }),
    flavors: (on, organizationID, regionID) =>
      flavorList.call(on, {
        method: 'GET',
        path: `${organization}/regions/{regionID}/flavors`,
        params: { organizationID, regionID },
      }),
    images: (on, organizationId, regionID) =>
      imageList.call(on, {
        method: 'GET',
        path: '/api/v2/regions/{regionID}/images',
        params: { regionID },
        query: { organizationID: [organizationId] },
      }),
    network: (on, networkID) =>
      networks.call(on, { method: 'GET', path: '/api/v2/networks/{networkID}', params: { networkID } }),
    securityGroup: (on, securityGroupID) =>
      securityGroups.call(on, {
        method: 'GET',
        path: '/api/v2/securitygroups/{securityGroupID}',
        params: { securityGroupID },
      }),
    sshCertificateAuthority: (on, sshCertificateAuthorityID) =>
      authorities.call(on, {
        method: 'GET',
        path: '/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}',
        params: { sshCertificateAuthorityID },
      }),
    hold: async (on, used, { reference, ...query }) => {
      await calls.call(on, { method: 'PUT', ...placeOf(used, reference), query });
    },
    letGo: async (on, used, reference, claim) => {
      await unlessMissing(() =>
        calls.call(on, {
          method: 'DELETE',
          ...placeOf(used, reference),
          query: { ...defined({ claim }) },
        }),
      );
    },
    async *references(on, query) {
      for await (const shown of references.list(on, { method: 'GET', path: '/api/v2/references', query })) {
        const reference = regionReferenceOf(shown);
        if (reference) yield reference;
      }
    },
    server: (on, serverID) =>
      unlessMissing(() => serverItems.call(on, { method: 'GET', path: server, params: { serverID } })),
    servers: (on, filter) => serverList.call(on, { method: 'GET', path: servers, query: { ...filter } }),
    createServer: (on, body) => serverItems.call(on, { method: 'POST', path: servers, body }),
    updateServer: (on, serverID, body) =>
      serverItems.call(on, { method: 'PUT', path: server, params: { serverID }, body }),
    deleteServer: async (on, serverID) => {
      await unlessMissing(() => calls.call(on, { method: 'DELETE', path: server, params: { serverID } }));
    },
    serverActions: (on, serverID) =>
      actions.call(on, { method: 'GET', path: `${server}/actions`, params: { serverID } }),
    power: async (on, serverID, verb) => {
      await calls.call(on, { method: 'POST', path: `${server}/${verb}`, params: { serverID } });
    },
    consoleOutput: (on, serverID, length) =>
      outputs.call(on, {
        method: 'GET',
        path: `${server}/consoleoutput`,
        params: { serverID },
        ...(length === undefined ? {} : { query: { length } }),
      }),
    consoleSession: (on, serverID) =>
      sessions.call(on, { method: 'GET', path: `${server}/consolesessions`, params: { serverID } }),
    demandTerminal: async (on, serverID) => {
      await calls.call(on, { method: 'GET', path: `${server}/terminal`, params: { serverID } });
    },
    terminal: (on, serverID, signal) =>
      calls.open(on, { method: 'GET', path: `${server}/terminal`, params: { serverID } }, signal),
    sshKey: (on, serverID) => keys.call(on, { method: 'GET', path: `${server}/sshkey`, params: { serverID } }),
    snapshot: (on, serverID, body, idempotencyKey) =>
      images.call(on, { method: 'POST', path: `${server}/snapshot`, params: { serverID }, body, idempotencyKey }),
    watchServers: (on, filter, options) =>
      serverItems.watch(on, { method: 'GET', path: servers, query: { ...filter } }, options),
    watchNetworks: (on, filter, options) =>
      networks.watch(on, { method: 'GET', path: '/api/v2/networks', query: { ...filter } }, options),
    explainServer: (on, serverID) =>
      unlessMissing(() => explanations.call(on, { method: 'GET', path: `${server}/explain`, params: { serverID } })),
    explainNetwork: (on, networkID) =>
      unlessMissing(() =>
        explanations.call(on, { method: 'GET', path: '/api/v2/networks/{networkID}/explain', params: { networkID } }),
      ),
    explainSecurityGroup: (on, securityGroupID) =>
      unlessMissing(() =>
        explanations.call(on, {
          method: 'GET',
          path: '/api/v2/securitygroups/{securityGroupID}/explain',
          params: { securityGroupID },
        }),
      ),
  };
}

/** Undefined for a kind that a newer version of region lets others hold. */
function regionReferenceOf({ metadata, spec }: ReferenceRead): RegionReference | undefined {
  const what = heldKinds.find((each) => holdable[each].kind === spec.used.kind);
  if (what === undefined) return undefined;
  const { organizationId = '', projectId = '' } = metadata;
  const { user, protects, claims } = spec;
  return { used: { what, id: spec.used.id }, user, protects, claims, organizationId, projectId };
}

function placeOf({ what, id }: Held, reference: string): Pick<ServiceCall, 'path' | 'params'> {
  const { path, param } = holdable[what];
  return { path, params: { [param]: id, reference } };
}
