import { describe, expect, it } from 'vitest';

import type { Resource } from '../kinds/index.ts';
import { deleted, updated } from './transition.ts';

const now = Date.parse('2026-05-01T12:00:00.500Z');

function object(metadata: Partial<Resource['metadata']> = {}): Resource {
  return {
    apiVersion: 'x/v1',
    kind: 'X',
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '5',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: { size: 1 },
  };
}

describe('a deletion', () => {
  it('that names its propagation replaces that of an earlier deletion', () => {
    const marked = object({
      finalizers: ['foregroundDeletion', 'x.org/hold'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
    });
    expect(deleted(marked, {}, now)).toEqual({ type: 'unchanged' });
    expect(deleted(marked, { propagation: 'foreground' }, now)).toEqual({ type: 'unchanged' });
    expect(deleted(marked, { propagation: 'background' }, now)).toMatchObject({
      type: 'stored',
      object: { metadata: { finalizers: ['x.org/hold'], generation: 1 } },
    });
    expect(
      deleted(
        object({ finalizers: ['foregroundDeletion'], deletionTimestamp: '2026-01-01T00:00:00Z' }),
        { propagation: 'background' },
        now,
      ).type,
    ).toBe('removed');
  });

  it('marks with the time in whole seconds', () => {
    expect(deleted(object({ finalizers: ['x.org/hold'] }), {}, now)).toMatchObject({
      object: { metadata: { deletionTimestamp: '2026-05-01T12:00:00Z', generation: 2 } },
    });
  });
});

describe('an update', () => {
  it('treats an absent value like an empty list or map', () => {
    const { metadata, spec } = object();
    expect(
      updated(object(), {
        metadata: { ...metadata, labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
        spec,
      }),
    ).toEqual({ type: 'unchanged' });
  });

  it('compares the stored form, whatever the order of keys', () => {
    const before = { ...object(), spec: { a: 1, b: 2 } };
    expect(updated(before, { metadata: before.metadata, spec: { b: 2, a: 1, c: undefined } })).toEqual({
      type: 'unchanged',
    });
  });

  it('does not change the deletion timestamp and the identity', () => {
    const before = object({ finalizers: ['x.org/hold'], deletionTimestamp: '2026-01-01T00:00:00Z' });
    const next = updated(before, {
      metadata: { name: 'a', resourceVersion: '5', finalizers: ['x.org/hold'], labels: { x: 'y' } },
      spec: before.spec,
    });
    expect(next).toMatchObject({ type: 'stored', object: { metadata: { ...before.metadata, labels: { x: 'y' } } } });
  });
});
