import { expect, it } from 'vitest';

import { controllerLoads } from './controllers.ts';

it('controllers of a process that answers for several services are listed once, with the sum of their queues', () => {
  const controller = {
    name: 'compute/instance-controller',
    queued: { high: 2, low: 3 },
    delayed: 1,
    running: 4,
    retrying: 5,
    parked: 6,
    oldestQueuedSeconds: 7.5,
  };
  const one = { process: 'one', controllers: [controller] };
  const other = { process: 'other', controllers: [controller] };
  const load = {
    name: 'compute/instance-controller',
    queue: 5,
    delayed: 1,
    running: 4,
    retrying: 5,
    parked: 6,
    oldest_s: 7.5,
  };
  expect(controllerLoads([one, other, one])).toEqual([
    { process: 'one', ...load },
    { process: 'other', ...load },
  ]);
});
