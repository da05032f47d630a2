import { passing } from '@unikorn/core/testing/carriers';
import { afterEach, describe, expect, it } from 'vitest';

import type { SecurityRule, WantedNetwork } from '../../provider/index.ts';
import { OpenstackVlan } from './kinds.ts';
import { startNeutron, type Disturbance } from './networks.fixture.ts';

const identity = { id: 'identity', organizationId: 'organization', projectId: 'project' };
const network: WantedNetwork = {
  id: 'one',
  prefix: '10.0.0.0/24',
  reservations: { prefixLength: 25, providerReservedPrefixLength: 28 },
  dnsNameservers: ['1.1.1.1'],
  routes: [],
};
const rules: readonly SecurityRule[] = [
  { direction: 'ingress', protocol: 'tcp', ports: { start: 22, end: 22 } },
  { direction: 'ingress', protocol: 'icmp' },
];
const vlans = { physicalNetwork: 'physnet1', ranges: [{ from: 100, to: 199 }] };

let neutron: Awaited<ReturnType<typeof startNeutron>>;
afterEach(() => neutron.stop());

/** Whether a call succeeded. */
function attempt(call: Promise<unknown>): Promise<boolean> {
  return passing(neutron.world, call).then(
    () => true,
    () => false,
  );
}

describe.each<Disturbance>(['refused', 'lost'])('when any one call is %s', (how) => {
  it('the next attempt completes a network, and there is one of each part', async () => {
    for (let number = 1; ; number++) {
      neutron = await startNeutron({ settings: { vlans } });
      neutron.disturb(number, how);
      await attempt(neutron.networks.ensure(identity, network));
      const wasReached = neutron.calls() >= number;
      neutron.calm();
      expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
      const { networks, subnets, routers, ports } = neutron.things;
      expect([networks, subnets, routers, ports].map((found) => found.length)).toEqual([1, 1, 1, 1]);
      expect((await neutron.store.list(OpenstackVlan)).items.map(({ spec }) => spec.vlanId)).toEqual([
        networks[0]?.['provider:segmentation_id'],
      ]);
      if (!wasReached) break;
      await neutron.stop();
    }
  });

  it('the next attempt removes a network, and nothing is left', async () => {
    for (let number = 1; ; number++) {
      neutron = await startNeutron({ settings: { vlans } });
      expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
      const before = neutron.calls();
      neutron.disturb(number, how);
      await attempt(neutron.networks.remove(identity, network));
      const wasReached = neutron.calls() >= before + number;
      neutron.calm();
      expect(await attempt(neutron.networks.remove(identity, network))).toBe(true);
      expect(Object.values(neutron.things).flat()).toEqual([]);
      expect((await neutron.store.list(OpenstackVlan)).items).toEqual([]);
      if (!wasReached) break;
      await neutron.stop();
    }
  });

  it('the next attempt completes a security group, and each rule exists once', async () => {
    for (let number = 1; ; number++) {
      neutron = await startNeutron();
      neutron.disturb(number, how);
      await attempt(neutron.securityGroups.ensure(identity, { id: 'group', rules }));
      const wasReached = neutron.calls() >= number;
      neutron.calm();
      expect(await attempt(neutron.securityGroups.ensure(identity, { id: 'group', rules }))).toBe(true);
      expect(neutron.things['security-groups']).toHaveLength(1);
      expect(neutron.things['security-group-rules']).toHaveLength(rules.length + 2);
      if (!wasReached) break;
      await neutron.stop();
    }
  });
});

describe('what was made twice, because the first attempt took too long,', () => {
  const twin = (kind: 'networks' | 'routers' | 'security-groups', id: string) => {
    const [first] = neutron.things[kind];
    // The copy is found first.
    neutron.things[kind].unshift({ ...first, id });
  };

  it('is one network and one router again, and they are those in use', async () => {
    neutron = await startNeutron();
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
    const { networks, routers } = neutron.things;
    const kept = [networks[0]?.id, routers[0]?.id];
    twin('networks', 'a-twin');
    twin('routers', 'a-twin');
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
    expect([...neutron.things.networks, ...neutron.things.routers].map(({ id }) => id)).toEqual(kept);
    expect([neutron.things.subnets, neutron.things.ports].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('is one network also before anything uses it', async () => {
    neutron = await startNeutron();
    neutron.disturb(4, 'refused');
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(false);
    twin('networks', 'a-twin');
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
    expect(neutron.things.networks).toHaveLength(1);
  });

  it('is one security group again', async () => {
    neutron = await startNeutron();
    expect(await attempt(neutron.securityGroups.ensure(identity, { id: 'group', rules }))).toBe(true);
    twin('security-groups', 'a-twin');
    expect(await attempt(neutron.securityGroups.ensure(identity, { id: 'group', rules }))).toBe(true);
    expect(neutron.things['security-groups']).toHaveLength(1);
  });
});

it('tries a bounded number of VLANs in one call, and goes on where it stopped', async () => {
  const takenVlans = Array.from({ length: 20 }, (_, index) => 100 + index);
  neutron = await startNeutron({ settings: { vlans }, takenVlans });
  expect(await attempt(neutron.networks.ensure(identity, network))).toBe(false);
  expect(neutron.created()).toBe(16);
  expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
  expect(neutron.things.networks).toMatchObject([{ 'provider:segmentation_id': 120 }]);
});
