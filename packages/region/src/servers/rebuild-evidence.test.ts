import { assert, constantFrom, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '@unikorn/core/defined';

import type { ObservedServer } from '../provider/index.ts';
import { advancedRebuild, type Rebuild } from './rebuild-evidence.ts';

const states = ['Initiated', 'Rebuilding', 'Succeeded', 'Failed'] as const;
const ranks = { Initiated: 1, Rebuilding: 2, Succeeded: 3, Failed: 3 };

function look(
  imageId: string | undefined,
  status: ObservedServer['status'],
  task: ObservedServer['task'],
): ObservedServer {
  return {
    providerId: 'p',
    createdAt: '2026-01-01T00:00:00Z',
    power: 'running',
    status,
    task,
    ...defined({ imageId }),
  };
}

describe('an observation of a server that is being rebuilt', () => {
  it.each<[Rebuild['state'], string | undefined, ObservedServer['status'], ObservedServer['task'], Rebuild['state']]>([
    ['Initiated', 'target', 'error', 'idle', 'Failed'],
    ['Initiated', 'target', 'rebuilding', 'active', 'Rebuilding'],
    ['Initiated', 'target', 'active', 'active', 'Rebuilding'],
    ['Initiated', 'target', 'active', 'idle', 'Succeeded'],
    ['Rebuilding', 'target', 'shutoff', 'idle', 'Succeeded'],
    ['Rebuilding', 'target', 'error', 'idle', 'Failed'],
    ['Rebuilding', 'other', 'active', 'idle', 'Failed'],
    ['Rebuilding', 'other', 'error', 'idle', 'Failed'],
    ['Rebuilding', 'other', 'rebuilding', 'active', 'Rebuilding'],
    ['Rebuilding', undefined, 'error', 'idle', 'Failed'],
    ['Rebuilding', undefined, 'active', 'idle', 'Rebuilding'],
    ['Initiated', 'other', 'error', 'idle', 'Initiated'],
    ['Initiated', 'other', 'active', 'idle', 'Initiated'],
    ['Initiated', undefined, 'error', 'idle', 'Initiated'],
    ['Succeeded', 'target', 'error', 'idle', 'Succeeded'],
    ['Failed', 'target', 'active', 'idle', 'Failed'],
  ])('%s, image %s, %s and %s: %s', (state, imageId, status, task, after) => {
    expect(advancedRebuild({ targetImageID: 'target', state }, look(imageId, status, task))).toEqual({
      targetImageID: 'target',
      state: after,
    });
  });

  it('never reverts the rebuild, and never changes its result or its target', () => {
    const looks = record({
      imageId: option(constantFrom('target', 'other'), { nil: undefined }),
      status: constantFrom<ObservedServer['status']>(
        'queued',
        'building',
        'rebuilding',
        'active',
        'shutoff',
        'error',
        'deleting',
        'unknown',
      ),
      task: constantFrom<ObservedServer['task']>('idle', 'active'),
    });
    assert(
      property(constantFrom(...states), looks, (state, { imageId, status, task }) => {
        const after = advancedRebuild({ targetImageID: 'target', state }, look(imageId, status, task));
        expect(after.targetImageID).toBe('target');
        expect(ranks[after.state]).toBeGreaterThanOrEqual(ranks[state]);
        if (ranks[state] === 3) expect(after.state).toBe(state);
      }),
    );
  });
});
