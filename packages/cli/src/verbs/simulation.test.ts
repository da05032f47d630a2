import { describe, expect, it } from 'vitest';

import { healthySimulation } from '@unikorn/sdk';

import { changeOf } from './simulation.ts';

const gpu = '22222222-2222-2222-2222-222222222222';
const flavors = new Map([
  [gpu, 'sim-gpu-8'],
  ['11111111-1111-1111-1111-111111111111', 'sim-standard-4'],
]);
const current = { call_ms: 20, errorRate: 0.5, service: 'up', places: { other: 3 } };
const set = (...texts: readonly string[]) => changeOf(current, { set: texts }, flavors);

describe('the change of a simulation', () => {
  it('has only what was given, with the type of the current value', () => {
    expect(changeOf(current, {}, flavors)).toEqual({});
    expect(set('call_ms=200', 'errorRate=0.1')).toEqual({ call_ms: 200, errorRate: 0.1 });
    expect(set('service=down')).toEqual({ service: 'down' });
  });

  it('keeps the other capacities, names flavors, and removes a capacity with an empty text', () => {
    expect(set('places.sim-gpu-8=2', `places.${gpu}=1`)).toEqual({ places: { other: 3, [gpu]: 1 } });
    expect(changeOf({ places: { [gpu]: 2 } }, { set: ['places.sim-gpu-8='] }, flavors)).toEqual({ places: {} });
    expect(changeOf(current, { set: [`places.${gpu}=1`] }, new Map())).toEqual({ places: { other: 3, [gpu]: 1 } });
  });

  it('is a reset with what was given besides', () => {
    expect(changeOf(current, { reset: true, down: true, set: ['call_ms=7'] }, flavors)).toEqual({
      ...healthySimulation,
      call_ms: 7,
      service: 'down',
    });
    expect(changeOf({ ...current, service: 'down' }, { up: true }, flavors)).toEqual({ service: 'up' });
  });

  it.each([
    ['callms=200', 'there is no setting callms'],
    ['places=3', 'there is no setting places'],
    ['constructor=3', 'there is no setting constructor'],
    ['call_ms', 'call_ms is not a setting; write it as name=value'],
    ['call_ms=', 'call_ms must be a number'],
    ['call_ms=slow', 'call_ms must be a number, not "slow"'],
    ['places.sim-gpu-9=3', 'the region has no flavor sim-gpu-9'],
  ])('%s is refused', (text, message) => {
    expect(() => set(text)).toThrow(message);
  });
});
