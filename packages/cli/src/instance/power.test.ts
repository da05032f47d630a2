import { expect, it } from 'vitest';

import type { Instance } from '@unikorn/sdk';

import { reached } from './power.ts';

function instance(status: Partial<Instance['status']>): Instance {
  return {
    metadata: { id: 'i', name: 'web' },
    spec: {},
    status: { regionId: 'r', networkId: 'n', ...status },
  } as unknown as Instance;
}

it('a reboot is complete when the instance reports it, not while its power state is running', () => {
  const isOver = reached('reboot', instance({ powerState: 'Running', rebootedAt: '1' }));
  expect(isOver(instance({ powerState: 'Running', rebootedAt: '1' }))).toBe(false);
  expect(isOver(instance({ powerState: 'Running', rebootedAt: '1', rebootingSince: '2' }))).toBe(false);
  expect(isOver(instance({ powerState: 'Stopped', rebootedAt: '2' }))).toBe(false);
  expect(isOver(instance({ powerState: 'Running', rebootedAt: '2' }))).toBe(true);
});

it('an instance is started or stopped when its power state says so', () => {
  expect(reached('start', instance({}))(instance({ powerState: 'Running' }))).toBe(true);
  expect(reached('stop', instance({}))(instance({ powerState: 'Stopping' }))).toBe(false);
});
