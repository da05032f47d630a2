import { afterEach, describe, expect, it } from 'vitest';

import type { IdentityReference, WantedLoadBalancer } from '../../provider/index.ts';
import { service, startCloud, type Asked, type Given } from './client/cloud.fixture.ts';
import { OpenstackLoadBalancers } from './load-balancers.ts';

const identity: IdentityReference = { id: 'i', organizationId: 'o', projectId: 'p' };
const wanted: WantedLoadBalancer = { id: 'b', networkId: 'n', publicIP: 'unwanted', listeners: [] };

interface Balancer {
  readonly id: string;
  provisioning_status: string;
  readonly created_at: string;
  updated_at?: string;
}

interface Parts {
  readonly listeners?: readonly object[];
  readonly pools?: { readonly id: string; provisioning_status: string }[];
  members?: readonly object[];
}

/** As much of Octavia and Neutron as load balancers need. Of their parts, only pools and members can be changed. */
async function openBalancers(parts: Parts = {}) {
  let balancers: Balancer[] = [];
  let isStale = false;
  /** Any change of a pool settles it. Its members can be changed only while it is settled. */
  const changePool = (what: string, body: unknown): Given => {
    const [pool] = parts.pools ?? [];
    if (what === 'members') {
      if (pool?.provisioning_status !== 'ACTIVE') return { status: 409, body: { faultstring: 'immutable' } };
      const { members } = body as { members: readonly object[] };
      parts.members = members.map((member) => ({ ...member, id: 'm', ...settledPart }));
      return { status: 202, body: {} };
    }
    if (pool) pool.provisioning_status = 'ACTIVE';
    return { body: { pool } };
  };
  const answer = ({ method, path, body }: Asked): Given => {
    const [, resource = '', id] = /\/(?:v2\.0|lbaas)\/([^/?]+)(?:\/([^/?]+))?/.exec(path) ?? [];
    if (path === '/balancing/') return { body: { versions: [{ id: 'v2.26', status: 'CURRENT' }] } };
    const shownAs = path.includes('/members') ? 'members' : resource;
    if (method === 'PUT' && resource === 'pools') return changePool(shownAs, body);
    if (resource !== 'loadbalancers')
      return { body: { [shownAs]: resource === 'subnets' ? [subnet] : (parts[shownAs as keyof Parts] ?? []) } };
    if (method === 'POST') {
      const { loadbalancer } = body as { loadbalancer: object };
      const made = fresh(`lb${balancers.length}`, 'PENDING_CREATE', balancers.length);
      balancers.push(made);
      return { status: 201, body: { loadbalancer: { ...made, ...loadbalancer } } };
    }
    if (method === 'DELETE') {
      const found = balancers.find((one) => one.id === id);
      if (found?.provisioning_status !== 'ACTIVE') return { status: 409, body: { faultstring: 'immutable' } };
      found.provisioning_status = 'PENDING_DELETE';
      return { status: 204 };
    }
    if (path.includes('/status')) return { body: { statuses: { loadbalancer: { listeners: [] } } } };
    const shown = isStale ? [] : balancers.toReversed();
    isStale = false;
    return { body: { loadbalancers: shown } };
  };
  const cloud = await startCloud({
    answer,
    catalogue: (address) => [
      service('network', `${address}/network/`),
      service('load-balancer', `${address}/balancing`),
    ],
  });
  stop = cloud.stop;
  return {
    asked: cloud.asked,
    all: () => balancers,
    members: () => parts.members,
    /** The next list does not show what there is. */
    hide: () => {
      isStale = true;
    },
    /** Lets Octavia finish what it is doing. */
    settle: () => {
      balancers = balancers.filter(({ provisioning_status: status }) => status !== 'PENDING_DELETE');
      for (const balancer of balancers) balancer.provisioning_status = 'ACTIVE';
    },
    part: new OpenstackLoadBalancers({
      world: { now: () => Date.parse('2026-01-01T00:10:00Z') },
      tenants: () => Promise.resolve({ projectId: 'p', session: cloud.session }),
      externalNetworkId: () => Promise.resolve('external'),
    }),
  };
}

const settledPart = { provisioning_status: 'ACTIVE', operating_status: 'ONLINE' };

const subnet = {
  id: 's',
  name: 'network-n',
  network_id: 'net',
  cidr: '10.0.0.0/24',
  gateway_ip: '10.0.0.1',
  dns_nameservers: [],
  host_routes: [],
  allocation_pools: [],
};

function fresh(id: string, status: string, second: number): Balancer {
  return {
    id,
    provisioning_status: status,
    created_at: `2026-01-01T00:00:0${second}`,
    ...{ name: 'lb-b', operating_status: 'ONLINE', vip_address: '10.0.0.9', vip_port_id: 'port', vip_subnet_id: 's' },
  };
}

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

describe('a load balancer that was made twice, because a list did not show the first one,', () => {
  it('is one again, and it is the first', async () => {
    const cloud = await openBalancers();
    const ensure = () => cloud.part.ensure(identity, wanted);
    expect(await ensure()).toMatchObject({ state: 'pending', observed: { providerId: 'lb0' } });
    cloud.settle();
    cloud.hide();
    await ensure();
    expect(cloud.all()).toHaveLength(2);
    // The second one is still being created. Octavia would refuse to delete it.
    expect(await ensure()).toMatchObject({ state: 'pending', observed: { providerId: 'lb0' } });
    expect((await cloud.part.list(identity)).map(({ presence }) => presence.observed.providerId)).toEqual(['lb0']);
    cloud.settle();
    expect(await ensure()).toMatchObject({ state: 'pending', observed: { providerId: 'lb0' } });
    cloud.settle();
    expect(await ensure()).toMatchObject({ state: 'present', observed: { providerId: 'lb0' } });
    expect(cloud.all()).toMatchObject([{ id: 'lb0' }]);
  });

  it('goes as a whole', async () => {
    const cloud = await openBalancers();
    await cloud.part.ensure(identity, wanted);
    cloud.hide();
    await cloud.part.ensure(identity, wanted);
    cloud.settle();
    expect(await cloud.part.remove(identity, wanted)).toMatchObject({ state: 'pending' });
    cloud.settle();
    expect(await cloud.part.remove(identity, wanted)).toEqual({ state: 'absent' });
    expect(cloud.all()).toEqual([]);
  });
});

describe('a load balancer with parts that stay pending, which drivers of Octavia sometimes leave behind,', () => {
  const stuck = { provisioning_status: 'PENDING_UPDATE', operating_status: 'OFFLINE' };
  const partsChangedAt = (updated_at: string) => ({
    listeners: [
      { ...stuck, id: 'l', name: 'lb-b-web-listener', protocol: 'TCP', protocol_port: 80, default_pool_id: 'p' },
    ],
    pools: [
      {
        ...stuck,
        id: 'p',
        name: 'lb-b-web-pool',
        protocol: 'TCP',
        lb_algorithm: 'ROUND_ROBIN',
        updated_at,
        listeners: [{ id: 'l' }],
      },
    ],
    members: [{ ...stuck, id: 'm', address: '10.0.0.7', protocol_port: 8080 }],
  });
  const listenerWith = (address: string): WantedLoadBalancer['listeners'][number] => ({
    name: 'web',
    protocol: 'tcp',
    port: 80,
    allowedCIDRs: [],
    pool: { proxyProtocolV2: false, members: [{ address, port: 8080 }] },
  });
  const opened = async (updatedAt: string) => {
    const cloud = await openBalancers(partsChangedAt(updatedAt));
    await cloud.part.ensure(identity, wanted);
    cloud.settle();
    const ensure = (address: string) => cloud.part.ensure(identity, { ...wanted, listeners: [listenerWith(address)] });
    return { ...cloud, ensure };
  };

  it('is present if it is as wanted, and nothing is changed', async () => {
    const { ensure, asked } = await opened('2026-01-01T00:00:00');
    const before = asked.length;
    expect(await ensure('10.0.0.7')).toMatchObject({ state: 'present', observed: { providerId: 'lb0' } });
    expect(asked.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });

  it('is changed after its pool was settled by a change that changes nothing', async () => {
    const { ensure, asked, members } = await opened('2026-01-01T00:00:00');
    expect(await ensure('10.0.0.8')).toMatchObject({ state: 'present' });
    expect(members()).toMatchObject([{ address: '10.0.0.8' }]);
    const changes = asked.filter(({ method }) => method === 'PUT').map(({ path }) => path);
    expect(changes).toEqual(['/balancing/v2/lbaas/pools/p', '/balancing/v2/lbaas/pools/p/members']);
  });

  it('is left alone right after the last change of the pool, and the reason is told', async () => {
    const { ensure, asked } = await opened('2026-01-01T00:09:55');
    const before = asked.length;
    expect(await ensure('10.0.0.8')).toMatchObject({
      state: 'pending',
      reason:
        'the cloud has not completed the last change of the listener web, and accepts no change of its members and its health check until then: if this lasts, delete the load balancer and create it again',
    });
    expect(asked.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('a load balancer that is being changed', () => {
  it.each([
    ['2026-01-01T00:09:00', 'the load balancer is being changed'],
    [
      '2025-12-31T23:00:00',
      'the cloud began to change the load balancer at 2025-12-31T23:00:00Z and has not finished: it accepts no other change until then, so the platform operator must check it',
    ],
  ])('since %s is pending, with the reason', async (updatedAt, reason) => {
    const cloud = await openBalancers();
    await cloud.part.ensure(identity, wanted);
    for (const balancer of cloud.all()) {
      balancer.provisioning_status = 'PENDING_UPDATE';
      balancer.updated_at = updatedAt;
    }
    expect(await cloud.part.ensure(identity, wanted)).toMatchObject({ state: 'pending', reason });
    expect(await cloud.part.observe(identity, wanted)).toMatchObject({ state: 'pending', reason });
    expect(await cloud.part.remove(identity, wanted)).toEqual({ state: 'pending', reason });
  });
});
