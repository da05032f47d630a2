import { expect, it } from 'vitest';

import { askable, commonReason } from './actions.ts';

it('an action on several objects is refused only if it is refused for each of them', () => {
  expect(commonReason(['it is running', undefined])).toBeUndefined();
  expect(commonReason(['it is running', 'it is running'])).toBe('it is running');
  expect(commonReason(['it is running', 'it is being deleted'])).toBe('it is running; it is being deleted');
  expect(commonReason([])).toBeUndefined();
});

it('of many objects, one of each state is asked about, and each of a few', () => {
  const machines = ['running 1', 'running 2', 'stopped 3', 'running 4'];
  const stateOf = (machine: string) => machine.split(' ')[0] ?? '';
  expect(askable(machines, stateOf, 4)).toEqual(machines);
  expect(askable(machines, stateOf, 3)).toEqual(['running 1', 'stopped 3']);
  expect(askable(machines, stateOf, 1)).toEqual([]);
});
