import { Type, type Static } from 'typebox';

import { defined } from '@unikorn/core/defined';

import { named, onlyOne } from './names.ts';
import { allOf, listingOf, listShape, type Listing } from './pages.ts';
import { segment, type Query, type Session } from './session.ts';
import { Nullable, shapeOf } from './shape.ts';

const service = 'network';

const Network = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  subnets: Type.Array(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  'router:external': Type.Optional(Type.Boolean()),
  // Only for those whom a policy allows to see them.
  'provider:network_type': Type.Optional(Nullable(Type.String())),
  'provider:physical_network': Type.Optional(Nullable(Type.String())),
  'provider:segmentation_id': Type.Optional(Nullable(Type.Integer())),
});
export type Network = Readonly<Static<typeof Network>>;

const Route = Type.Object({ destination: Type.String(), nexthop: Type.String() });
export type HostRoute = Readonly<Static<typeof Route>>;
const Pool = Type.Object({ start: Type.String(), end: Type.String() });

const Subnet = Type.Object({
  id: Type.String(),
  name: Type.String(),
  network_id: Type.String(),
  cidr: Type.String(),
  gateway_ip: Nullable(Type.String()),
  dns_nameservers: Type.Array(Type.String()),
  host_routes: Type.Array(Route),
  allocation_pools: Type.Array(Pool),
  description: Type.Optional(Nullable(Type.String())),
});
export type Subnet = Readonly<Static<typeof Subnet>>;

const Router = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  external_gateway_info: Nullable(Type.Object({ network_id: Type.String() })),
});
export type Router = Readonly<Static<typeof Router>>;

const AddressPair = Type.Object({ ip_address: Type.String(), mac_address: Type.Optional(Type.String()) });
export type AddressPair = Readonly<Static<typeof AddressPair>>;

const Port = Type.Object({
  id: Type.String(),
  name: Type.String(),
  network_id: Type.String(),
  device_id: Type.String(),
  device_owner: Type.String(),
  created_at: Type.Optional(Type.String()),
  status: Type.String(),
  mac_address: Type.String(),
  fixed_ips: Type.Array(Type.Object({ subnet_id: Type.String(), ip_address: Type.String() })),
  security_groups: Type.Array(Type.String()),
  allowed_address_pairs: Type.Optional(Type.Array(AddressPair)),
});
export type Port = Readonly<Static<typeof Port>>;

const FloatingIP = Type.Object({
  id: Type.String(),
  floating_ip_address: Type.String(),
  floating_network_id: Type.String(),
  fixed_ip_address: Type.Optional(Nullable(Type.String())),
  port_id: Nullable(Type.String()),
  status: Type.Optional(Type.String()),
  description: Type.Optional(Nullable(Type.String())),
});
export type FloatingIP = Readonly<Static<typeof FloatingIP>>;

const SecurityGroupRule = Type.Object({
  id: Type.String(),
  security_group_id: Type.String(),
  direction: Type.Union([Type.Literal('ingress'), Type.Literal('egress')]),
  ethertype: Nullable(Type.String()),
  protocol: Nullable(Type.String()),
  port_range_min: Nullable(Type.Integer()),
  port_range_max: Nullable(Type.Integer()),
  remote_ip_prefix: Nullable(Type.String()),
  remote_group_id: Type.Optional(Nullable(Type.String())),
});
export type SecurityGroupRule = Readonly<Static<typeof SecurityGroupRule>>;

const SecurityGroup = Type.Object({
  id: Type.String(),
  name: Type.String(),
  security_group_rules: Type.Array(SecurityGroupRule),
});
export type SecurityGroup = Readonly<Static<typeof SecurityGroup>>;

const networks = listShape('networks', Network);
const oneNetwork = shapeOf(Type.Object({ network: Network }));
const subnets = listShape('subnets', Subnet);
const oneSubnet = shapeOf(Type.Object({ subnet: Subnet }));
const routers = listShape('routers', Router);
const oneRouter = shapeOf(Type.Object({ router: Router }));
const ports = listShape('ports', Port);
const onePort = shapeOf(Type.Object({ port: Port }));
const floatingIPs = listShape('floatingips', FloatingIP);
const oneFloatingIP = shapeOf(Type.Object({ floatingip: FloatingIP }));
const groups = listShape('security_groups', SecurityGroup);
const oneGroup = shapeOf(Type.Object({ security_group: SecurityGroup }));
const oneRule = shapeOf(Type.Object({ security_group_rule: SecurityGroupRule }));

/** Sets limits of a project; -1 is no limit. */
export function updateNetworkQuota(
  session: Session,
  projectId: string,
  quota: Readonly<Record<string, number>>,
): Promise<void> {
  const path = `/quotas/${segment(projectId)}`;
  return session.tell({ service, method: 'PUT', path, body: { quota }, doing: 'setting the quotas of networks' });
}

/** Networks that lead out of the cloud and that the project may see. */
export function listExternalNetworks(session: Session): Promise<readonly Network[]> {
  const query = { 'router:external': true };
  return allOf(session, { service, path: '/networks', query, doing: 'listing the external networks' }, networks);
}

/** Networks of one project; `name` is compared as a whole. */
export async function listNetworks(
  session: Session,
  { projectId, name }: { readonly projectId: string; readonly name?: string },
): Promise<readonly Network[]> {
  const query = { project_id: projectId, name };
  return exactly(
    name,
    await allOf(session, { service, path: '/networks', query, doing: 'listing the networks' }, networks),
  );
}

export async function findNetwork(
  session: Session,
  where: { readonly projectId: string; readonly name: string },
): Promise<Network | undefined> {
  return onlyOne(await listNetworks(session, where), {
    doing: 'looking for the network',
    what: `network ${where.name}`,
  });
}

export interface NewNetwork {
  readonly name: string;
  readonly description?: string;
  /** A VLAN of a physical network; a tenant network without it. */
  readonly vlan?: { readonly physicalNetwork: string; readonly id: number };
}

export async function createNetwork(session: Session, { name, description = '', vlan }: NewNetwork): Promise<Network> {
  const provider = vlan && {
    'provider:network_type': 'vlan',
    'provider:physical_network': vlan.physicalNetwork,
    'provider:segmentation_id': vlan.id,
  };
  const body = { network: { name, description, ...provider } };
  const call = { service, method: 'POST', path: '/networks', body, doing: 'creating the network' } as const;
  return (await session.ask(call, oneNetwork)).network;
}

export function deleteNetwork(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/networks/${segment(id)}`, doing: 'deleting the network' });
}

/** Subnets of one project; `name` is compared as a whole. */
export async function listSubnets(
  session: Session,
  { projectId, name, networkId }: { readonly projectId: string; readonly name?: string; readonly networkId?: string },
): Promise<readonly Subnet[]> {
  const query = { project_id: projectId, name, network_id: networkId };
  return exactly(
    name,
    await allOf(session, { service, path: '/subnets', query, doing: 'listing the subnets' }, subnets),
  );
}

export interface NewSubnet {
  readonly name: string;
  readonly networkId: string;
  readonly cidr: string;
  readonly gatewayIP: string;
  readonly pool: { readonly start: string; readonly end: string };
  readonly dnsNameservers: readonly string[];
  readonly hostRoutes: readonly HostRoute[];
  readonly description?: string;
}

/** IPv4 with DHCP. */
export async function createSubnet(session: Session, subnet: NewSubnet): Promise<Subnet> {
  const { name, networkId, cidr, gatewayIP, pool, dnsNameservers, hostRoutes, description = '' } = subnet;
  const body = {
    subnet: {
      name,
      description,
      network_id: networkId,
      ip_version: 4,
      cidr,
      gateway_ip: gatewayIP,
      enable_dhcp: true,
      allocation_pools: [pool],
      dns_nameservers: dnsNameservers,
      host_routes: hostRoutes,
    },
  };
  const call = { service, method: 'POST', path: '/subnets', body, doing: 'creating the subnet' } as const;
  return (await session.ask(call, oneSubnet)).subnet;
}

/** An empty list clears what there was. */
export async function updateSubnet(
  session: Session,
  id: string,
  { dnsNameservers, hostRoutes, description }: Pick<NewSubnet, 'dnsNameservers' | 'hostRoutes' | 'description'>,
): Promise<Subnet> {
  const body = { subnet: defined({ dns_nameservers: dnsNameservers, host_routes: hostRoutes, description }) };
  const path = `/subnets/${segment(id)}`;
  return (await session.ask({ service, method: 'PUT', path, body, doing: 'updating the subnet' }, oneSubnet)).subnet;
}

export function deleteSubnet(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/subnets/${segment(id)}`, doing: 'deleting the subnet' });
}

/** Routers of one project; `name` is compared as a whole. */
export async function listRouters(
  session: Session,
  { projectId, name }: { readonly projectId: string; readonly name?: string },
): Promise<readonly Router[]> {
  const query = { project_id: projectId, name };
  return exactly(
    name,
    await allOf(session, { service, path: '/routers', query, doing: 'listing the routers' }, routers),
  );
}

export async function createRouter(
  session: Session,
  { name, externalNetworkId }: { readonly name: string; readonly externalNetworkId: string },
): Promise<Router> {
  const body = { router: { name, external_gateway_info: { network_id: externalNetworkId } } };
  const call = { service, method: 'POST', path: '/routers', body, doing: 'creating the router' } as const;
  return (await session.ask(call, oneRouter)).router;
}

/** Gives a router another way out of the cloud. */
export async function updateRouter(
  session: Session,
  id: string,
  { externalNetworkId }: { readonly externalNetworkId: string },
): Promise<Router> {
  const body = { router: { external_gateway_info: { network_id: externalNetworkId } } };
  const path = `/routers/${segment(id)}`;
  return (await session.ask({ service, method: 'PUT', path, body, doing: 'updating the router' }, oneRouter)).router;
}

export function deleteRouter(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/routers/${segment(id)}`, doing: 'deleting the router' });
}

/** Neutron refuses a subnet that is attached already, so look at the ports of the router first. */
export function attachSubnet(session: Session, routerId: string, subnetId: string): Promise<void> {
  const path = `/routers/${segment(routerId)}/add_router_interface`;
  const body = { subnet_id: subnetId };
  const doing = 'attaching the subnet to the router';
  return session.tell({ service, method: 'PUT', path, body, doing, repeatable: false });
}

/** Fails with `not_found` where it is not attached. */
export function detachSubnet(session: Session, routerId: string, subnetId: string): Promise<void> {
  const path = `/routers/${segment(routerId)}/remove_router_interface`;
  const body = { subnet_id: subnetId };
  const doing = 'detaching the subnet from the router';
  return session.tell({ service, method: 'PUT', path, body, doing, repeatable: false });
}

export interface PortQuery {
  readonly projectId?: string;
  /** Compared as a whole. */
  readonly name?: string;
  readonly networkId?: string;
  readonly deviceId?: string;
  readonly deviceOwner?: string;
}

export async function listPorts(
  session: Session,
  { projectId, name, networkId, deviceId, deviceOwner }: PortQuery,
): Promise<readonly Port[]> {
  const query: Query = {
    project_id: projectId,
    name,
    network_id: networkId,
    device_id: deviceId,
    device_owner: deviceOwner,
  };
  return exactly(name, await allOf(session, { service, path: '/ports', query, doing: 'listing the ports' }, ports));
}

export interface NewPort {
  readonly name: string;
  readonly networkId: string;
  /** An empty list keeps the default group of the project away. */
  readonly securityGroupIds: readonly string[];
  readonly allowedAddressPairs: readonly AddressPair[];
  readonly fixedIP?: string;
}

export async function getPort(session: Session, id: string): Promise<Port | undefined> {
  const call = { service, method: 'GET', path: `/ports/${segment(id)}`, doing: 'reading the port' } as const;
  return (await session.find(call, onePort))?.port;
}

export async function createPort(session: Session, port: NewPort): Promise<Port> {
  const { name, networkId, securityGroupIds, allowedAddressPairs, fixedIP } = port;
  const body = {
    port: {
      name,
      network_id: networkId,
      security_groups: securityGroupIds,
      allowed_address_pairs: allowedAddressPairs,
      ...defined({ fixed_ips: fixedIP === undefined ? undefined : [{ ip_address: fixedIP }] }),
    },
  };
  const call = { service, method: 'POST', path: '/ports', body, doing: 'creating the port' } as const;
  return (await session.ask(call, onePort)).port;
}

export async function updatePort(
  session: Session,
  id: string,
  { securityGroupIds, allowedAddressPairs }: Pick<NewPort, 'securityGroupIds' | 'allowedAddressPairs'>,
): Promise<Port> {
  const body = { port: { security_groups: securityGroupIds, allowed_address_pairs: allowedAddressPairs } };
  const path = `/ports/${segment(id)}`;
  return (await session.ask({ service, method: 'PUT', path, body, doing: 'updating the port' }, onePort)).port;
}

export function deletePort(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/ports/${segment(id)}`, doing: 'deleting the port' });
}

export interface FloatingIPFilter {
  readonly projectId?: string;
  readonly portId?: string;
  readonly description?: string;
}

/** The floating addresses of a project, or of one port. */
export async function listFloatingIPs(session: Session, filter: FloatingIPFilter): Promise<readonly FloatingIP[]> {
  return (await readFloatingIPs(session, filter)).items();
}

/** The same list, not parsed yet. */
export function readFloatingIPs(
  session: Session,
  { projectId, portId, description }: FloatingIPFilter,
): Promise<Listing<FloatingIP>> {
  const query = { project_id: projectId, port_id: portId, description };
  const call = { service, path: '/floatingips', query, doing: 'listing the public addresses' } as const;
  return listingOf(session, call, floatingIPs);
}

export async function createFloatingIP(
  session: Session,
  {
    externalNetworkId,
    portId,
    description,
  }: { readonly externalNetworkId: string; readonly portId: string; readonly description: string },
): Promise<FloatingIP> {
  const body = { floatingip: { floating_network_id: externalNetworkId, port_id: portId, description } };
  const doing = 'assigning a public address';
  return (await session.ask({ service, method: 'POST', path: '/floatingips', body, doing }, oneFloatingIP)).floatingip;
}

/** Gives an address to a port. Another port that had it does not have it any more. */
export async function moveFloatingIP(session: Session, id: string, portId: string): Promise<FloatingIP> {
  const path = `/floatingips/${segment(id)}`;
  const body = { floatingip: { port_id: portId } };
  const doing = 'assigning a public address';
  return (await session.ask({ service, method: 'PUT', path, body, doing }, oneFloatingIP)).floatingip;
}

export function deleteFloatingIP(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/floatingips/${segment(id)}`, doing: 'releasing the public address' });
}

/** Security groups of one project, with their rules; `name` is compared as a whole. */
export async function listSecurityGroups(
  session: Session,
  { projectId, name }: { readonly projectId: string; readonly name?: string },
): Promise<readonly SecurityGroup[]> {
  const query = { project_id: projectId, name };
  const doing = 'listing the security groups';
  return exactly(name, await allOf(session, { service, path: '/security-groups', query, doing }, groups));
}

export async function createSecurityGroup(
  session: Session,
  { name, description = '' }: { readonly name: string; readonly description?: string },
): Promise<SecurityGroup> {
  const body = { security_group: { name, description } };
  const doing = 'creating the security group';
  return (await session.ask({ service, method: 'POST', path: '/security-groups', body, doing }, oneGroup))
    .security_group;
}

export function deleteSecurityGroup(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/security-groups/${segment(id)}`, doing: 'deleting the security group' });
}

export interface NewSecurityGroupRule {
  readonly securityGroupId: string;
  readonly direction: 'ingress' | 'egress';
  readonly ethertype: 'IPv4' | 'IPv6';
  /** Absent for all protocols. */
  readonly protocol?: string;
  readonly ports?: { readonly start: number; readonly end: number };
  readonly remotePrefix?: string;
  readonly description?: string;
}

/** Neutron refuses a rule that exists already, with `conflict`. */
export async function createSecurityGroupRule(
  session: Session,
  rule: NewSecurityGroupRule,
): Promise<SecurityGroupRule> {
  const { securityGroupId, direction, ethertype, protocol, ports: range, remotePrefix, description } = rule;
  const body = {
    security_group_rule: {
      security_group_id: securityGroupId,
      direction,
      ethertype,
      ...defined({
        protocol,
        port_range_min: range?.start,
        port_range_max: range?.end,
        remote_ip_prefix: remotePrefix,
        description,
      }),
    },
  };
  const call = { service, method: 'POST', path: '/security-group-rules', body, doing: 'creating a rule' } as const;
  return (await session.ask(call, oneRule)).security_group_rule;
}

export function deleteSecurityGroupRule(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/security-group-rules/${segment(id)}`, doing: 'deleting a rule' });
}

function exactly<T extends { readonly name: string }>(name: string | undefined, items: readonly T[]): readonly T[] {
  return name === undefined ? items : named(items, name);
}
