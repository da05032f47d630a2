import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { OpenstackVlan } from './kinds.ts';
import { releaseVlans, Vlans } from './vlans.ts';

const ranges = [
  { from: 100, to: 101 },
  { from: 200, to: 203 },
];
let store: ReturnType<typeof openMemoryStore>;
let vlans: Vlans;
let world: ReturnType<typeof virtualWorld>;

beforeEach(() => {
  world = virtualWorld();
  store = openMemoryStore({ world, kinds: [OpenstackVlan] });
  vlans = new Vlans(store, 'region', 'physnet1');
});
afterEach(() => store.close());

const takeMany = async (count: number, prefix = 'network') => {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) taken.push(await vlans.take(`${prefix}-${index}`, ranges));
  return taken;
};

it('gives out the VLANs of all ranges and no others, each once', async () => {
  expect(await takeMany(6)).toEqual([100, 101, 200, 201, 202, 203]);
  await expect(vlans.take('one-more', ranges)).rejects.toMatchObject({ kind: 'capacity' });
});

it('gives a network the VLAN that it has, also when the ranges do not contain it any more', async () => {
  const vlanId = await vlans.take('network', ranges);
  expect(await vlans.take('network', ranges)).toBe(vlanId);
  expect(await vlans.take('network', [{ from: 300, to: 400 }])).toBe(vlanId);
});

it('gives every network another VLAN when many ask at the same time', async () => {
  const asked = Array.from({ length: 6 }, (_, index) => vlans.take(`network-${index}`, ranges));
  expect((await Promise.all(asked)).toSorted()).toEqual([100, 101, 200, 201, 202, 203]);
});

it('gives one VLAN to a network that two processes ask for at the same time', async () => {
  const other = new Vlans(store, 'region', 'physnet1');
  const [one, two] = await Promise.all([vlans.take('network', ranges), other.take('network', ranges)]);
  expect(one).toBe(two);
  expect((await store.list(OpenstackVlan)).items).toHaveLength(1);
});

it('gives another VLAN for one that the cloud refused, and tries it again after the network is removed', async () => {
  expect(await vlans.take('network', ranges)).toBe(100);
  await vlans.markRefused(100);
  expect(await vlans.take('network', ranges)).toBe(101);
  expect(await vlans.take('other', ranges)).toBe(200);
  await releaseVlans({ store, world }, 'network', []);
  expect(await vlans.take('third', ranges)).toBe(100);
});

it('gives back what a removed network had, and repeating that does nothing', async () => {
  await takeMany(6);
  for (let repetition = 0; repetition < 2; repetition++)
    expect(await releaseVlans({ store, world }, 'network-3', [{ physicalNetwork: 'physnet1', vlanId: 201 }])).toBe(
      true,
    );
  expect(await vlans.take('another', ranges)).toBe(201);
});

it('does not give out the VLAN of a network that was found in the cloud', async () => {
  for (let repetition = 0; repetition < 2; repetition++) await vlans.adopt('found', 100);
  expect(await vlans.take('network', ranges)).toBe(101);
  expect(await vlans.take('found', ranges)).toBe(100);
});

it('counts the VLANs of each physical network for themselves', async () => {
  const other = new Vlans(store, 'region', 'physnet2');
  expect([await vlans.take('network', ranges), await other.take('other', ranges)]).toEqual([100, 100]);
});
