import type { WantedLoadBalancer } from '../../provider/index.ts';
import type { octavia } from './client/index.ts';

type WantedListener = WantedLoadBalancer['listeners'][number];

/** The parts of a load balancer as the cloud has them. */
export interface BalancerTree {
  readonly listeners: readonly octavia.Listener[];
  readonly pools: readonly PoolTree[];
}

export interface PoolTree {
  readonly pool: octavia.Pool;
  readonly members: readonly octavia.Member[];
  readonly monitor?: octavia.HealthMonitor | undefined;
}

/** One change of a load balancer. Octavia takes the next one only when this one is complete. */
export type BalancerStep =
  | { readonly type: 'delete listener' | 'delete pool' | 'delete monitor'; readonly id: string }
  | { readonly type: 'create pool'; readonly pool: octavia.NewPool }
  | { readonly type: 'create listener'; readonly poolId: string; readonly listener: octavia.NewListener }
  | {
      readonly type: 'update listener';
      readonly id: string;
      readonly poolId: string;
      readonly listener: octavia.NewListener;
    }
  | { readonly type: 'replace members'; readonly poolId: string; readonly members: readonly octavia.MemberAddress[] }
  | {
      readonly type: 'create monitor';
      readonly poolId: string;
      readonly name: string;
      readonly check: octavia.HealthCheck;
    }
  | { readonly type: 'update monitor'; readonly id: string; readonly check: octavia.HealthCheck };

/** The names of a load balancer and of its parts. The original of this platform uses the same. */
export function balancerName(id: string): string {
  return `lb-${id}`;
}

type Part = 'listener' | 'pool' | 'monitor';

function partName(id: string, listener: string, part: Part): string {
  return `${balancerName(id)}-${listener}-${part}`;
}

/** The listener that a part of a load balancer belongs to, or undefined if the part has no name of ours. */
export function listenerOf(id: string, name: string, part: Part): string | undefined {
  const [start, end] = [`${balancerName(id)}-`, `-${part}`];
  const isOurs = name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end);
  return isOurs ? name.slice(start.length, -end.length) : undefined;
}

/** The OVN driver knows only one algorithm, and the others do not know that one. */
export function algorithmOf(driver: string | null | undefined): octavia.NewPool['algorithm'] {
  return driver === 'ovn' ? 'SOURCE_IP_PORT' : 'ROUND_ROBIN';
}

/**
 * The next change on the way from what there is to what is wanted; undefined when nothing is left to do. Listeners that
 * are not wanted go first, because another one may need their port. Health monitors come last.
 */
export function nextStep(
  { id, listeners }: Pick<WantedLoadBalancer, 'id' | 'listeners'>,
  tree: BalancerTree,
  algorithm: octavia.NewPool['algorithm'],
): BalancerStep | undefined {
  const byName = new Map(listeners.map((listener) => [listener.name, listener]));
  const wantedFor = (name: string, part: Part) => byName.get(listenerOf(id, name, part) ?? '');
  const outdated = tree.listeners.find((found) => !isSameListener(found, wantedFor(found.name, 'listener')));
  if (outdated) return { type: 'delete listener', id: outdated.id };
  for (const listener of listeners) {
    const step = listenerStep(id, listener, tree, algorithm);
    if (step) return step.type === 'create listener' ? (monitorInTheWay(tree, algorithm) ?? step) : step;
  }
  for (const listener of listeners) {
    const pool = poolNamed(tree, partName(id, listener.name, 'pool'));
    const step = pool && monitorStep(partName(id, listener.name, 'monitor'), checkOf(listener), pool);
    if (step) return step;
  }
  const orphan = tree.pools.find((one) => !wantedFor(one.pool.name, 'pool') || one !== poolNamed(tree, one.pool.name));
  return orphan && { type: 'delete pool', id: orphan.pool.id };
}

/**
 * The pool with a name. There are several only if a creation was repeated while the cloud did not show the first one.
 * Then it is the one that its listener uses.
 */
function poolNamed({ listeners, pools }: BalancerTree, name: string): PoolTree | undefined {
  const found = pools.filter(({ pool }) => pool.name === name);
  return found.find(({ pool }) => listeners.some((listener) => listener.default_pool_id === pool.id)) ?? found[0];
}

/** Protocol and port of a listener cannot be changed. */
function isSameListener(found: octavia.Listener, wanted: WantedListener | undefined): boolean {
  return wanted !== undefined && found.protocol === protocolOf(wanted) && found.protocol_port === wanted.port;
}

function listenerStep(
  id: string,
  wanted: WantedListener,
  tree: BalancerTree,
  algorithm: octavia.NewPool['algorithm'],
): BalancerStep | undefined {
  const pool = newPool(id, wanted, algorithm);
  const found = poolNamed(tree, pool.name);
  if (!found) return { type: 'create pool', pool };
  const { id: poolId, protocol } = found.pool;
  // The protocol of a pool cannot be changed.
  if (protocol !== pool.protocol) return { type: 'delete pool', id: poolId };
  const listener = newListener(id, wanted);
  const current = tree.listeners.find(({ name }) => name === listener.name);
  if (!current) return { type: 'create listener', poolId, listener };
  if (!isCurrent(current, listener, poolId)) return { type: 'update listener', id: current.id, poolId, listener };
  if (sameMembers(found.members, wanted.pool.members)) return undefined;
  return { type: 'replace members', poolId, members: wanted.pool.members };
}

/**
 * The OVN driver fails to create a listener while any pool of the load balancer has a health monitor, and leaves the
 * load balancer pending forever. So the monitors are deleted first, and made again after all listeners.
 */
function monitorInTheWay({ pools }: BalancerTree, algorithm: octavia.NewPool['algorithm']): BalancerStep | undefined {
  const monitor = algorithm === 'SOURCE_IP_PORT' ? pools.find((pool) => pool.monitor)?.monitor : undefined;
  return monitor && { type: 'delete monitor', id: monitor.id };
}

function isCurrent(found: octavia.Listener, wanted: octavia.NewListener, poolId: string): boolean {
  const timeout = wanted.idleTimeout_ms;
  return (
    found.default_pool_id === poolId &&
    sameTexts(found.allowed_cidrs ?? [], wanted.allowedCIDRs) &&
    (timeout === undefined || (found.timeout_client_data === timeout && found.timeout_member_data === timeout))
  );
}

function monitorStep(
  name: string,
  check: octavia.HealthCheck | undefined,
  { pool, monitor }: PoolTree,
): BalancerStep | undefined {
  if (!monitor) return check && { type: 'create monitor', poolId: pool.id, name, check };
  // The type of a monitor cannot be changed.
  if (monitor.type !== check?.type) return { type: 'delete monitor', id: monitor.id };
  const isSame =
    monitor.delay === check.delay &&
    monitor.timeout === check.timeout &&
    monitor.max_retries === check.maxRetries &&
    monitor.max_retries_down === check.maxRetriesDown;
  return isSame ? undefined : { type: 'update monitor', id: monitor.id, check };
}

function newListener(id: string, listener: WantedListener): octavia.NewListener {
  const { name, port, allowedCIDRs, idleTimeoutSeconds } = listener;
  return {
    name: partName(id, name, 'listener'),
    protocol: protocolOf(listener),
    port,
    allowedCIDRs,
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeout_ms: idleTimeoutSeconds * 1000 }),
  };
}

function newPool(id: string, listener: WantedListener, algorithm: octavia.NewPool['algorithm']): octavia.NewPool {
  const protocol = listener.pool.proxyProtocolV2 ? 'PROXYV2' : protocolOf(listener);
  return { name: partName(id, listener.name, 'pool'), protocol, algorithm };
}

function protocolOf({ protocol }: WantedListener): 'TCP' | 'UDP' {
  return protocol === 'tcp' ? 'TCP' : 'UDP';
}

function checkOf({ protocol, pool: { healthCheck } }: WantedListener): octavia.HealthCheck | undefined {
  return (
    healthCheck && {
      type: protocol === 'tcp' ? 'TCP' : 'UDP-CONNECT',
      delay: healthCheck.intervalSeconds,
      timeout: healthCheck.timeoutSeconds,
      maxRetries: healthCheck.healthyThreshold,
      maxRetriesDown: healthCheck.unhealthyThreshold,
    }
  );
}

function sameMembers(found: readonly octavia.Member[], wanted: readonly octavia.MemberAddress[]): boolean {
  return sameTexts(
    found.map(({ address, protocol_port: port }) => `${address} ${port}`),
    wanted.map(({ address, port }) => `${address} ${port}`),
  );
}

/** The same texts in any order. */
function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.toSorted().join() === others.toSorted().join();
}
