import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { WantedLoadBalancer } from '../../provider/index.ts';
import type { octavia } from './client/index.ts';
import {
  algorithmOf,
  listenerOf,
  nextStep,
  type BalancerStep,
  type BalancerTree,
  type PoolTree,
} from './load-balancer-steps.ts';

type Listeners = WantedLoadBalancer['listeners'];

const id = 'b7';
const status = { provisioning_status: 'ACTIVE', operating_status: 'ONLINE' };

/** Octavia in memory: it refuses what the real one refuses, and gives every part a new id. */
class Balancer {
  listeners: octavia.Listener[] = [];
  pools: (PoolTree & { members: octavia.Member[]; monitor?: octavia.HealthMonitor | undefined })[] = [];
  #last = 0;
  readonly algorithm: octavia.NewPool['algorithm'];

  constructor(algorithm: octavia.NewPool['algorithm'] = 'ROUND_ROBIN') {
    this.algorithm = algorithm;
  }

  get tree(): BalancerTree {
    return { listeners: this.listeners, pools: this.pools };
  }

  take(step: BalancerStep): void {
    switch (step.type) {
      case 'delete listener':
        this.listeners = this.listeners.filter((listener) => listener.id !== step.id);
        return;
      case 'delete pool':
        this.pools = this.pools.filter(({ pool }) => pool.id !== step.id);
        this.listeners = this.listeners.map((listener) =>
          listener.default_pool_id === step.id ? { ...listener, default_pool_id: null } : listener,
        );
        return;
      case 'delete monitor':
        for (const pool of this.pools) if (pool.monitor?.id === step.id) pool.monitor = undefined;
        return;
      case 'create pool':
        this.addPool(step.pool);
        return;
      case 'create listener':
        this.addListener(step.listener, step.poolId);
        return;
      case 'update listener':
        this.listeners = this.listeners.map((listener) =>
          listener.id === step.id ? this.#listener(step.listener, step.poolId, listener) : listener,
        );
        return;
      case 'replace members':
        this.#pool(step.poolId).members = step.members.map((member) => this.#member(member));
        return;
      case 'create monitor':
        this.addMonitor(step.poolId, step.name, step.check);
        return;
      case 'update monitor':
        for (const pool of this.pools)
          if (pool.monitor?.id === step.id) {
            expect(step.check.type).toBe(pool.monitor.type);
            pool.monitor = { ...pool.monitor, ...checkFields(step.check) };
          }
    }
  }

  addPool({ name, protocol, algorithm }: octavia.NewPool): string {
    const pool = { ...status, id: this.#id(), name, protocol, lb_algorithm: algorithm, listeners: [] };
    this.pools.push({ pool, members: [] });
    return pool.id;
  }

  addListener(wanted: octavia.NewListener, poolId: string): void {
    expect(this.pools.map(({ pool }) => pool.id)).toContain(poolId);
    // The OVN driver would leave the load balancer pending forever.
    if (this.algorithm === 'SOURCE_IP_PORT') expect(this.pools.filter(({ monitor }) => monitor)).toEqual([]);
    const taken = this.listeners.map(({ protocol, protocol_port: port }) => `${protocol} ${port}`);
    expect(taken).not.toContain(`${wanted.protocol} ${wanted.port}`);
    this.listeners.push(this.#listener(wanted, poolId));
  }

  addMonitor(poolId: string, name: string, check: octavia.HealthCheck): void {
    const pool = this.#pool(poolId);
    expect(pool.monitor).toBeUndefined();
    pool.monitor = {
      ...status,
      id: this.#id(),
      name,
      type: check.type,
      ...checkFields(check),
      pools: [{ id: poolId }],
    };
  }

  #listener(wanted: octavia.NewListener, poolId: string, before?: octavia.Listener): octavia.Listener {
    const timeout = wanted.idleTimeout_ms ?? before?.timeout_client_data ?? 50_000;
    return {
      ...status,
      id: before?.id ?? this.#id(),
      name: wanted.name,
      protocol: before?.protocol ?? wanted.protocol,
      protocol_port: before?.protocol_port ?? wanted.port,
      default_pool_id: poolId,
      allowed_cidrs: [...wanted.allowedCIDRs].reverse(),
      timeout_client_data: timeout,
      timeout_member_data: timeout,
    };
  }

  #member({ address, port }: octavia.MemberAddress): octavia.Member {
    return { ...status, id: this.#id(), address, protocol_port: port };
  }

  #pool(poolId: string): (typeof this.pools)[number] {
    const found = this.pools.find(({ pool }) => pool.id === poolId);
    if (!found) throw new Error(`there is no pool ${poolId}`);
    return found;
  }

  #id(): string {
    return `id-${this.#last++}`;
  }
}

function checkFields({ delay, timeout, maxRetries, maxRetriesDown }: octavia.HealthCheck) {
  return { delay, timeout, max_retries: maxRetries, max_retries_down: maxRetriesDown };
}

/** More than any change of these small load balancers takes. */
const patience = 100;

function settle(balancer: Balancer, listeners: Listeners): BalancerStep[] {
  const taken: BalancerStep[] = [];
  for (let step = 0; step < patience; step++) {
    const next = nextStep({ id, listeners }, balancer.tree, balancer.algorithm);
    if (!next) return taken;
    balancer.take(next);
    taken.push(next);
  }
  throw new Error(`it never came to an end: ${taken.map(({ type }) => type).join(', ')}`);
}

/** What a client would see, without ids and in an order of its own. */
function shownBy(balancer: Balancer): unknown {
  return balancer.listeners
    .map((listener) => {
      const behind = balancer.pools.find(({ pool }) => pool.id === listener.default_pool_id);
      return {
        name: listener.name,
        protocol: listener.protocol,
        port: listener.protocol_port,
        allowedCIDRs: (listener.allowed_cidrs ?? []).toSorted(),
        pool: { name: behind?.pool.name, protocol: behind?.pool.protocol },
        members: behind?.members.map(({ address, protocol_port: port }) => `${address}:${port}`).toSorted(),
        monitor: behind?.monitor && {
          name: behind.monitor.name,
          type: behind.monitor.type,
          delay: behind.monitor.delay,
        },
      };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function wantedAs(listeners: Listeners): unknown {
  return listeners
    .map(({ name, protocol, port, allowedCIDRs, pool: { proxyProtocolV2, members, healthCheck } }) => ({
      name: `lb-b7-${name}-listener`,
      protocol: protocol.toUpperCase(),
      port,
      allowedCIDRs: allowedCIDRs.toSorted(),
      pool: { name: `lb-b7-${name}-pool`, protocol: proxyProtocolV2 ? 'PROXYV2' : protocol.toUpperCase() },
      members: members.map((member) => `${member.address}:${member.port}`).toSorted(),
      monitor: healthCheck && {
        name: `lb-b7-${name}-monitor`,
        type: protocol === 'tcp' ? 'TCP' : 'UDP-CONNECT',
        delay: healthCheck.intervalSeconds,
      },
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const listener = fc.record({
  name: fc.constantFrom('web', 'web-listener', 'dns', 'a'),
  protocol: fc.constantFrom('tcp' as const, 'udp' as const),
  port: fc.constantFrom(80, 443, 53),
  allowedCIDRs: fc.subarray(['10.0.0.0/8', '192.0.2.0/24']),
  pool: fc.record(
    {
      proxyProtocolV2: fc.boolean(),
      members: fc.subarray([
        { address: '10.0.0.5', port: 80 },
        { address: '10.0.0.5', port: 81 },
        { address: '10.0.0.6', port: 80 },
      ]),
      healthCheck: fc.record({
        intervalSeconds: fc.integer({ min: 5, max: 6 }),
        timeoutSeconds: fc.constant(3),
        healthyThreshold: fc.constant(2),
        unhealthyThreshold: fc.constant(3),
      }),
    },
    { requiredKeys: ['proxyProtocolV2', 'members'] },
  ),
});

/** A load balancer has each name, and each protocol and port, only once. */
const wantedListeners = fc
  .uniqueArray(listener, { selector: ({ name }) => name, maxLength: 3 })
  .map((listeners) =>
    listeners.filter(
      (one, index) =>
        listeners.findIndex((other) => other.port === one.port && other.protocol === one.protocol) === index,
    ),
  );

const algorithm = fc.constantFrom('ROUND_ROBIN' as const, 'SOURCE_IP_PORT' as const);

describe('the steps of a load balancer', () => {
  it('lead from any listeners to any others, within what the cloud allows, and then end', () => {
    fc.assert(
      fc.property(algorithm, wantedListeners, wantedListeners, (driver, before, after) => {
        const balancer = new Balancer(driver);
        settle(balancer, before);
        expect(shownBy(balancer)).toEqual(wantedAs(before));
        settle(balancer, after);
        expect(shownBy(balancer)).toEqual(wantedAs(after));
        expect(balancer.pools).toHaveLength(after.length);
        expect(settle(balancer, after)).toEqual([]);
      }),
    );
  });

  it('remove a pool that was made twice, and not the one that is used', () => {
    const balancer = new Balancer();
    const web = {
      name: 'web',
      protocol: 'tcp' as const,
      port: 80,
      allowedCIDRs: [],
      pool: { proxyProtocolV2: false, members: [{ address: '10.0.0.5', port: 80 }] },
    };
    const twin = { name: 'lb-b7-web-pool', protocol: 'TCP', algorithm: 'ROUND_ROBIN' } as const;
    balancer.addPool(twin);
    balancer.addPool(twin);
    settle(balancer, [web]);
    expect(shownBy(balancer)).toEqual(wantedAs([web]));
    expect(balancer.pools).toHaveLength(1);
    balancer.pools.reverse();
    balancer.addPool(twin);
    balancer.pools.reverse();
    expect(settle(balancer, [web])).toMatchObject([{ type: 'delete pool' }]);
    expect(shownBy(balancer)).toEqual(wantedAs([web]));
  });

  it('change an idle timeout, and leave it as it is where none is wanted', () => {
    const balancer = new Balancer();
    const web = {
      name: 'web',
      protocol: 'tcp' as const,
      port: 80,
      allowedCIDRs: [],
      pool: { proxyProtocolV2: false, members: [] },
    };
    settle(balancer, [web]);
    expect(settle(balancer, [{ ...web, idleTimeoutSeconds: 90 }])).toMatchObject([
      { type: 'update listener', listener: { idleTimeout_ms: 90_000 } },
    ]);
    expect(settle(balancer, [web])).toEqual([]);
  });
});

describe('names', () => {
  it('lead back to the listener, also where its name ends like that of a part', () => {
    expect(listenerOf('b7', 'lb-b7-web-listener-listener', 'listener')).toBe('web-listener');
    expect(listenerOf('b7', 'lb-b7-web-pool', 'listener')).toBeUndefined();
    expect(listenerOf('b7', 'lb-b70-web-listener', 'listener')).toBeUndefined();
    expect(listenerOf('b7', 'lb-b7-listener', 'listener')).toBeUndefined();
  });
});

it('uses the only algorithm that the OVN driver has', () => {
  expect(algorithmOf('ovn')).toBe('SOURCE_IP_PORT');
  expect(algorithmOf('amphora')).toBe('ROUND_ROBIN');
  expect(algorithmOf(undefined)).toBe('ROUND_ROBIN');
});
