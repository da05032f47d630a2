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
}

/** As much of Octavia and Neutron as load balancers need. Their parts do not change. */
async function openBalancers(parts: Readonly<Record<string, readonly object[]>> = {}) {
  let balancers: Balancer[] = [];
  let isStale = false;
  const answer = ({ method, path, body }: Asked): Given => {
    const [, resource = '', id] = /\/(?:v2\.0|lbaas)\/([^/?]+)(?:\/([^/?]+))?/.exec(path) ?? [];
    if (path === '/balancing/') return { body: { versions: [{ id: 'v2.26', status: 'CURRENT' }] } };
    const shownAs = path.includes('/members') ? 'members' : resource;
    if (resource !== 'loadbalancers')
      return { body: { [shownAs]: resource === 'subnets' ? [subnet] : (parts[shownAs] ?? []) } };
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
      tenants: () => Promise.resolve({ projectId: 'p', session: cloud.session }),
      externalNetworkId: () => Promise.resolve('external'),
    }),
  };
}

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

describe('a load balancer with parts that stay pending, which Octavia sometimes leaves behind,', () => {
  const stuck = { provisioning_status: 'PENDING_CREATE', operating_status: 'OFFLINE' };
  const parts = {
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
        listeners: [{ id: 'l' }],
      },
    ],
    members: [{ ...stuck, id: 'm', address: '10.0.0.7', protocol_port: 8080 }],
  };
  const listenerWith = (address: string): WantedLoadBalancer['listeners'][number] => ({
    name: 'web',
    protocol: 'tcp',
    port: 80,
    allowedCIDRs: [],
    pool: { proxyProtocolV2: false, members: [{ address, port: 8080 }] },
  });

  it('is present if it is as wanted, and is not changed otherwise, because Octavia would refuse that', async () => {
    const cloud = await openBalancers(parts);
    await cloud.part.ensure(identity, wanted);
    cloud.settle();
    const ensure = (address: string) => cloud.part.ensure(identity, { ...wanted, listeners: [listenerWith(address)] });
    expect(await ensure('10.0.0.7')).toMatchObject({ state: 'present', observed: { providerId: 'lb0' } });
    const before = cloud.asked.length;
    expect(await ensure('10.0.0.8')).toMatchObject({ state: 'pending' });
    expect(cloud.asked.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });
});
