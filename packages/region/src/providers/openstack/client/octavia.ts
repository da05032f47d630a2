import { Type, type Static } from 'typebox';

import { defined } from '@unikorn/core/defined';

import { named } from './names.ts';
import { allOf, listShape } from './pages.ts';
import { segment, type Session } from './session.ts';
import { Nullable, shapeOf } from './shape.ts';

const service = 'load-balancer';

/**
 * `ACTIVE`, `ERROR`, or `PENDING_` with what is going on. Octavia refuses all changes while a load balancer is pending.
 * While a pool is pending, it refuses changes of its members and its monitor.
 */
const Status = { provisioning_status: Type.String(), operating_status: Type.String() };
const Reference = Type.Object({ id: Type.String() });

const LoadBalancer = Type.Object({
  ...Status,
  id: Type.String(),
  name: Type.String(),
  created_at: Type.Optional(Nullable(Type.String())),
  updated_at: Type.Optional(Nullable(Type.String())),
  vip_address: Type.String(),
  vip_port_id: Nullable(Type.String()),
  vip_subnet_id: Nullable(Type.String()),
  provider: Type.Optional(Nullable(Type.String())),
});
export type LoadBalancer = Readonly<Static<typeof LoadBalancer>>;

const Listener = Type.Object({
  ...Status,
  id: Type.String(),
  name: Type.String(),
  protocol: Type.String(),
  protocol_port: Type.Integer(),
  default_pool_id: Nullable(Type.String()),
  allowed_cidrs: Type.Optional(Nullable(Type.Array(Type.String()))),
  timeout_client_data: Type.Optional(Nullable(Type.Integer())),
  timeout_member_data: Type.Optional(Nullable(Type.Integer())),
});
export type Listener = Readonly<Static<typeof Listener>>;

const Pool = Type.Object({
  ...Status,
  id: Type.String(),
  name: Type.String(),
  protocol: Type.String(),
  lb_algorithm: Type.String(),
  created_at: Type.Optional(Nullable(Type.String())),
  updated_at: Type.Optional(Nullable(Type.String())),
  healthmonitor_id: Type.Optional(Nullable(Type.String())),
  listeners: Type.Array(Reference),
});
export type Pool = Readonly<Static<typeof Pool>>;

const Member = Type.Object({
  ...Status,
  id: Type.String(),
  address: Type.String(),
  protocol_port: Type.Integer(),
});
export type Member = Readonly<Static<typeof Member>>;

const HealthMonitor = Type.Object({
  ...Status,
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  delay: Type.Integer(),
  timeout: Type.Integer(),
  max_retries: Type.Integer(),
  max_retries_down: Type.Integer(),
  pools: Type.Array(Reference),
});
export type HealthMonitor = Readonly<Static<typeof HealthMonitor>>;

const ListenerStatus = Type.Object({
  name: Type.String(),
  pools: Type.Array(Type.Object({ members: Type.Array(Member) })),
});
export type ListenerStatus = Readonly<Static<typeof ListenerStatus>>;

const statusTree = shapeOf(
  Type.Object({
    statuses: Type.Object({ loadbalancer: Type.Object({ listeners: Type.Optional(Type.Array(ListenerStatus)) }) }),
  }),
);
const balancers = listShape('loadbalancers', LoadBalancer);
const oneBalancer = shapeOf(Type.Object({ loadbalancer: LoadBalancer }));
const listeners = listShape('listeners', Listener);
const oneListener = shapeOf(Type.Object({ listener: Listener }));
const pools = listShape('pools', Pool);
const onePool = shapeOf(Type.Object({ pool: Pool }));
const members = listShape('members', Member);
const monitors = listShape('healthmonitors', HealthMonitor);
const oneMonitor = shapeOf(Type.Object({ healthmonitor: HealthMonitor }));

/** Load balancers of the project; `name` is compared as a whole. */
export async function listLoadBalancers(
  session: Session,
  { projectId, name }: { readonly projectId: string; readonly name?: string },
): Promise<readonly LoadBalancer[]> {
  const query = { project_id: projectId, name };
  const doing = 'listing the load balancers';
  const found = await allOf(session, { service, path: '/lbaas/loadbalancers', query, doing }, balancers);
  return name === undefined ? found : named(found, name);
}

export interface HealthCheck {
  readonly type: 'TCP' | 'UDP-CONNECT';
  readonly delay: number;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxRetriesDown: number;
}

export interface NewListener {
  readonly name: string;
  readonly protocol: 'TCP' | 'UDP';
  readonly port: number;
  /** An empty list allows everything. */
  readonly allowedCIDRs: readonly string[];
  readonly idleTimeout_ms?: number;
}

export interface NewPool {
  readonly name: string;
  readonly protocol: 'TCP' | 'UDP' | 'PROXYV2';
  readonly algorithm: 'ROUND_ROBIN' | 'SOURCE_IP_PORT';
}

export interface MemberAddress {
  readonly address: string;
  readonly port: number;
}

export interface NewLoadBalancer {
  readonly name: string;
  readonly vipSubnetId: string;
  readonly vipAddress?: string;
  /** The driver; the default of the cloud without it. */
  readonly provider?: string;
}

/** A load balancer without listeners. */
export async function createLoadBalancer(session: Session, wanted: NewLoadBalancer): Promise<LoadBalancer> {
  const { name, vipSubnetId, vipAddress, provider } = wanted;
  const body = {
    loadbalancer: { name, vip_subnet_id: vipSubnetId, ...defined({ vip_address: vipAddress, provider }) },
  };
  const path = '/lbaas/loadbalancers';
  const doing = 'creating the load balancer';
  return (await session.ask({ service, method: 'POST', path, body, doing }, oneBalancer)).loadbalancer;
}

/** The listeners of a load balancer with their members, in one call. Undefined where it does not exist. */
export async function readStatuses(session: Session, id: string): Promise<readonly ListenerStatus[] | undefined> {
  const path = `/lbaas/loadbalancers/${segment(id)}/status`;
  const call = { service, method: 'GET', path, doing: 'reading the status of the load balancer' } as const;
  return (await session.find(call, statusTree))?.statuses.loadbalancer.listeners ?? undefined;
}

/** With everything in it. Its port goes too, so release its public address first. */
export function deleteLoadBalancer(session: Session, id: string): Promise<void> {
  const path = `/lbaas/loadbalancers/${segment(id)}`;
  return session.remove({ service, path, query: { cascade: true }, doing: 'deleting the load balancer' });
}

export function listListeners(session: Session, loadBalancerId: string): Promise<readonly Listener[]> {
  const query = { loadbalancer_id: loadBalancerId };
  return allOf(session, { service, path: '/lbaas/listeners', query, doing: 'listing the listeners' }, listeners);
}

export async function createListener(
  session: Session,
  {
    loadBalancerId,
    poolId,
    listener,
  }: { readonly loadBalancerId: string; readonly poolId: string; readonly listener: NewListener },
): Promise<Listener> {
  const body = {
    listener: { ...listenerFields(listener), loadbalancer_id: loadBalancerId, default_pool_id: poolId },
  };
  const call = { service, method: 'POST', path: '/lbaas/listeners', body, doing: 'creating the listener' } as const;
  return (await session.ask(call, oneListener)).listener;
}

export async function updateListener(
  session: Session,
  id: string,
  {
    allowedCIDRs,
    poolId,
    idleTimeout_ms,
  }: Pick<NewListener, 'allowedCIDRs' | 'idleTimeout_ms'> & { readonly poolId: string },
): Promise<Listener> {
  const body = {
    listener: { allowed_cidrs: allowedCIDRs, default_pool_id: poolId, ...timeoutFields(idleTimeout_ms) },
  };
  const path = `/lbaas/listeners/${segment(id)}`;
  return (await session.ask({ service, method: 'PUT', path, body, doing: 'updating the listener' }, oneListener))
    .listener;
}

export function deleteListener(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/lbaas/listeners/${segment(id)}`, doing: 'deleting the listener' });
}

export function listPools(session: Session, loadBalancerId: string): Promise<readonly Pool[]> {
  const query = { loadbalancer_id: loadBalancerId };
  return allOf(session, { service, path: '/lbaas/pools', query, doing: 'listing the pools' }, pools);
}

export async function createPool(
  session: Session,
  { loadBalancerId, pool }: { readonly loadBalancerId: string; readonly pool: NewPool },
): Promise<Pool> {
  const body = { pool: { ...poolFields(pool), loadbalancer_id: loadBalancerId } };
  const call = { service, method: 'POST', path: '/lbaas/pools', body, doing: 'creating the pool' } as const;
  return (await session.ask(call, onePool)).pool;
}

/** A change that changes nothing. Octavia accepts it for a pool that is pending, and the pool is settled afterwards. */
export async function renewPool(session: Session, { id, name }: Pick<Pool, 'id' | 'name'>): Promise<void> {
  const path = `/lbaas/pools/${segment(id)}`;
  const body = { pool: { name } };
  await session.ask({ service, method: 'PUT', path, body, doing: 'updating the pool' }, onePool);
}

export function deletePool(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/lbaas/pools/${segment(id)}`, doing: 'deleting the pool' });
}

export function listMembers(session: Session, poolId: string): Promise<readonly Member[]> {
  const path = `/lbaas/pools/${segment(poolId)}/members`;
  return allOf(session, { service, path, doing: 'listing the members' }, members);
}

/** The pool has exactly these members afterwards. */
export function replaceMembers(session: Session, poolId: string, wanted: readonly MemberAddress[]): Promise<void> {
  const path = `/lbaas/pools/${segment(poolId)}/members`;
  const body = { members: wanted.map(memberFields) };
  return session.tell({ service, method: 'PUT', path, body, doing: 'updating the members' });
}

export async function listHealthMonitors(
  session: Session,
  { projectId, poolId }: { readonly projectId: string; readonly poolId?: string },
): Promise<readonly HealthMonitor[]> {
  const query = { project_id: projectId, pool_id: poolId };
  const doing = 'listing the health monitors';
  return allOf(session, { service, path: '/lbaas/healthmonitors', query, doing }, monitors);
}

export async function createHealthMonitor(
  session: Session,
  { poolId, name, check }: { readonly poolId: string; readonly name: string; readonly check: HealthCheck },
): Promise<HealthMonitor> {
  const body = { healthmonitor: { name, pool_id: poolId, type: check.type, ...checkFields(check) } };
  const path = '/lbaas/healthmonitors';
  const doing = 'creating the health monitor';
  return (await session.ask({ service, method: 'POST', path, body, doing }, oneMonitor)).healthmonitor;
}

export async function updateHealthMonitor(session: Session, id: string, check: HealthCheck): Promise<HealthMonitor> {
  const body = { healthmonitor: checkFields(check) };
  const path = `/lbaas/healthmonitors/${segment(id)}`;
  const doing = 'updating the health monitor';
  return (await session.ask({ service, method: 'PUT', path, body, doing }, oneMonitor)).healthmonitor;
}

export function deleteHealthMonitor(session: Session, id: string): Promise<void> {
  const path = `/lbaas/healthmonitors/${segment(id)}`;
  return session.remove({ service, path, doing: 'deleting the health monitor' });
}

function listenerFields({ name, protocol, port, allowedCIDRs, idleTimeout_ms }: NewListener): object {
  return { name, protocol, protocol_port: port, allowed_cidrs: allowedCIDRs, ...timeoutFields(idleTimeout_ms) };
}

function timeoutFields(idleTimeout_ms: number | undefined): object {
  return defined({ timeout_client_data: idleTimeout_ms, timeout_member_data: idleTimeout_ms });
}

function poolFields({ name, protocol, algorithm }: NewPool): object {
  return { name, protocol, lb_algorithm: algorithm };
}

function memberFields({ address, port }: MemberAddress): object {
  return { address, protocol_port: port };
}

function checkFields({ delay, timeout, maxRetries, maxRetriesDown }: HealthCheck): object {
  return { delay, timeout, max_retries: maxRetries, max_retries_down: maxRetriesDown };
}
