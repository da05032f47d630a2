import type { Line } from '@unikorn/core/lines';
import { Answers } from '@unikorn/core/outbound';
import type { World } from '@unikorn/core/world';

import {
  absent,
  isProviderFailure,
  ProviderFailure,
  type Ensured,
  type Found,
  type IdentityReference,
  type Image,
  type ImageDescription,
  type ObservedServer,
  type PowerVerb,
  type Presence,
  type Removed,
  type ServerReference,
  type Servers,
  type WantedServer,
} from '../../provider/index.ts';
import { makeOnce, neutron, nova, onlyOne, type Session } from './client/index.ts';
import { keyName } from './identities.ts';
import { limits, waits } from './limits.ts';
import { waitsForMachine } from './machines.ts';
import { networkName, portName, securityGroupName } from './names.ts';
import { assertHostFree, hostNeedsOf } from './placement.ts';
import {
  publicAddressOf,
  releaseLostAddresses,
  releasePublicAddresses,
  settlePublicAddress,
} from './public-address.ts';
import { SeenLists } from './seen-lists.ts';
import { openSerialConsole } from './serial-console.ts';
import {
  fixedAddressOf,
  floatingAddressOf,
  isDeleting,
  launchedAt,
  launchKey,
  presenceOf,
  type AcceptedServer,
  type ServerSight,
} from './server-state.ts';
import type { ComputeSettings } from './settings.ts';
import { requireTenant, type Tenant, type Tenants } from './tenants.ts';

export interface ServerParts {
  readonly world: World;
  /** The project of an identity, as its own user. */
  readonly users: Tenants;
  /** The same, as the region's user: for servers that name their host. */
  readonly managers: Tenants;
  /** The region's user in its own project: for flavors. */
  readonly region: () => Promise<Session>;
  readonly images: {
    /** Lets servers of a project use an image. */
    share(imageId: string, projectId: string): Promise<void>;
    snapshot(tenant: Tenant, serverId: string, identityId: string, image: ImageDescription): Promise<Image>;
  };
  /** Where public addresses come from. */
  readonly externalNetworkId: (session: Session) => Promise<string>;
  readonly compute?: ComputeSettings | undefined;
}

type Addresses = Pick<ServerSight, 'privateIP' | 'publicIP'>;

/** The metadata by which a server of the cloud is known as one of ours. */
const idKey = 'serverID';

export class OpenstackServers implements Servers {
  readonly #parts: ServerParts;
  readonly #flavors: Answers<readonly nova.Flavor[]>;
  readonly #seen = new SeenLists(limits.seenServers);
  /** The servers that this process had made, by their id of ours, while they are built. */
  readonly #building = new Map<string, { readonly id: string; readonly addresses: Addresses }>();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#flavors = new Answers(parts.world, 1);
  }

  async ensure(identity: IdentityReference, wanted: WantedServer): Promise<Ensured<ObservedServer>> {
    const tenant = await requireTenant(this.#parts.users, identity);
    const { session } = tenant;
    // Calls that only read are made side by side. Nothing is made before all of them are answered.
    const [found, listed, groupIds] = await Promise.all([
      serversOf(tenant, wanted),
      portsOf(tenant, wanted.id),
      groupIdsOf(tenant, wanted.securityGroupIds),
    ]);
    const existing = keeperOf(found);
    await removeDuplicates(session, found, existing);
    const [known, ...surplus] = byUse(listed);
    await removeSurplus(session, surplus);
    const [networkId] = await Promise.all([
      known?.network_id ?? networkIdOf(tenant, wanted.networkId),
      existing ? undefined : this.#parts.images.share(wanted.imageId, tenant.projectId),
    ]);
    const { port, isNew } = await ensurePort(tenant, wanted, { known, networkId, groupIds });
    const publicIP = await settlePublicAddress(tenant, {
      portId: port.id,
      isNewPort: isNew,
      owner: portName(wanted.id),
      wanted: wanted.publicIP,
      externalNetworkId: () => this.#parts.externalNetworkId(session),
    });
    const sight = existing
      ? await this.#sight(identity, await reconnect(session, existing, port))
      : await this.#create(identity, tenant, wanted, { port, isNew });
    const addresses = { privateIP: addressOf(port), publicIP };
    this.#remember(wanted, sight, addresses);
    return presenceOf({ ...sight, ...addresses });
  }

  async observe(identity: IdentityReference, reference: ServerReference): Promise<Presence<ObservedServer>> {
    const tenant = await this.#parts.users(identity);
    const server = tenant && keeperOf(await serversOf(tenant, reference));
    if (!server) return absent;
    const sight = await this.#sight(identity, server);
    const known = this.#addressesWhileBuilt(reference, server);
    if (known) return presenceOf({ ...sight, ...known });
    const port = await findPort(tenant, reference.id);
    const publicIP = port && (await publicAddressOf(tenant.session, port.id));
    return presenceOf({ ...sight, privateIP: port && addressOf(port), publicIP });
  }

  /** A server that is built is looked at every other second, and has the addresses that it was made with. */
  #addressesWhileBuilt({ id }: ServerReference, server: nova.Server): Addresses | undefined {
    if (server.status !== 'BUILD') {
      this.#building.delete(id);
      return undefined;
    }
    // Nova tells them as soon as it has connected the server.
    if (fixedAddressOf(server)) return { publicIP: floatingAddressOf(server)?.addr };
    const known = this.#building.get(id);
    return known?.id === server.id ? known.addresses : undefined;
  }

  #remember({ id }: ServerReference, { server }: ServerSight, addresses: Addresses): void {
    this.#building.delete(id);
    if (server.status !== 'BUILD') return;
    this.#building.set(id, { id: server.id, addresses });
    const [oldest] = this.#building.keys();
    if (this.#building.size > limits.buildingServers && oldest !== undefined) this.#building.delete(oldest);
  }

  /**
   * Two lists for all servers together, and a third while some of them have no address yet. Lists that are the same as
   * before mean the same, and are not parsed.
   */
  async list(identity: IdentityReference): Promise<readonly Found<ObservedServer>[]> {
    const tenant = await this.#parts.users(identity);
    if (!tenant) return [];
    const { session, projectId } = tenant;
    const servers = await nova.readServers(session);
    const seen = this.#seen.get(identity.id);
    const isSeen = seen?.servers === servers.digest;
    const listed = isSeen ? undefined : await servers.whole();
    if (listed && !listed.items.some(isOurs)) return [];
    const addresses = await neutron.readFloatingIPs(session, { projectId });
    if (isSeen && seen.addresses === addresses.digest) return seen.found;
    this.#seen.forget(identity.id);
    const whole = { servers: listed ?? (await servers.whole()), addresses: await addresses.whole() };
    const found = await this.#interpret(identity, tenant, whole.servers.items, whole.addresses.items);
    // What is being built depends on more than these two lists.
    const isSettled = whole.servers.items.every((server) => server.status !== 'BUILD' && fixedAddressOf(server));
    if (isSettled && whole.servers.isOnePage && whole.addresses.isOnePage)
      this.#seen.keep(identity.id, { servers: servers.digest, addresses: addresses.digest, found });
    return found;
  }

  async #interpret(
    identity: IdentityReference,
    { session, projectId }: Tenant,
    servers: readonly nova.Server[],
    floating: readonly neutron.FloatingIP[],
  ): Promise<readonly Found<ObservedServer>[]> {
    const byId = Map.groupBy(servers.filter(isOurs), ({ metadata }) => metadata[idKey]);
    const publicIPs = new Map(floating.map((one) => [one.fixed_ip_address, one.floating_ip_address]));
    const shown = [...byId].flatMap(([id, same]) => {
      const server = keeperOf(same);
      return id === undefined || !server ? [] : [{ id, server }];
    });
    const isUnaddressed = shown.some(({ server }) => fixedAddressOf(server) === undefined);
    const ports = isUnaddressed ? await neutron.listPorts(session, { projectId }) : [];
    const privateIPs = new Map(ports.map((port) => [port.name, addressOf(port)]));
    const found: Found<ObservedServer>[] = [];
    for (const { id, server } of shown.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const privateIP = fixedAddressOf(server)?.addr ?? privateIPs.get(portName(id));
      const publicIP = privateIP === undefined ? undefined : publicIPs.get(privateIP);
      const sight = server.status === 'BUILD' ? await this.#sight(identity, server) : { server };
      found.push({ id, presence: presenceOf({ ...sight, privateIP, publicIP }) });
    }
    return found;
  }

  /** The port goes after the server is gone: Nova would fail the deletion of a server without its port. */
  async remove(identity: IdentityReference, reference: ServerReference): Promise<Removed> {
    const tenant = await this.#parts.users(identity);
    if (!tenant) return absent;
    const { session } = tenant;
    const named = await serversOf(tenant, reference);
    const ports = await portsOf(tenant, reference.id);
    const servers = named.length > 0 ? named : await holdersOf(session, ports);
    for (const server of servers) if (!isDeleting(server)) await nova.deleteServer(session, server.id);
    if (servers.length > 0) return { state: 'pending', reason: 'the machine is being deleted' };
    for (const port of ports) {
      await releasePublicAddresses(session, port.id);
      await neutron.deletePort(session, port.id);
    }
    await releaseLostAddresses(tenant, portName(reference.id));
    return absent;
  }

  async power(identity: IdentityReference, reference: ServerReference, verb: PowerVerb): Promise<void> {
    const { tenant, server } = await this.#require(identity, reference);
    await nova.switchServer(tenant.session, server.id, verb);
  }

  async rebuild(identity: IdentityReference, reference: ServerReference, imageId: string): Promise<void> {
    const { tenant, server } = await this.#require(identity, reference);
    await this.#parts.images.share(imageId, tenant.projectId);
    const first = launchedAt(server);
    if (first !== undefined && server.metadata[launchKey] === undefined)
      await nova.addMetadata(tenant.session, server.id, { [launchKey]: first });
    await nova.rebuildServer(tenant.session, server.id, imageId);
  }

  async consoleOutput(identity: IdentityReference, reference: ServerReference, lines?: number): Promise<string> {
    const { tenant, server } = await this.#require(identity, reference);
    return nova.consoleOutput(tenant.session, server.id, lines);
  }

  async consoleSession(identity: IdentityReference, reference: ServerReference): Promise<{ readonly url: string }> {
    const { tenant, server } = await this.#require(identity, reference);
    return { url: await nova.createConsole(tenant.session, server.id) };
  }

  async terminal(identity: IdentityReference, reference: ServerReference, signal: AbortSignal): Promise<Line> {
    const { tenant, server } = await this.#require(identity, reference);
    return openSerialConsole(tenant.session, server.id, signal);
  }

  async snapshot(identity: IdentityReference, reference: ServerReference, image: ImageDescription): Promise<Image> {
    if (image.organizationId === undefined)
      throw new ProviderFailure('invalid', 'a snapshot must belong to an organization');
    const { tenant, server } = await this.#require(identity, reference);
    return this.#parts.images.snapshot(tenant, server.id, identity.id, image);
  }

  async #require(
    identity: IdentityReference,
    reference: ServerReference,
  ): Promise<{ readonly tenant: Tenant; readonly server: nova.Server }> {
    const tenant = await this.#parts.users(identity);
    const server = tenant && keeperOf(await serversOf(tenant, reference));
    if (!server) throw new ProviderFailure('not_found', 'there is no such server in the cloud');
    return { tenant, server };
  }

  async #create(
    identity: IdentityReference,
    tenant: Tenant,
    wanted: WantedServer,
    { port, isNew }: EnsuredPort,
  ): Promise<ServerSight> {
    const overlooked = await this.#overlooked(tenant, wanted, { port, isNew });
    if (overlooked) return this.#sight(identity, overlooked);
    const id = await nova.createServer(await this.#creator(identity, tenant, wanted), {
      name: wanted.name,
      imageRef: wanted.imageId,
      flavorRef: wanted.flavorId,
      portId: port.id,
      metadata: { ...shortMetadata(wanted.metadata), [idKey]: wanted.id },
      ...(wanted.userData === undefined ? {} : { userData: wanted.userData }),
      // The key belongs to the identity's user; the region's user, who makes pinned servers, does not have it.
      ...(wanted.keyPair === 'identity' && wanted.infrastructureRef === undefined ? { keyName } : {}),
      ...(wanted.infrastructureRef === undefined ? {} : { hypervisorHostname: wanted.infrastructureRef }),
    });
    return { server: acceptedServer(id, wanted), queued: this.#baremetalFlavors().includes(wanted.flavorId) };
  }

  /**
   * A server that the list did not show. Nova connects a server with its port only some time after it has accepted it.
   * So a port without a server may come from an earlier attempt that made the server, and the list is read again. A
   * port that is new has no server.
   */
  async #overlooked(
    tenant: Tenant,
    wanted: WantedServer,
    { port, isNew }: EnsuredPort,
  ): Promise<nova.Server | undefined> {
    const { session } = tenant;
    const made = this.#building.get(wanted.id);
    const known = (made && (await nova.getServer(session, made.id))) ?? (await holdersOf(session, [port]))[0];
    if (known || isNew) return known;
    await this.#parts.world.sleep(waits.missingServer_ms);
    return keeperOf(await serversOf(tenant, wanted));
  }

  /** Only the region's user may choose the host of a server. */
  async #creator(identity: IdentityReference, tenant: Tenant, wanted: WantedServer): Promise<Session> {
    const { infrastructureRef: host, flavorId } = wanted;
    if (host === undefined) return tenant.session;
    const { session } = await requireTenant(this.#parts.managers, identity);
    const preflight = this.#parts.compute?.placementPreflight;
    if (preflight?.enabled) {
      const flavor = (await this.#listFlavors()).find(({ id }) => id === flavorId);
      if (!flavor) throw new ProviderFailure('not_found', 'the flavor is not offered');
      await assertHostFree(session, host, hostNeedsOf(flavor, preflight.requiredTraits));
    }
    return session;
  }

  /** Looks at the machine of a bare metal server that is being built. */
  async #sight(identity: IdentityReference, server: nova.Server): Promise<ServerSight> {
    const baremetal = this.#baremetalFlavors();
    if (server.status !== 'BUILD' || baremetal.length === 0) return { server };
    const names = (await this.#listFlavors()).filter(({ id }) => baremetal.includes(id)).map(({ name }) => name);
    if (!names.includes(server.flavor?.original_name ?? '')) return { server };
    const manager = await this.#parts.managers(identity);
    return manager ? { server, queued: await waitsForMachine(manager.session, server.id) } : { server };
  }

  #baremetalFlavors(): readonly string[] {
    const metadata = this.#parts.compute?.flavors?.metadata ?? [];
    return metadata.filter((flavor) => flavor.baremetal === true).map(({ id }) => id);
  }

  async #listFlavors(): Promise<readonly nova.Flavor[]> {
    return this.#flavors.get('flavors', async () => ({
      value: await nova.listFlavors(await this.#parts.region()),
      until: this.#parts.world.now() + waits.flavors_ms,
    }));
  }
}

function isOurs({ metadata }: nova.Server): boolean {
  return metadata[idKey] !== undefined;
}

/** The servers of the cloud that stand for one of ours. Those of another of the same name are left out. */
async function serversOf({ session }: Tenant, { id, name }: ServerReference): Promise<readonly nova.Server[]> {
  return (await nova.serversNamed(session, name)).filter(({ metadata }) => (metadata[idKey] ?? id) === id);
}

/**
 * The server among those that stand for the same one of ours. There are several only if a creation was repeated while
 * the cloud did not show the first server; all of them want the same port, so one can run at most.
 */
function keeperOf(servers: readonly nova.Server[]): nova.Server | undefined {
  const launched = servers.filter((server) => server['OS-SRV-USG:launched_at'] !== null);
  if (launched.length > 1)
    return onlyOne(launched, { doing: 'looking for the server', what: `server ${launched[0]?.name ?? ''}` });
  return launched[0] ?? servers.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))[0];
}

/** The oldest counts, and one that is being deleted counts least. */
function rankOf(server: nova.Server): string {
  return `${isDeleting(server) ? 1 : 0} ${server.created} ${server.id}`;
}

async function removeDuplicates(
  session: Session,
  servers: readonly nova.Server[],
  keeper: nova.Server | undefined,
): Promise<void> {
  for (const server of servers)
    if (server !== keeper && !isDeleting(server)) await nova.deleteServer(session, server.id);
}

/**
 * The port of a server may be deleted behind our back. Then `ensure` makes another one, and Nova must be told to use
 * it. Only a server that has run and is idle is sure to have had its port. A list may show the port as it was before,
 * so it is read by its id.
 */
async function reconnect(session: Session, server: nova.Server, port: neutron.Port): Promise<nova.Server> {
  const isIdle = ['ACTIVE', 'SHUTOFF'].includes(server.status) && server['OS-EXT-STS:task_state'] === null;
  if (port.device_id !== '' || !isIdle || server['OS-SRV-USG:launched_at'] === null) return server;
  if ((await neutron.getPort(session, port.id))?.device_id !== '') return server;
  await nova.attachPort(session, server.id, port.id);
  return (await nova.getServer(session, server.id)) ?? server;
}

/** The servers that have the ports. A list of servers may show an old state; that they are gone must be certain. */
async function holdersOf(session: Session, ports: readonly neutron.Port[]): Promise<readonly nova.Server[]> {
  const found: nova.Server[] = [];
  for (const { device_id: id } of ports) {
    const server = id === '' ? undefined : await nova.getServer(session, id);
    if (server) found.push(server);
  }
  return found;
}

function portsOf({ session, projectId }: Tenant, serverId: string): Promise<readonly neutron.Port[]> {
  return neutron.listPorts(session, { projectId, name: portName(serverId) });
}

/**
 * The port of a server. There are several only if a creation was repeated while the cloud did not show the first one.
 * Then it is the one that a server uses, or the oldest, which is the one that a server is being made with.
 */
async function findPort(tenant: Tenant, serverId: string): Promise<neutron.Port | undefined> {
  return byUse(await portsOf(tenant, serverId))[0];
}

function byUse(ports: readonly neutron.Port[]): readonly neutron.Port[] {
  const rank = ({ id, device_id: user, created_at: created = '' }: neutron.Port) =>
    `${user === '' ? 1 : 0} ${created} ${id}`;
  return ports.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/** Deletes the ports that were made besides the right one. One that a server uses is not deleted. */
async function removeSurplus(session: Session, surplus: readonly neutron.Port[]): Promise<void> {
  for (const { id, device_id: user } of surplus) {
    if (user !== '') continue;
    await releasePublicAddresses(session, id);
    await neutron.deletePort(session, id);
  }
}

interface WantedPort {
  /** The port that was found. */
  readonly known: neutron.Port | undefined;
  /** Where it is made otherwise. */
  readonly networkId: string;
  readonly groupIds: readonly string[];
}

interface EnsuredPort {
  readonly port: neutron.Port;
  /** Made just now, so nothing is connected with it. */
  readonly isNew: boolean;
}

async function ensurePort(
  tenant: Tenant,
  wanted: WantedServer,
  { known, networkId, groupIds }: WantedPort,
): Promise<EnsuredPort> {
  const changeable = {
    securityGroupIds: groupIds,
    allowedAddressPairs: wanted.allowedAddressPairs.map(({ cidr, macAddress }) => ({
      ip_address: cidr,
      ...(macAddress === undefined ? {} : { mac_address: macAddress }),
    })),
  };
  const { port, isNew } = known
    ? { port: known, isNew: false }
    : await makePort(tenant, wanted, { name: portName(wanted.id), networkId, ...changeable });
  if (fits(port, changeable)) return { port, isNew };
  return { port: await neutron.updatePort(tenant.session, port.id, changeable), isNew };
}

/** A list can be older than the last change, so it is read again: a second server would run on a second port. */
async function makePort(tenant: Tenant, wanted: WantedServer, missing: neutron.NewPort): Promise<EnsuredPort> {
  let madeId: string | undefined;
  const port = await makeOnce({
    make: async () => {
      const made = await createPort(tenant.session, wanted, missing);
      madeId = made.id;
      return made;
    },
    list: () => portsOf(tenant, wanted.id),
    remove: (id) => neutron.deletePort(tenant.session, id),
    doing: 'creating the port',
    what: `port ${missing.name}`,
  });
  return { port, isNew: port.id === madeId };
}

async function createPort(session: Session, wanted: WantedServer, port: neutron.NewPort): Promise<neutron.Port> {
  if (wanted.privateIP !== undefined) {
    try {
      return await neutron.createPort(session, { ...port, fixedIP: wanted.privateIP });
    } catch (error) {
      // The address is taken, or not one of the subnet: any other does.
      if (!isProviderFailure(error, 'conflict', 'invalid')) throw error;
    }
  }
  return neutron.createPort(session, port);
}

type Changeable = Pick<neutron.NewPort, 'securityGroupIds' | 'allowedAddressPairs'>;

/** Whether a port has these groups and pairs already. Neutron adds the address of the port to a pair without one. */
function fits(port: neutron.Port, { securityGroupIds, allowedAddressPairs }: Changeable): boolean {
  const pair = ({ ip_address, mac_address = port.mac_address }: neutron.AddressPair) => `${ip_address} ${mac_address}`;
  return (
    sameSet(port.security_groups, securityGroupIds) &&
    sameSet((port.allowed_address_pairs ?? []).map(pair), allowedAddressPairs.map(pair))
  );
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((item) => other.includes(item)) && other.every((item) => one.includes(item));
}

async function networkIdOf({ session, projectId }: Tenant, id: string): Promise<string> {
  const network = await neutron.findNetwork(session, { projectId, name: networkName(id) });
  if (!network) throw new ProviderFailure('not_found', 'the network does not exist in the cloud');
  return network.id;
}

/** One list, however many groups there are. */
async function groupIdsOf({ session, projectId }: Tenant, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const groups = await neutron.listSecurityGroups(session, { projectId });
  return ids.map((id) => {
    const name = securityGroupName(id);
    const group = onlyOne(
      groups.filter((candidate) => candidate.name === name),
      { doing: 'looking for the security group', what: `security group ${name}` },
    );
    if (!group) throw new ProviderFailure('not_found', 'a security group of the server does not exist in the cloud');
    return group.id;
  });
}

/** A server that Nova has just accepted. Its answer has the id and nothing else of use. */
function acceptedServer(id: string, { name, imageId, id: serverId }: WantedServer): AcceptedServer {
  return {
    id,
    name,
    status: 'BUILD',
    metadata: { [idKey]: serverId },
    addresses: {},
    image: { id: imageId },
    'OS-EXT-STS:task_state': 'scheduling',
    'OS-SRV-USG:launched_at': null,
  };
}

/** Nova refuses a server with a longer value. Tags may be longer; such a one is not told to the guest. */
const metadataLength = 255;

function shortMetadata(metadata: WantedServer['metadata']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value.length <= metadataLength));
}

function addressOf({ fixed_ips: [first] }: neutron.Port): string | undefined {
  return first?.ip_address;
}
