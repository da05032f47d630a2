import { Type } from 'typebox';
import { expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { referenceOf, referencesOf, withFinalizer, withoutFinalizer } from './index.ts';

const Server = defineKind({ group: 'region.unikorn-cloud.org', version: 'v1alpha1', kind: 'Server', plural: 'servers', spec: Type.Object({}), status: {} });
const id = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';

it('a reference names the kind and id of the user', () => {
  expect(referenceOf(Server, id)).toBe(`servers.region.unikorn-cloud.org/${id}`);
});

it('the references of an object are its finalizers without the framework’s and the store’s', () => {
  const finalizers = ['unikorn', referenceOf(Server, id), 'foregroundDeletion', 'bare', 'a.b/c/d'];
  expect(referencesOf({ finalizers })).toEqual([
    { kind: 'servers.region.unikorn-cloud.org', id },
    { kind: 'bare', id: '' },
    { kind: 'a.b', id: 'c/d' },
  ]);
  expect(referencesOf({ finalizers: ['unikorn', 'foregroundDeletion'] })).toEqual([]);
  expect(referencesOf({})).toEqual([]);
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
