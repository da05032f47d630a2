import { defined } from '@unikorn/core/defined';
import type { World } from '@unikorn/core/world';

import {
  absent,
  ProviderFailure,
  type Ensured,
  type Found,
  type IdentityReference,
  type LoadBalancers,
  type ObservedLoadBalancer,
  type ObservedMember,
  type Presence,
  type Removed,
  type ResourceReference,
  type WantedLoadBalancer,
} from '../../provider/index.ts';
import { neutron, octavia, onlyOne } from './client/index.ts';
import { limits, waits } from './limits.ts';
import {
  algorithmOf,
  balancerName,
  listenerOf,
  nextStep,
  type BalancerStep,
  type BalancerTree,
} from './load-balancer-steps.ts';
import { networkName } from './names.ts';
import {
  publicAddressOf,
  releaseLostAddresses,
  releasePublicAddresses,
  settlePublicAddress,
} from './public-address.ts';
import { requireTenant, type Tenant, type Tenants } from './tenants.ts';

export interface LoadBalancerParts {
  readonly world: Pick<World, 'now'>;
  /** The project of an identity, with a session of the identity's own user. */
  readonly tenants: Tenants;
  /** Chooses the network of public addresses. */
  readonly externalNetworkId: (tenant: Tenant) => Promise<string>;
  /** The driver of new load balancers; the default of the cloud without it. */
  readonly driver?: () => Promise<string | undefined>;
}

const idPrefix = balancerName('');

/**
 * Load balancers on Octavia, which takes one change of a load balancer at a time. A new one is made empty: Octavia also
 * takes one with all its parts, but leaves parts of it pending forever when it had to try more than once.
 */
export class OpenstackLoadBalancers implements LoadBalancers {
  readonly #parts: LoadBalancerParts;

  constructor(parts: LoadBalancerParts) {
    this.#parts = parts;
  }

  async ensure(identity: IdentityReference, wanted: WantedLoadBalancer): Promise<Ensured<ObservedLoadBalancer>> {
    const tenant = await requireTenant(this.#parts.tenants, identity);
    const [found, ...surplus] = await allOf(tenant, wanted.id);
    if (found?.provisioning_status === 'PENDING_DELETE')
      throw new ProviderFailure('conflict', 'the former load balancer is still being deleted');
    if (found && surplus.length > 0) {
      await this.#delete(tenant, surplus);
      const reason = 'the cloud has made the load balancer twice; the second one is being deleted';
      return { ...(await this.#observed(tenant, wanted.id, found)), state: 'pending', reason };
    }
    const balancer = found ?? (await this.#create(tenant, wanted));
    assertAddress(balancer, wanted);
    assertSupported(balancer.provider, wanted);
    if (stateOf(balancer) === 'failed') throw inError(balancer);
    if (stateOf(balancer) === 'changing') return this.#observed(tenant, wanted.id, balancer);
    await this.#settlePublicAddress(tenant, balancer, wanted);
    const { current, reason } = await this.#converge(tenant, balancer, wanted);
    const ensured = await this.#observed(tenant, wanted.id, current);
    return reason === undefined ? ensured : { ...ensured, state: 'pending', reason };
  }

  async observe(identity: IdentityReference, { id }: ResourceReference): Promise<Presence<ObservedLoadBalancer>> {
    const tenant = await this.#parts.tenants(identity);
    const balancer = tenant && (await find(tenant, id));
    return balancer ? this.#observed(tenant, id, balancer) : absent;
  }

  async list(identity: IdentityReference): Promise<readonly Found<ObservedLoadBalancer>[]> {
    const tenant = await this.#parts.tenants(identity);
    if (!tenant) return [];
    const { projectId, session } = tenant;
    const ours = byRank(await octavia.listLoadBalancers(session, { projectId })).filter(({ name }) =>
      name.startsWith(idPrefix),
    );
    const found: Found<ObservedLoadBalancer>[] = [];
    for (const [name, [balancer]] of Map.groupBy(ours, ({ name }) => name)) {
      const id = name.slice(idPrefix.length);
      if (balancer) found.push({ id, presence: await this.#observed(tenant, id, balancer) });
    }
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Deletes every load balancer with the name. A load balancer in error can be deleted, too. */
  async remove(identity: IdentityReference, { id }: ResourceReference): Promise<Removed> {
    const tenant = await this.#parts.tenants(identity);
    if (!tenant) return absent;
    const balancers = await allOf(tenant, id);
    await this.#delete(tenant, balancers);
    const [first] = balancers;
    if (first) return { state: 'pending', reason: this.#reasonWhileRemoved(first) };
    await releaseLostAddresses(tenant, balancerName(id));
    return absent;
  }

  /** Octavia does not delete one that is being changed. The next call tries again. */
  async #delete({ session }: Tenant, balancers: readonly octavia.LoadBalancer[]): Promise<void> {
    for (const balancer of balancers) {
      if (stateOf(balancer) === 'changing') continue;
      if (balancer.vip_port_id) await releasePublicAddresses(session, balancer.vip_port_id);
      await octavia.deleteLoadBalancer(session, balancer.id);
    }
  }

  async #create(tenant: Tenant, wanted: WantedLoadBalancer): Promise<octavia.LoadBalancer> {
    const { projectId, session } = tenant;
    const name = networkName(wanted.networkId);
    const subnet = onlyOne(await neutron.listSubnets(session, { projectId, name }), {
      doing: 'looking for the subnet of the load balancer',
      what: `subnet ${name}`,
    });
    if (!subnet) throw new ProviderFailure('not_found', 'the network of the load balancer does not exist in the cloud');
    const driver = await this.#parts.driver?.();
    assertSupported(driver, wanted);
    return octavia.createLoadBalancer(session, {
      name: balancerName(wanted.id),
      vipSubnetId: subnet.id,
      ...defined({ vipAddress: wanted.requestedVIPAddress, provider: driver }),
    });
  }

  /** Makes changes until nothing is left to do, or until the cloud needs time for one. */
  async #converge(
    tenant: Tenant,
    balancer: octavia.LoadBalancer,
    wanted: WantedLoadBalancer,
  ): Promise<{ readonly current: octavia.LoadBalancer; readonly reason?: string }> {
    let current = balancer;
    for (let step = 0; step < limits.balancerSteps && stateOf(current) === 'settled'; step++) {
      const tree = await treeOf(tenant, current.id);
      const next = nextStep(wanted, tree, algorithmOf(current.provider));
      if (!next) return { current };
      const blocking = poolBefore(next, tree);
      if (blocking && !this.#isOlder(blocking, waits.poolRenewal_ms))
        return { current, reason: pendingPool(listenerOf(wanted.id, blocking.name, 'pool') ?? blocking.name) };
      if (blocking) await octavia.renewPool(tenant.session, blocking);
      else await take(tenant, current.id, next);
      current = (await allOf(tenant, wanted.id)).find(({ id }) => id === balancer.id) ?? current;
    }
    // Whether the last change is complete is seen by the next call.
    return { current, ...(stateOf(current) === 'settled' ? { reason: 'the load balancer is being changed' } : {}) };
  }

  async #observed(
    { session }: Tenant,
    id: string,
    balancer: octavia.LoadBalancer,
  ): Promise<Ensured<ObservedLoadBalancer>> {
    const { id: providerId, vip_address: vipAddress, vip_port_id: portId } = balancer;
    const publicIP = portId ? await publicAddressOf(session, portId) : undefined;
    const members = await membersOf(session, id, providerId);
    const observed = { providerId, vipAddress, members, ...defined({ publicIP }) };
    switch (stateOf(balancer)) {
      case 'settled':
        return { state: 'present', observed };
      case 'changing':
        return { state: 'pending', reason: this.#reasonOf(balancer), observed };
      case 'failed':
        return { state: 'pending', reason: `the cloud reports the status ${balancer.provisioning_status}`, observed };
    }
  }

  #reasonOf(balancer: octavia.LoadBalancer): string {
    const { provisioning_status: status } = balancer;
    const verb = status === 'PENDING_DELETE' ? 'delete' : status === 'PENDING_CREATE' ? 'create' : 'change';
    if (!this.#isOlder(balancer, waits.stuckBalancer_ms)) return `the load balancer is being ${verb}d`;
    return `the cloud began to ${verb} the load balancer at ${lastChange(balancer) ?? ''} and has not finished: it accepts no other change until then, so the platform operator must check it`;
  }

  #reasonWhileRemoved(balancer: octavia.LoadBalancer): string {
    return stateOf(balancer) === 'changing' ? this.#reasonOf(balancer) : 'the load balancer is being deleted';
  }

  /** Whether the last change began so long ago. The clock of the cloud may be ahead of ours, so both ways count. */
  #isOlder(thing: Dated, age_ms: number): boolean {
    const changed = lastChange(thing);
    return changed !== undefined && Math.abs(this.#parts.world.now() - Date.parse(changed)) > age_ms;
  }

  async #settlePublicAddress(
    tenant: Tenant,
    { vip_port_id: portId }: octavia.LoadBalancer,
    { id, publicIP }: WantedLoadBalancer,
  ): Promise<void> {
    if (!portId) return;
    const externalNetworkId = () => this.#parts.externalNetworkId(tenant);
    await settlePublicAddress(tenant, { portId, owner: balancerName(id), wanted: publicIP, externalNetworkId });
  }
}

async function find(tenant: Tenant, id: string): Promise<octavia.LoadBalancer | undefined> {
  return (await allOf(tenant, id))[0];
}

/**
 * The load balancers with the name, the one that counts first. There are several only if a creation was repeated while
 * the cloud did not show the first one; the others have no listeners yet.
 */
async function allOf({ projectId, session }: Tenant, id: string): Promise<readonly octavia.LoadBalancer[]> {
  return byRank(await octavia.listLoadBalancers(session, { projectId, name: balancerName(id) }));
}

/** The oldest first, and those that are being deleted last. */
function byRank(balancers: readonly octavia.LoadBalancer[]): readonly octavia.LoadBalancer[] {
  return balancers.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

function rankOf({ id, provisioning_status: status, created_at: created }: octavia.LoadBalancer): string {
  return `${status === 'PENDING_DELETE' ? 1 : 0} ${created ?? ''} ${id}`;
}

function assertAddress({ vip_address: actual }: octavia.LoadBalancer, wanted: WantedLoadBalancer): void {
  const { requestedVIPAddress: asked } = wanted;
  if (asked === undefined || asked === actual) return;
  throw new ProviderFailure(
    'inconsistent',
    `the load balancer in the cloud has the address ${actual}, and ${asked} is wanted: the platform operator must check it`,
  );
}

/** The OVN driver forwards packets and does not see connections, so it lacks some features. */
function assertSupported(driver: string | null | undefined, { listeners }: WantedLoadBalancer): void {
  if (driver !== 'ovn') return;
  const refuse = (what: string) => {
    throw new ProviderFailure('invalid', `the load balancers of this region cannot ${what}`);
  };
  if (listeners.some(({ allowedCIDRs }) => allowedCIDRs.length > 0)) refuse('restrict callers to allowed CIDRs');
  if (listeners.some(({ pool }) => pool.proxyProtocolV2)) refuse('use the PROXY protocol');
  if (listeners.some(({ idleTimeoutSeconds }) => idleTimeoutSeconds !== undefined)) refuse('have an idle timeout');
}

async function treeOf({ projectId, session }: Tenant, balancerId: string): Promise<BalancerTree> {
  const [listeners, pools, monitors] = await Promise.all([
    octavia.listListeners(session, balancerId),
    octavia.listPools(session, balancerId),
    octavia.listHealthMonitors(session, { projectId }),
  ]);
  return {
    listeners,
    pools: await Promise.all(
      pools.map(async (pool) => ({
        pool,
        members: await octavia.listMembers(session, pool.id),
        monitor: monitors.find((monitor) => monitor.pools.some(({ id }) => id === pool.id)),
      })),
    ),
  };
}

/** The pool that must be settled before a step, because Octavia refuses the step otherwise. */
function poolBefore(step: BalancerStep, { pools }: BalancerTree): octavia.Pool | undefined {
  const pool = pools.find(({ pool: { id }, monitor }) => {
    if (step.type === 'replace members' || step.type === 'create monitor') return id === step.poolId;
    return (step.type === 'update monitor' || step.type === 'delete monitor') && monitor?.id === step.id;
  })?.pool;
  return pool && stateOf(pool) === 'changing' ? pool : undefined;
}

function pendingPool(listener: string): string {
  return `the cloud has not completed the last change of the listener ${listener}, and accepts no change of its members and its health check until then: if this lasts, delete the load balancer and create it again`;
}

type Dated = Pick<octavia.LoadBalancer, 'created_at' | 'updated_at'>;

/** Octavia writes times of UTC without a zone. */
function lastChange({ updated_at: updated, created_at: created }: Dated): string | undefined {
  const changed = updated ?? created;
  return changed ? `${changed}Z` : undefined;
}

async function take({ session }: Tenant, loadBalancerId: string, step: BalancerStep): Promise<void> {
  switch (step.type) {
    case 'delete listener':
      return octavia.deleteListener(session, step.id);
    case 'delete pool':
      return octavia.deletePool(session, step.id);
    case 'delete monitor':
      return octavia.deleteHealthMonitor(session, step.id);
    case 'create pool':
      await octavia.createPool(session, { loadBalancerId, pool: step.pool });
      return;
    case 'create listener':
      await octavia.createListener(session, { loadBalancerId, poolId: step.poolId, listener: step.listener });
      return;
    case 'update listener':
      await octavia.updateListener(session, step.id, { ...step.listener, poolId: step.poolId });
      return;
    case 'replace members':
      return octavia.replaceMembers(session, step.poolId, step.members);
    case 'create monitor':
      await octavia.createHealthMonitor(session, { poolId: step.poolId, name: step.name, check: step.check });
      return;
    case 'update monitor':
      await octavia.updateHealthMonitor(session, step.id, step.check);
  }
}

/** Octavia takes changes only while a load balancer is settled, and a deletion also while it has failed. */
function stateOf({
  provisioning_status: status,
}: Pick<octavia.LoadBalancer, 'provisioning_status'>): 'settled' | 'changing' | 'failed' {
  return status === 'ACTIVE' ? 'settled' : status.startsWith('PENDING_') ? 'changing' : 'failed';
}

function inError({ id, provisioning_status: status, operating_status: operating }: octavia.LoadBalancer): Error {
  return new ProviderFailure(
    'inconsistent',
    `the cloud reports the status ${status} (${operating}) for the load balancer: delete it and create it again, or ask the platform operator`,
    { cause: new Error(`load balancer ${id} has the provisioning status ${status}`) },
  );
}

async function membersOf(
  session: Tenant['session'],
  id: string,
  balancerId: string,
): Promise<readonly ObservedMember[]> {
  const listeners = (await octavia.readStatuses(session, balancerId)) ?? [];
  return listeners.flatMap(({ name, pools }) => {
    const listener = listenerOf(id, name, 'listener');
    if (listener === undefined) return [];
    return pools.flatMap(({ members }) =>
      members.map(({ address, protocol_port: port, operating_status: status }) => ({
        listener,
        address,
        port,
        health: healthOf(status),
      })),
    );
  });
}

function healthOf(status: string): ObservedMember['health'] {
  return status === 'ONLINE' ? 'online' : status === 'NO_MONITOR' ? 'unmonitored' : 'offline';
}
