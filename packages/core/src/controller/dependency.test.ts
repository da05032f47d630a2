import { describe, expect, it } from 'vitest';

import type { Condition } from '../resource/index.ts';
import { SpareGear } from './controller.fixture.ts';
import { readiness } from './dependency.ts';

function gear(reason: string | undefined, metadata: object = {}) {
  const conditions: Condition[] =
    reason === undefined ? [] : [{ type: 'Available', status: 'False', reason, message: '', lastTransitionTime: '' }];
  return {
    metadata: {
      name: 'g1',
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '',
      labels: { 'unikorn-cloud.org/name': 'my-gear' },
      ...metadata,
    },
    status: { conditions },
  };
}

describe('readiness', () => {
  it('accepts a provisioned dependency', () => {
    expect(readiness(SpareGear, 'g1', gear('Provisioned'))).toBeUndefined();
  });

  it.each([
    [undefined, 'DependencyNotReady', 'spare gear my-gear (g1) is not ready yet'],
    ['Provisioning', 'DependencyNotReady', 'spare gear my-gear (g1) is not ready yet'],
    ['Errored', 'DependencyFailed', 'spare gear my-gear (g1) could not be provisioned'],
  ])('yields while a dependency is %s', (reason, expected, message) => {
    expect(readiness(SpareGear, 'g1', gear(reason))).toEqual({ type: 'yield', reason: expected, message });
  });

  it('yields while a dependency is being deleted, whatever it was before', () => {
    expect(readiness(SpareGear, 'g1', gear('Provisioned', { deletionTimestamp: 'now' }))).toMatchObject({
      type: 'yield',
      reason: 'DependencyNotReady',
    });
  });

  it('parks when a dependency does not exist', () => {
    expect(readiness(SpareGear, 'g1', undefined)).toEqual({
      type: 'park',
      reason: 'DependencyNotFound',
      message: 'spare gear g1 does not exist',
    });
  });
});
