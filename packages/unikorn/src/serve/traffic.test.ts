import { expect, it } from 'vitest';

import { trafficLimits } from '@unikorn/core/limits';
import { virtualWorld } from '@unikorn/core/testing';

import { resolved } from '../configuration/resolve.ts';
import { processPressure, trafficOf } from './traffic.ts';

const { configuration } = resolved([]);

it('has the limits of the table, unless they are configured', () => {
  expect({ ...trafficLimits, ...trafficOf(configuration) }).toEqual(trafficLimits);
});

it('is refused while the process uses too much memory, and not after', async () => {
  const world = virtualWorld();
  const stop = new AbortController();
  const pressure = processPressure(world, { traffic: { ...configuration.traffic, memory: 64 } }, stop.signal);
  expect(pressure()).toBeUndefined();
  await world.advance(500);
  expect(pressure()).toBe('the server is short of memory');
  stop.abort();
  const relaxed = processPressure(
    world,
    { traffic: { ...configuration.traffic, memory: 1_000_000 } },
    new AbortController().signal,
  );
  await world.advance(500);
  expect(relaxed()).toBeUndefined();
});
