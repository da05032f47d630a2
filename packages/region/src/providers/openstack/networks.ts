import { defined } from '@unikorn/core/defined';
import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { formatAddress, layOut, parsePrefix, type NetworkLayout } from '../../network/index.ts';
import {
  absent,
  isProviderFailure,
  ProviderFailure,
  type AddressRange,
  type Ensured,
  type Found,
  type IdentityReference,
  type Networks,
  type ObservedNetwork,
  type Presence,
  type Removed,
  type ResourceReference,
  type WantedNetwork,
} from '../../provider/index.ts';
import { keepOne, makeOnce, neutron, onlyOne } from './client/index.ts';
import { chooseExternalNetwork } from './external-networks.ts';
import { networkName } from './names.ts';
import { limits } from './limits.ts';
import type { NetworkSettings } from './network-settings.ts';
import { requireTenant, type Tenant, type Tenants } from './tenants.ts';
import { releaseVlans, Vlans, type VlanOfNetwork } from './vlans.ts';

export interface NetworkParts {
  readonly store: Store;
  readonly world: World;
  readonly regionId: string;
  readonly tenants: Tenants;
  /** Read for every call, so that a change needs no restart. */
  readonly settings: () => NetworkSettings;
}

const namePrefix = networkName('');

/** A network with one subnet, and a router that leads out of the cloud. All three have the same name. */
export class OpenstackNetworks implements Networks {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  async ensure(identity: IdentityReference, wanted: WantedNetwork): Promise<Ensured<ObservedNetwork>> {
    const layout = layoutOf(wanted);
    const tenant = await requireTenant(this.#parts.tenants, identity);
    const network = (await keptNetwork(tenant, wanted.id)) ?? (await this.#createOnce(tenant, wanted.id));
    await this.#recordVlan(wanted.id, network);
    const subnet = await ensureSubnet(tenant, network.id, wanted, layout);
    const router = await this.#ensureRouter(tenant, wanted.id);
    await ensureAttached(tenant, router.id, subnet.id);
    return { state: 'present', observed: { ...observedOf(network, subnet), ...storageOf(layout) } };
  }

  async observe(identity: IdentityReference, { id }: ResourceReference): Promise<Presence<ObservedNetwork>> {
    const tenant = await this.#parts.tenants(identity);
    const network = tenant && (await findNetwork(tenant, id));
    if (!network) return absent;
    const { projectId, session } = tenant;
    const name = networkName(id);
    const subnets = await neutron.listSubnets(session, { projectId, name, networkId: network.id });
    const routers = await neutron.listRouters(session, { projectId, name });
    return presenceOf(network, subnets[0], routers[0]);
  }

  async list(identity: IdentityReference): Promise<readonly Found<ObservedNetwork>[]> {
    const tenant = await this.#parts.tenants(identity);
    if (!tenant) return [];
    const { projectId, session } = tenant;
    const networks = await neutron.listNetworks(session, { projectId });
    const subnets = new Map((await neutron.listSubnets(session, { projectId })).map((one) => [one.name, one]));
    const routers = new Map((await neutron.listRouters(session, { projectId })).map((one) => [one.name, one]));
    return networks
      .filter(({ name }) => name.startsWith(namePrefix))
      .map((network) => ({
        id: network.name.slice(namePrefix.length),
        presence: presenceOf(network, subnets.get(network.name), routers.get(network.name)),
      }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Removes everything that has the name, also what a creation that failed halfway has left. */
  async remove(identity: IdentityReference, { id }: ResourceReference): Promise<Removed> {
    const tenant = await this.#parts.tenants(identity);
    const removed = tenant ? await removeFromCloud(tenant, networkName(id)) : [];
    if (await releaseVlans(this.#parts, id, removed.flatMap(vlanOf))) return absent;
    return { state: 'pending', reason: 'the cloud is asked once more whether the network is gone from its VLAN' };
  }

  #createOnce(tenant: Tenant, id: string): Promise<neutron.Network> {
    const { projectId, session } = tenant;
    const name = networkName(id);
    return makeOnce({
      make: () => this.#create(tenant, id),
      list: () => neutron.listNetworks(session, { projectId, name }),
      remove: (networkId) => neutron.deleteNetwork(session, networkId),
      doing: 'creating the network',
      what: `network ${name}`,
    });
  }

  async #create(tenant: Tenant, id: string): Promise<neutron.Network> {
    const { vlans: settings } = this.#parts.settings();
    const name = networkName(id);
    if (!settings) return neutron.createNetwork(tenant.session, { name });
    const { physicalNetwork, ranges } = settings;
    const vlans = new Vlans(this.#parts.store, this.#parts.regionId, physicalNetwork);
    for (let attempt = 0; attempt < limits.vlanAttempts; attempt++) {
      const vlanId = await vlans.take(id, ranges);
      try {
        return await neutron.createNetwork(tenant.session, { name, vlan: { physicalNetwork, id: vlanId } });
      } catch (error) {
        if (!isProviderFailure(error, 'conflict')) throw error;
      }
      // Either an earlier attempt whose response was lost has made the network, or something else has the VLAN.
      const made = await findNetwork(tenant, id);
      if (made) return made;
      await vlans.markRefused(vlanId);
    }
    throw new ProviderFailure('capacity', 'the cloud has given the VLANs of this region to something else');
  }

  /** A network that was found may be older than our records, for example one of the original of this platform. */
  async #recordVlan(id: string, network: neutron.Network): Promise<void> {
    for (const { physicalNetwork, vlanId } of vlanOf(network))
      await new Vlans(this.#parts.store, this.#parts.regionId, physicalNetwork).adopt(id, vlanId);
  }

  async #ensureRouter(tenant: Tenant, id: string): Promise<neutron.Router> {
    const { projectId, session } = tenant;
    const name = networkName(id);
    const list = () => neutron.listRouters(session, { projectId, name });
    const what = `router ${name}`;
    const found = await keepOne(await list(), {
      isUsed: async (router) => (await subnetsOf(session, router.id)).length > 0,
      remove: (routerId) => neutron.deleteRouter(session, routerId),
      doing: 'looking for the router',
      what,
    });
    if (found?.external_gateway_info) return found;
    const externalNetworkId = await chooseExternalNetwork(session, this.#parts.settings());
    if (found) return neutron.updateRouter(session, found.id, { externalNetworkId });
    return makeOnce({
      make: () => neutron.createRouter(session, { name, externalNetworkId }),
      list,
      remove: (routerId) => neutron.deleteRouter(session, routerId),
      doing: 'creating the router',
      what,
    });
  }
}

/** The VLAN that a network of the cloud has, if it has one. */
function vlanOf(network: neutron.Network): readonly VlanOfNetwork[] {
  const physicalNetwork = network['provider:physical_network'];
  const vlanId = network['provider:segmentation_id'];
  if (network['provider:network_type'] !== 'vlan' || !physicalNetwork || !vlanId) return [];
  return [{ physicalNetwork, vlanId }];
}

function findNetwork({ projectId, session }: Tenant, id: string): Promise<neutron.Network | undefined> {
  return neutron.findNetwork(session, { projectId, name: networkName(id) });
}

/** Where there are several networks, those without servers, load balancers or a router are removed. */
async function keptNetwork({ projectId, session }: Tenant, id: string): Promise<neutron.Network | undefined> {
  const name = networkName(id);
  return keepOne(await neutron.listNetworks(session, { projectId, name }), {
    isUsed: async (network) =>
      (await neutron.listPorts(session, { networkId: network.id })).some(
        ({ device_owner: owner }) => isInterface(owner) || !owner.startsWith('network:'),
      ),
    remove: (networkId) => neutron.deleteNetwork(session, networkId),
    doing: 'looking for the network',
    what: `network ${name}`,
  });
}

/** DNS servers and routes can be changed. Gateway and addresses cannot: servers have them already. */
async function ensureSubnet(
  { projectId, session }: Tenant,
  networkId: string,
  wanted: WantedNetwork,
  layout: NetworkLayout,
): Promise<neutron.Subnet> {
  const name = networkName(wanted.id);
  const cidr = wanted.prefix;
  const hostRoutes = wanted.routes.map(({ prefix, nextHop }) => ({ destination: prefix, nexthop: nextHop }));
  // A subnet that the original made does not have it yet.
  const description = describeStorage(layout);
  const find = async () =>
    onlyOne(await neutron.listSubnets(session, { projectId, name, networkId }), {
      doing: 'looking for the subnet',
      what: `subnet ${name}`,
    });
  const create = async () => {
    try {
      return await neutron.createSubnet(session, {
        name,
        networkId,
        cidr,
        gatewayIP: formatAddress(layout.gateway),
        pool: { start: formatAddress(layout.servers.first), end: formatAddress(layout.servers.last) },
        dnsNameservers: wanted.dnsNameservers,
        hostRoutes,
        description,
      });
    } catch (error) {
      // Neutron refuses a second subnet with the same prefix. An attempt that took too long may have made the first.
      const made = isProviderFailure(error, 'invalid') ? await find() : undefined;
      if (!made) throw error;
      return made;
    }
  };
  const found = (await find()) ?? (await create());
  if (found.cidr !== cidr)
    throw new ProviderFailure(
      'inconsistent',
      `the subnet in the cloud has the prefix ${found.cidr}, and the network has ${wanted.prefix}: the platform operator must check it`,
    );
  const isCurrent =
    (found.description ?? '') === description &&
    sameTexts(found.dns_nameservers, wanted.dnsNameservers) &&
    sameTexts(found.host_routes.map(routeText).toSorted(), hostRoutes.map(routeText).toSorted());
  if (isCurrent) return found;
  return neutron.updateSubnet(session, found.id, { dnsNameservers: wanted.dnsNameservers, hostRoutes, description });
}

/** Neutron refuses to attach a subnet twice, so the ports of the router are looked at before and after. */
async function ensureAttached({ session }: Tenant, routerId: string, subnetId: string): Promise<void> {
  const isAttached = async () => (await subnetsOf(session, routerId)).includes(subnetId);
  if (await isAttached()) return;
  try {
    await neutron.attachSubnet(session, routerId, subnetId);
  } catch (error) {
    if (!isProviderFailure(error, 'invalid', 'conflict') || !(await isAttached())) throw error;
  }
}

/** Returns the networks that were removed. */
async function removeFromCloud({ projectId, session }: Tenant, name: string): Promise<readonly neutron.Network[]> {
  const networks = await neutron.listNetworks(session, { projectId, name });
  // Checked first: otherwise servers would lose their router before the cloud refuses to delete their network.
  for (const network of networks) await assertUnused(session, network.id);
  for (const router of await neutron.listRouters(session, { projectId, name })) {
    for (const subnetId of await subnetsOf(session, router.id)) await detach(session, router.id, subnetId);
    await neutron.deleteRouter(session, router.id);
  }
  for (const subnet of await neutron.listSubnets(session, { projectId, name }))
    await neutron.deleteSubnet(session, subnet.id);
  for (const network of networks) await neutron.deleteNetwork(session, network.id);
  return networks;
}

/** Neutron's own ports, such as those of routers and of DHCP, go with the network. */
async function assertUnused(session: Tenant['session'], networkId: string): Promise<void> {
  const ports = await neutron.listPorts(session, { networkId });
  if (ports.some((port) => !port.device_owner.startsWith('network:')))
    throw new ProviderFailure('in_use', 'servers or load balancers still use the network');
}

async function detach(session: Tenant['session'], routerId: string, subnetId: string): Promise<void> {
  try {
    await neutron.detachSubnet(session, routerId, subnetId);
  } catch (error) {
    if (!isProviderFailure(error, 'not_found')) throw error;
  }
}

/** Whether a port with this owner connects a router to a subnet. */
function isInterface(owner: string): boolean {
  return owner.includes('router_interface') || owner.includes('ha_router_replicated');
}

/** The subnets that a router leads out of. */
async function subnetsOf(session: Tenant['session'], routerId: string): Promise<readonly string[]> {
  const ports = await neutron.listPorts(session, { deviceId: routerId });
  return ports
    .filter(({ device_owner: owner }) => isInterface(owner))
    .flatMap(({ fixed_ips: addresses }) => addresses.map(({ subnet_id: subnetId }) => subnetId));
}

function presenceOf(
  network: neutron.Network,
  subnet: neutron.Subnet | undefined,
  router: neutron.Router | undefined,
): Ensured<ObservedNetwork> {
  const observed = observedOf(network, subnet);
  if (!subnet || !router) return { state: 'pending', reason: 'the network is not complete yet', observed };
  return { state: 'present', observed };
}

/** The texts are empty as long as there is no subnet. */
function observedOf(network: neutron.Network, subnet: neutron.Subnet | undefined): ObservedNetwork {
  const isVlan = network['provider:network_type'] === 'vlan';
  return {
    networkId: network.id,
    subnetId: subnet?.id ?? '',
    gatewayIP: subnet?.gateway_ip ?? '',
    ...defined({
      vlanId: isVlan ? (network['provider:segmentation_id'] ?? undefined) : undefined,
      storageRange: subnet && readStorage(subnet.description ?? ''),
    }),
  };
}

/** Neutron knows what servers may use, and nothing of storage. So the range is written into the description. */
function describeStorage({ storage }: NetworkLayout): string {
  return storage ? `storage ${formatAddress(storage.first)}-${formatAddress(storage.last)}` : '';
}

function storageOf({ storage }: NetworkLayout): Pick<ObservedNetwork, 'storageRange'> {
  return storage ? { storageRange: { startIP: formatAddress(storage.first), endIP: formatAddress(storage.last) } } : {};
}

function readStorage(description: string): AddressRange | undefined {
  const [, startIP, endIP] = /^storage ([\d.]+)-([\d.]+)$/.exec(description) ?? [];
  return startIP === undefined || endIP === undefined ? undefined : { startIP, endIP };
}

function layoutOf({ prefix, reservations }: WantedNetwork): NetworkLayout {
  const parsed = parsePrefix(prefix);
  const layout = parsed && layOut(parsed, reservations);
  if (!layout || layout.servers.first > layout.servers.last)
    throw new ProviderFailure('invalid', 'the prefix and its reservations leave no address for servers');
  return layout;
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

function routeText({ destination, nexthop }: neutron.HostRoute): string {
  return `${destination} ${nexthop}`;
}
