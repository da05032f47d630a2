import { describe, expect, it } from 'vitest';

import type { Resource } from '../kinds/index.ts';
import { collectionStep, visitsAfter, type OwnerState, type Surroundings } from './collector.ts';

function object(metadata: Partial<Resource['metadata']> = {}): Resource {
  return {
    apiVersion: 'x/v1',
    kind: 'X',
    metadata: { name: 'a', uid: 'u', resourceVersion: '5', generation: 1, creationTimestamp: '', ...metadata },
    spec: {},
  };
}

const reference = (uid: string) => ({ apiVersion: 'x/v1', kind: 'Owner', name: uid, uid, blockOwnerDeletion: true });
const marked = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const waiting = { ...marked, finalizers: ['foregroundDeletion'] };

function around(owners: readonly OwnerState[], rest: Partial<Surroundings> = {}): Surroundings {
  return {
    owners: owners.map((state, index) => ({ reference: reference(`o${index}`), state })),
    dependents: 'none',
    circular: false,
    ...rest,
  };
}

describe('the decision about an object', () => {
  it.each<[string, Resource, Surroundings, ReturnType<typeof collectionStep>]>([
    ['without owners is kept', object(), around([]), { type: 'keep' }],
    ['whose owner is there is kept', object(), around(['present']), { type: 'keep' }],
    ['whose owners are all gone is deleted', object(), around(['absent', 'absent']), { type: 'delete' }],
    [
      'one of whose owners is gone forgets that one',
      object(),
      around(['absent', 'present']),
      { type: 'disown', owners: new Set(['o0']) },
    ],
    ['whose owner waits for it is deleted', object(), around(['waiting']), { type: 'delete' }],
    [
      'whose owner waits for it is deleted after its own dependents',
      object(),
      around(['waiting'], { dependents: 'free' }),
      { type: 'delete', propagation: 'foreground' },
    ],
    [
      'that waits for its owner in a circle stops blocking it',
      object(),
      around(['waiting'], { dependents: 'blocking', circular: true }),
      { type: 'unblock' },
    ],
    [
      'that is marked already is left to whoever holds it',
      object({ ...marked, finalizers: ['x'] }),
      around(['absent']),
      { type: 'keep' },
    ],
    [
      'that waits stays while a dependent blocks it',
      object(waiting),
      around([], { dependents: 'blocking' }),
      { type: 'keep' },
    ],
    ['that waits goes when none blocks it', object(waiting), around([], { dependents: 'free' }), { type: 'release' }],
  ])('one %s', (_, subject, surroundings, step) => {
    expect(collectionStep(subject, surroundings)).toEqual(step);
  });
});

describe('the objects to check after a change', () => {
  const owned = object({ ownerReferences: [reference('o')] });

  it('are none for an object without owners and dependents', () => {
    expect(visitsAfter({ type: 'added', object: object() })).toEqual([]);
    expect(visitsAfter({ type: 'modified', object: owned })).toEqual([]);
  });

  it('are an object that got owners, and its former owners', () => {
    expect(visitsAfter({ type: 'added', object: owned })).toEqual([
      { type: 'object', apiVersion: 'x/v1', kind: 'X', name: 'a' },
    ]);
    expect(visitsAfter({ type: 'modified', object: object(), previous: owned })).toEqual([
      { type: 'object', apiVersion: 'x/v1', kind: 'Owner', name: 'o' },
    ]);
  });

  it('are the dependents of a removed object, and the owners that waited for it', () => {
    expect(visitsAfter({ type: 'deleted', object: owned })).toEqual([
      { type: 'dependents', uid: 'u' },
      { type: 'object', apiVersion: 'x/v1', kind: 'Owner', name: 'o' },
    ]);
  });
});
