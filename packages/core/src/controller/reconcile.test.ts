import { describe, expect, it } from 'vitest';

import { limits } from '../limits.ts';
import type { Metadata, Resource } from '../kinds/index.ts';
import { backoff_ms } from '../backoff.ts';
import { done, park, tryAgain, yieldFor } from './outcome.ts';
import { nextStatus, patchedStatus, planReconcile, settle, type Ending, type Managed } from './reconcile.ts';

const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const now = Date.parse('2026-01-01T00:00:00Z');
const failure: Ending = { type: 'error', error: new Error('password=hunter2') };

function object(metadata: Partial<Metadata> = {}, rest: Partial<Managed> = {}): Managed {
  return {
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: {},
    ...rest,
  };
}

describe('planReconcile', () => {
  it.each([
    ['an object going without finalizers', object(deleting), { type: 'nothing', why: 'released' }],
    ['a paused object', object({}, { spec: { pause: true } }), { type: 'nothing', why: 'paused' }],
    ['a new object', object(), { type: 'provision', finalizer: 'missing' }],
    ['an object we hold', object({ finalizers: ['unikorn'] }), { type: 'provision', finalizer: 'held' }],
    ['an object going', object({ ...deleting, finalizers: ['unikorn'] }), { type: 'deprovision' }],
    [
      'a paused object going',
      object({ ...deleting, finalizers: ['unikorn'] }, { spec: { pause: true } }),
      { type: 'deprovision' },
    ],
  ])('plans for %s', (_, given, plan) => {
    expect(planReconcile(given, 'controlled')).toEqual(plan);
  });

  it('waits for users before dependents, and names a few of them', () => {
    const users = ['a', 'b', 'c', 'd', 'e'].map((id) => `servers.region.unikorn-cloud.org/${id}`);
    expect(
      planReconcile(object({ ...deleting, finalizers: ['unikorn', 'foregroundDeletion', ...users] }), 'controlled'),
    ).toMatchObject({
      type: 'wait',
      outcome: { message: 'still used by servers a, servers b, servers c and 2 more' },
    });
    expect(
      planReconcile(object({ ...deleting, finalizers: ['unikorn', 'foregroundDeletion'] }), 'controlled'),
    ).toMatchObject({
      type: 'wait',
      outcome: { message: 'waiting until the resources that belong to it are deleted' },
    });
  });
});

describe('settle', () => {
  const circumstances = { now, failures: 1, random: 0.5 } as const;

  it.each([
    ['provision', done(), 'True', 'Provisioned', undefined],
    ['provision', yieldFor({ message: 'm' }), 'False', 'Provisioning', limits.yield_ms],
    [
      'provision',
      yieldFor({ reason: 'DependencyNotReady', message: 'm', after_ms: 500 }),
      'False',
      'DependencyNotReady',
      500,
    ],
    ['provision', tryAgain({ message: 'm', after_ms: 500 }), 'False', 'Provisioning', 500],
    ['provision', tryAgain({ reason: 'Errored', message: 'm' }), 'False', 'Errored', 1_500],
    ['provision', park({ reason: 'Errored', message: 'm' }), 'False', 'Errored', undefined],
    ['provision', park({ reason: 'DependencyNotFound', message: 'm' }), 'False', 'DependencyNotFound', undefined],
    ['provision', failure, 'False', 'Errored', 1_500],
    ['deprovision', done(), 'True', 'Deprovisioned', undefined],
    ['deprovision', yieldFor({ reason: 'DependencyFailed', message: 'm' }), 'False', 'Deprovisioning', limits.yield_ms],
    ['deprovision', tryAgain({ reason: 'Errored', message: 'm', after_ms: 500 }), 'False', 'Deprovisioning', 500],
    ['deprovision', park({ reason: 'Errored', message: 'm' }), 'False', 'Errored', limits.backoffMax_ms],
    ['deprovision', failure, 'False', 'Errored', 1_500],
  ] as const)('on %s, %j becomes %s/%s', (path, ending, status, reason, after_ms) => {
    const { available, after_ms: after } = settle(object(), ending, { ...circumstances, path });
    expect(available).toMatchObject({ type: 'Available', status, reason, observedGeneration: 2 });
    expect(after).toBe(after_ms);
  });

  it.each(['provision', 'deprovision'] as const)(
    'says on %s how often what went wrong was tried, since when, and when it is tried next',
    (path) => {
      const full = tryAgain({ message: 'there is no room', after_ms: 30_000 });
      const { retry } = settle(object(), full, { ...circumstances, path });
      expect(retry).toEqual({ attempts: 1, since: '2026-01-01T00:00:00Z', nextTime: '2026-01-01T00:00:30Z' });
      const again = object({}, { status: { observedGeneration: 2, ...(retry ? { retry } : {}) } });
      expect(settle(again, full, { ...circumstances, failures: 2, now: now + 30_000, path }).retry).toEqual({
        attempts: 2,
        since: '2026-01-01T00:00:00Z',
        nextTime: '2026-01-01T00:01:00Z',
      });
    },
  );

  it('counts no attempt for an object that only has to wait', () => {
    const retry = { attempts: 3, since: '2025-12-31T23:00:00Z', nextTime: '2026-01-01T00:00:00Z' };
    const waiting = object({}, { status: { observedGeneration: 2, retry } });
    for (const path of ['provision', 'deprovision'] as const)
      expect(settle(waiting, yieldFor({ message: 'm' }), { ...circumstances, path }).retry).toBeUndefined();
  });

  it('never shows a raw error', () => {
    expect(settle(object(), failure, { ...circumstances, path: 'provision' }).available.message).toBe(
      'an unexpected error occurred',
    );
  });

  it('counts attempts since the first failure of a generation', () => {
    const retry = { attempts: 3, since: '2025-12-31T23:00:00Z', nextTime: '2026-01-01T00:00:00Z' };
    const same = object({}, { status: { observedGeneration: 2, retry } });
    const edited = object({}, { status: { observedGeneration: 1, retry } });
    expect(settle(same, failure, { ...circumstances, failures: 4, path: 'provision' }).retry).toEqual({
      attempts: 4,
      since: retry.since,
      nextTime: '2026-01-01T00:00:12Z',
    });
    expect(settle(edited, failure, { ...circumstances, path: 'provision' }).retry).toMatchObject({
      attempts: 1,
      since: '2026-01-01T00:00:00Z',
    });
  });
});

describe('backoff', () => {
  it('doubles from the shortest to the longest pause and never leaves that range', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 50, 5000].map((failures) => backoff_ms(failures, 1));
    const shortest = [1, 2, 3, 4, 5, 6, 7, 50, 5000].map((failures) => backoff_ms(failures, 0));
    expect(longest).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
    expect(shortest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });
});

const widget = (status: Record<string, unknown>): Resource => ({
  apiVersion: 'v1',
  kind: 'Widget',
  ...object(),
  spec: {},
  status,
});

describe('patchedStatus', () => {
  it('changes what the patch names and leaves the controller its own: standing, observed generation, retry', () => {
    const before = { phase: 'a', gone: 1, observedGeneration: 1, retry: { attempts: 1, since: 'x', nextTime: 'x' } };
    const after = patchedStatus(widget(before), { phase: 'b', gone: undefined }, now);
    expect(after).toEqual({ phase: 'b', observedGeneration: 1, retry: before.retry });
    expect(patchedStatus(widget(after ?? {}), { phase: 'b', gone: undefined }, now)).toBeUndefined();
  });

  it('compares the content of lists and objects, and conditions', () => {
    const before = { list: [{ a: 1 }] };
    const patch = (a: number, message: string) => ({
      list: [{ a }],
      conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message } as const],
    });
    const after = patchedStatus(widget(before), patch(1, ''), now);
    expect(after).toMatchObject({ list: [{ a: 1 }], conditions: [{ type: 'Healthy', status: 'True' }] });
    expect(patchedStatus(widget(after ?? {}), patch(1, ''), now)).toBeUndefined();
    expect(patchedStatus(widget(after ?? {}), patch(2, ''), now)).toMatchObject({ list: [{ a: 2 }] });
    expect(patchedStatus(widget(after ?? {}), patch(1, 'new'), now)).toMatchObject({
      conditions: [{ message: 'new' }],
    });
  });
});

describe('nextStatus', () => {
  const settlement = settle(object(), done(), { now, failures: 1, random: 0, path: 'provision' });

  it('merges fields and conditions, removes what is undefined, and drops an ended retry', () => {
    const before = widget({ kept: 1, removed: 2, retry: { attempts: 1, since: 'x', nextTime: 'x' } });
    expect(
      nextStatus(
        before,
        {
          removed: undefined,
          added: 3,
          conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: '' }],
        },
        settlement,
        now,
      ),
    ).toEqual({
      kept: 1,
      added: 3,
      observedGeneration: 2,
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'Provisioned',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: 2,
        },
        {
          type: 'Healthy',
          status: 'True',
          reason: 'Healthy',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: 2,
        },
      ],
    });
  });

  it('is undefined if nothing changed', () => {
    const first = nextStatus(widget({}), { handle: 'h' }, settlement, now);
    expect(nextStatus(widget(first ?? {}), { handle: 'h' }, settlement, now + 60_000)).toBeUndefined();
  });
});
