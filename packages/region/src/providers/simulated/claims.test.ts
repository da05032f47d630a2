import { expect, it } from 'vitest';

import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, virtualWorld } from '@unikorn/core/testing';

import { Claims } from './claims.ts';
import { SimulatedClaim } from './kinds.ts';

const shares = { from: 1, to: 200 };
const owner = (number: number) => number.toString(16).padStart(8, '0');

function open() {
  const counted = { reads: 0 };
  const store = interpose(openMemoryStore({ world: virtualWorld(), kinds: [SimulatedClaim] }), (call, happen) => {
    if (call.verb !== 'create') counted.reads++;
    return happen();
  });
  return { counted, claims: new Claims(store) };
}

it('gives out every share once, whatever the names of the owners', async () => {
  const { claims } = open();
  const taken: (number | undefined)[] = [];
  for (let number = 0; number < 200; number++)
    taken.push(await claims.of(owner(number % 2 ? 7 : number)).take('p', shares));
  for (let number = 0; number < 200; number++) taken.push(await claims.of(owner(1_000 + number)).take('p', shares));
  const given = taken.filter((share) => share !== undefined);
  expect(new Set(given).size).toBe(200);
});

it('says quickly that a full pool has nothing left', async () => {
  const { counted, claims } = open();
  for (let number = 0; number < 200; number++) await claims.of(owner(number)).take('p', shares);
  counted.reads = 0;
  expect(await claims.of(owner(1_000)).take('p', shares)).toBeUndefined();
  expect(counted.reads).toBeLessThan(50);
});
