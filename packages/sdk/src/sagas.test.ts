import { expect, it } from 'vitest';

import { sagasByUrgency } from './sagas.ts';
import type { Saga } from './types.ts';

function saga(id: string, state: string, startedTime: string): Saga {
  return { id, name: 'compute.instance.write', state, startedTime, attempts: 0, holder: 'p', steps: [] };
}

it('stuck sagas come first, then those that are being undone, and the oldest of each', () => {
  const sagas = [
    saga('running', 'running', '2026-01-01T00:00:00Z'),
    saga('undone', 'unwinding', '2026-01-04T00:00:00Z'),
    saga('stuck young', 'stuck', '2026-01-03T00:00:00Z'),
    saga('stuck old', 'stuck', '2026-01-02T00:00:00Z'),
    saga('new state', 'paused', '2025-01-01T00:00:00Z'),
  ];
  expect(sagasByUrgency(sagas).map(({ id }) => id)).toEqual([
    'stuck old',
    'stuck young',
    'undone',
    'running',
    'new state',
  ]);
});
