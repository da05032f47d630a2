import { assert, asyncProperty, constantFrom, option, record, uniqueArray } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { SpecOf } from '@unikorn/core/kinds';

import type { ComputeInstance } from '../../kinds/index.ts';
import { startCompute, type RunningCompute } from '../../testing/index.ts';
import { bear, change, recorded, until } from './stage.fixture.ts';

type Networking = NonNullable<SpecOf<typeof ComputeInstance>['networking']>;

let compute: RunningCompute;
const calls: string[] = [];

beforeAll(async () => {
  compute = await startCompute({ regionClient: (regionClient) => recorded(regionClient, calls) });
});
afterAll(() => compute.stop());

const absent = { nil: undefined, freq: 3 };
const networkings = record({
  publicIp: option(constantFrom(true, false), absent),
  allowedSourceAddresses: option(
    uniqueArray(constantFrom('10.1.0.0/16', '10.1.2.3/16', '192.168.0.1/32', '0.0.0.0/0'), { maxLength: 3 }),
    absent,
  ),
  securityGroupIDs: option(constantFrom([]), absent),
});
const userData = option(
  constantFrom(
    '',
    Buffer.from('#!/bin/sh\n').toString('base64'),
    Buffer.from(Buffer.from('#cloud-config\n').toString('base64')).toString('base64'),
  ),
  absent,
);

/** Removes undefined values, which no stored object has. */
function present<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> };
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Other values with the same meaning. */
function respelled({ publicIp = false, allowedSourceAddresses = [], securityGroupIDs = [] }: Networking): Networking {
  return {
    publicIp,
    allowedSourceAddresses: allowedSourceAddresses.map((text) => text.replace('10.1.0.0/16', '10.1.9.9/16')),
    securityGroupIDs,
  };
}

it('no endless update: a change needs at most one update of the server, and none if only the spelling differs', async () => {
  const id = await bear(compute, { name: 'web' });
  await until(compute, id, 'Provisioned');
  const settle = async (spec: Parameters<typeof change>[2]) => {
    calls.length = 0;
    await change(compute, id, spec);
    await until(compute, id, 'Provisioned');
    await compute.world.advance(30_000);
    return [...calls];
  };
  await assert(
    asyncProperty(networkings, userData, async (networking, data) => {
      const asked = present({ networking: present(networking), ...present({ userData: data }) });
      expect((await settle(asked)).length).toBeLessThanOrEqual(1);
      expect(await settle({ networking: respelled(present(networking)) })).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
