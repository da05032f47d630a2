import { passing } from '@unikorn/core/testing/carriers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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

/** Asks for the removal of the network until the answer is that it is gone. */
async function removeWhole(): Promise<void> {
  while ((await passing(neutron.world, neutron.networks.remove(identity, network))).state === 'pending')
    await neutron.world.advance(1000);
}

const claimedVlans = async () => (await neutron.store.list(OpenstackVlan)).items.map(({ spec }) => spec.vlanId);

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
      expect(await claimedVlans()).toEqual([networks[0]?.['provider:segmentation_id']]);
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
      await removeWhole();
      expect(Object.values(neutron.things).flat()).toEqual([]);
      expect(await claimedVlans()).toEqual([]);
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

describe('the VLAN of a removed network', () => {
  const remove = () => passing(neutron.world, neutron.networks.remove(identity, network));

  beforeEach(async () => {
    neutron = await startNeutron({ settings: { vlans } });
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
  });

  it('is free at once, if the network was seen and deleted', async () => {
    expect(await remove()).toEqual({ state: 'absent' });
    expect(await claimedVlans()).toEqual([]);
  });

  it('is kept while one list, which may be old, is all that says that the network is gone', async () => {
    const hidden = neutron.things.networks.splice(0);
    expect(await remove()).toMatchObject({ state: 'pending' });
    // Too early for a second list: it may come from the same old copy.
    expect(await remove()).toMatchObject({ state: 'pending' });
    expect(await claimedVlans()).toEqual([100]);
    neutron.things.networks.push(...hidden);
    await neutron.world.advance(1000);
    expect(await remove()).toEqual({ state: 'absent' });
    expect([neutron.things.networks, await claimedVlans()]).toEqual([[], []]);
  });

  it('is free after a second list without the network', async () => {
    neutron.things.networks.splice(0);
    await removeWhole();
    expect(await claimedVlans()).toEqual([]);
  });

  it('is kept as before, if the network is wanted again', async () => {
    const hidden = neutron.things.networks.splice(0);
    expect(await remove()).toMatchObject({ state: 'pending' });
    neutron.things.networks.push(...hidden);
    expect(await attempt(neutron.networks.ensure(identity, network))).toBe(true);
    neutron.things.networks.splice(0);
    await neutron.world.advance(1000);
    expect(await remove()).toMatchObject({ state: 'pending' });
    expect(await claimedVlans()).toEqual([100]);
  });
});
