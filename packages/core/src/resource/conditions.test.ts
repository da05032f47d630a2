import { describe, expect, it } from 'vitest';

import { findCondition, sameCondition, withCondition, type Condition, type ConditionUpdate } from './index.ts';

const earlier = '2026-01-01T00:00:00Z';
const later = Date.parse('2026-01-01T01:00:00.500Z');
const available: Condition = {
  type: 'Available',
  status: 'False',
  reason: 'Provisioning',
  message: 'creating',
  lastTransitionTime: earlier,
};
const healthy: Condition = {
  type: 'Healthy',
  status: 'True',
  reason: 'Healthy',
  message: '',
  lastTransitionTime: earlier,
};
const update: ConditionUpdate = { type: 'Available', status: 'False', reason: 'Provisioning', message: 'creating' };

describe('a condition', () => {
  it('is added beside the others', () => {
    expect(withCondition(undefined, update, later)).toEqual([
      { ...update, lastTransitionTime: '2026-01-01T01:00:00Z' },
    ]);
    expect(withCondition([healthy], update, later)).toEqual([
      healthy,
      { ...update, lastTransitionTime: '2026-01-01T01:00:00Z' },
    ]);
  });

  it('keeps its transition time while the status stays, though reason, message and generation are refreshed', () => {
    const refreshed = { ...update, reason: 'Errored', message: 'failed', observedGeneration: 3 };
    expect(withCondition([available, healthy], refreshed, later)).toEqual([
      { ...refreshed, lastTransitionTime: earlier },
      healthy,
    ]);
  });

  it('moves its transition time with the status', () => {
    const [after] = withCondition([available], { ...update, status: 'True' }, later);
    expect(after?.lastTransitionTime).toBe('2026-01-01T01:00:00Z');
  });

  it('is replaced as a whole: fields that the update does not have are removed', () => {
    expect(withCondition([{ ...available, observedGeneration: 1 }], update, later)[0]).not.toHaveProperty(
      'observedGeneration',
    );
  });

  it('does not change its input', () => {
    const before = Object.freeze([Object.freeze({ ...available })]);
    withCondition(before, { ...update, status: 'True' }, later);
    expect(before).toEqual([available]);
  });

  it('leaves the list itself when the update says nothing new', () => {
    const before = [available, healthy];
    expect(withCondition(before, update, later)).toBe(before);
    expect(withCondition(before, { ...update, observedGeneration: 2 }, later)).not.toBe(before);
  });

  it('is found by type', () => {
    expect(findCondition([available, healthy], 'Healthy')).toBe(healthy);
    expect(findCondition([available], 'Active')).toBeUndefined();
    expect(findCondition(undefined, 'Available')).toBeUndefined();
  });
});

describe('a transition is announced', () => {
  it.each<Partial<ConditionUpdate>>([{ status: 'True' }, { reason: 'Errored' }, { message: 'other' }])(
    'when %j is new',
    (change) => {
      expect(sameCondition(available, { ...update, ...change })).toBe(false);
    },
  );

  it('when there was no condition before', () => {
    expect(sameCondition(undefined, update)).toBe(false);
  });

  it('but not for a new generation alone', () => {
    expect(sameCondition(available, { ...update, observedGeneration: 9 })).toBe(true);
    expect(sameCondition(undefined, undefined)).toBe(true);
  });
});
