import { expect, it } from 'vitest';

import type { Resource } from '../../kinds/index.ts';
import { Widget } from '../conformance/kinds.ts';
import { decodeObject, encodeObject } from './objects.ts';
import { assignedUid, originOf } from './origin.ts';

const origin = {
  uid: 'original',
  creationTimestamp: '2020-01-01T00:00:00Z',
  deletionTimestamp: '2021-01-01T00:00:00Z',
  generation: 6,
  owners: { 'assigned-owner': 'original-owner' },
};
const owner = { apiVersion: Widget.apiVersion, kind: 'Widget', name: 'owner' };

function inKubernetes(metadata: object = {}): Resource<typeof Widget> {
  return {
    apiVersion: Widget.apiVersion,
    kind: 'Widget',
    metadata: {
      name: 'a',
      uid: 'assigned',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { note: 'seen', 'unikorn-cloud.org/origin': JSON.stringify(origin) },
      ownerReferences: [{ ...owner, uid: 'assigned-owner' }],
      ...metadata,
    },
    spec: { size: 1 },
  };
}

it('an object that was moved has the identity, times, generation and owners that it had before', () => {
  const decoded = decodeObject(Widget, inKubernetes({ deletionTimestamp: '2026-02-02T00:00:00Z' }));
  expect(decoded.metadata).toEqual({
    name: 'a',
    uid: 'original',
    resourceVersion: '5',
    generation: 8,
    creationTimestamp: '2020-01-01T00:00:00Z',
    deletionTimestamp: '2021-01-01T00:00:00Z',
    annotations: { note: 'seen' },
    ownerReferences: [{ ...owner, uid: 'original-owner' }],
  });
  expect(assignedUid(decoded)).toBe('assigned');
  expect(decodeObject(Widget, inKubernetes()).metadata.deletionTimestamp).toBeUndefined();
});

it('is written with the annotation and the assigned uids of owners', () => {
  const decoded = decodeObject(Widget, inKubernetes());
  const body = JSON.parse(encodeObject(Widget, decoded, originOf(decoded))) as Resource;
  expect(body.metadata.ownerReferences).toEqual([{ ...owner, uid: 'assigned-owner' }]);
  expect(JSON.parse(body.metadata.annotations?.['unikorn-cloud.org/origin'] ?? '')).toEqual(origin);
});

it.each(['{', '{"uid": 7}'])('an annotation that another tool has damaged is ignored: %s', (text) => {
  const decoded = decodeObject(Widget, inKubernetes({ annotations: { 'unikorn-cloud.org/origin': text } }));
  expect(decoded.metadata).toMatchObject({ uid: 'assigned', generation: 2 });
  expect(decoded.metadata.annotations).toBeUndefined();
});
