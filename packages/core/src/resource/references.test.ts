import { Type } from 'typebox';
import { expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { foreignFinalizers, parseReference, referenceOf, withFinalizer, withoutFinalizer } from './index.ts';

const Server = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Server',
  plural: 'servers',
  spec: Type.Object({}),
  status: {},
});
const id = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';

it('a reference names the kind and id of the user', () => {
  expect(referenceOf(Server, id)).toBe(`servers.region.unikorn-cloud.org/${id}`);
});

it('foreign finalizers are those that neither the framework nor the store added', () => {
  expect(foreignFinalizers({ finalizers: ['unikorn', referenceOf(Server, id), 'foregroundDeletion', 'bare'] })).toEqual(
    [referenceOf(Server, id), 'bare'],
  );
  expect(foreignFinalizers({})).toEqual([]);
});

it('a reference is read back as it was written, and so is any other text', () => {
  expect(parseReference(referenceOf(Server, id))).toEqual({ kind: Server.id, id });
  expect(parseReference('bare')).toEqual({ kind: 'bare', id: '' });
  expect(parseReference('a.b/c/d')).toEqual({ kind: 'a.b', id: 'c/d' });
});

it('a finalizer is added once', () => {
  expect(withFinalizer({}, 'unikorn')).toEqual(['unikorn']);
  expect(withFinalizer({ finalizers: ['a'] }, 'unikorn')).toEqual(['a', 'unikorn']);
  expect(withFinalizer({ finalizers: ['unikorn', 'a'] }, 'unikorn')).toEqual(['unikorn', 'a']);
});

it('a finalizer is removed, present or not', () => {
  expect(withoutFinalizer({ finalizers: ['unikorn', 'a'] }, 'unikorn')).toEqual(['a']);
  expect(withoutFinalizer({ finalizers: ['a'] }, 'unikorn')).toEqual(['a']);
  expect(withoutFinalizer({}, 'unikorn')).toEqual([]);
});
