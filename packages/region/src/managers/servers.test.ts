import { describe, expect, it } from 'vitest';

import type { StatusOf } from '@unikorn/core/kinds';

import type { Server } from '../kinds/index.ts';
import { callsForAction } from './servers.ts';

type Status = StatusOf<typeof Server>;

const time = '2026-01-01T00:00:00Z';
const available = (reason: string) =>
  ({ type: 'Available', status: 'False', reason, message: '', lastTransitionTime: time }) as const;
const broken = { type: 'Healthy', status: 'False', reason: 'Errored', message: '', lastTransitionTime: time } as const;

const well = { ...broken, status: 'True', reason: 'Healthy' } as const;

describe('which statuses wake the controller of servers', () => {
  it.each<[string, Status | undefined, boolean]>([
    ['none yet', undefined, false],
    ['a server that runs', { provisionedAt: time }, false],
    ['one that the provider does not show', { provisionedAt: time, missingSince: time }, true],
    ['a rebuild that is only written down', { rebuild: { targetImageID: 'i', state: 'Initiated' } }, false],
    ['a rebuild that is under way', { rebuild: { targetImageID: 'i', state: 'Rebuilding' } }, false],
    ['a rebuild that is done', { rebuild: { targetImageID: 'i', state: 'Succeeded' } }, true],
    [
      'a rebuild that failed, which nobody has said yet',
      { rebuild: { targetImageID: 'i', state: 'Failed' }, conditions: [available('Provisioning')] },
      true,
    ],
    [
      'a rebuild that failed and was given up',
      { rebuild: { targetImageID: 'i', state: 'Failed' }, conditions: [available('Errored')] },
      false,
    ],
    ['a creation that failed', { conditions: [available('Provisioning'), broken] }, true],
    [
      'a creation that failed as often as it may',
      { providerCreateFailures: 3, conditions: [available('Errored'), broken] },
      false,
    ],
    [
      'one that was given up until an operator set the count back',
      { providerCreateFailures: 0, conditions: [available('Errored'), broken] },
      true,
    ],
    [
      'one that was given up and runs all the same',
      { provisionedAt: time, conditions: [available('Errored'), well] },
      true,
    ],
    [
      'one whose rebuild failed and that runs all the same',
      {
        provisionedAt: time,
        rebuild: { targetImageID: 'i', state: 'Failed' },
        conditions: [available('Errored'), well],
      },
      false,
    ],
    ['a server that is in error after it ran', { provisionedAt: time, conditions: [broken] }, false],
  ])('%s', (_name, status, wakes) => {
    expect(callsForAction(status ? { status } : {}, 3)).toBe(wakes);
  });
});
