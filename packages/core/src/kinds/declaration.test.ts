import { Type, type TObject, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';

import { defineKind, type KindDeclaration } from './index.ts';

const sound = {
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Note',
  plural: 'notes',
  spec: Type.Object({
    text: Type.String(),
    size: Type.Optional(Type.Integer()),
    lines: Type.Optional(Type.Array(Type.String())),
    tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    extra: Type.Optional(Type.Unknown()),
    namespace: Type.Optional(Type.String()),
  }),
  status: {},
};

const define = (change: Partial<KindDeclaration<TObject, Record<string, TSchema>>>) => () =>
  defineKind({ ...sound, ...change });

it('a valid declaration is completed', () => {
  const kind = define({ status: { ready: Type.Optional(Type.Boolean()) } })();
  expect(kind).toMatchObject({
    id: 'notes.test.unikorn-cloud.org',
    apiVersion: 'test.unikorn-cloud.org/v1alpha1',
    realisation: 'controlled',
    indexedLabels: [],
    immutable: [],
    admission: [],
  });
  expect(Object.keys(kind.status.properties)).toEqual(['ready', 'conditions', 'observedGeneration', 'retry']);
});

it('all defects are reported at once', () => {
  expect(define({ group: 'X', kind: 'note' })).toThrow(
    /the declaration of note must be corrected: the group .*; the kind must be CamelCase/,
  );
});

it.each<[string, Partial<KindDeclaration<TObject, Record<string, TSchema>>>]>([
  ['the group must', { group: 'nodots' }],
  ['the group must', { group: 'Upper.case' }],
  ['the version must', { version: '1' }],
  ['the version must', { version: 'v0' }],
  ['the kind must be CamelCase', { kind: 'some_note' }],
  ['the plural must', { plural: 'Notes' }],
  ['the plural must', { plural: '-notes' }],
  ['the label a b is not a label key', { indexedLabels: ['a b'] }],
  ['the label a b is not a label key', { requiredLabels: ['a b'] }],
  ['a label is indexed twice', { indexedLabels: ['a', 'a'] }],
  ['/status/ready must be optional', { status: { ready: Type.Boolean() } }],
  [
    '/status/conditions is reserved for the framework',
    { status: { conditions: Type.Optional(Type.Array(Type.String())) } },
  ],
])('%s', (defect, change) => {
  expect(define(change)).toThrow(defect);
});

describe('immutable pointers', () => {
  it.each([
    '/spec',
    '/spec/text',
    '/spec/tags',
    '/spec/tags/any~1key',
    '/spec/lines/0',
    '/spec/extra',
    '/metadata/labels/a.b~1c',
  ])('%s is accepted', (pointer) => {
    expect(define({ immutable: [pointer] })).not.toThrow();
  });

  it.each([
    '',
    'spec/text',
    '/status/x',
    '/metadata/name',
    '/metadata/labels',
    '/metadata/annotations/a',
    '/spec/missing',
    '/spec/text/deeper',
    '/spec/lines/first',
    '/spec/toString',
  ])('%j is refused', (pointer) => {
    expect(define({ immutable: [pointer] })).toThrow(pointer);
  });
});

describe('rules', () => {
  it.each([
    'self.spec.text != ""',
    'has(self.spec.size) && self.spec.size + 1 > 2',
    'self.spec.text == oldSelf.spec.text',
    'self.metadata.name.startsWith("a")',
    '!has(self.status.conditions)',
    'self.spec.lines.all(line, line.size() < 80)',
  ])('%s is accepted', (rule) => {
    expect(define({ admission: [{ rule, message: 'm' }] })).not.toThrow();
  });

  it.each<[string, string]>([
    ['does not parse', 'self.spec.size >'],
    ['names a variable that is not there', 'other.spec.text == ""'],
    ['misspells a field', 'self.spec.txt == ""'],
    ['compares what cannot be compared', 'self.spec.size == "1"'],
    ['names labels, which Kubernetes does not show', 'self.metadata.labels["a"] == "b"'],
    ['names a field of unknown form, which Kubernetes does not show', 'self.spec.extra == 1'],
    ['names a field that Kubernetes shows under another name', 'self.spec.namespace == "a"'],
    ['calls a function that is not there', 'rhymes(self.spec.text)'],
    ['answers neither yes nor no', 'self.spec.size + 1'],
  ])('one that %s is refused', (_, rule) => {
    expect(define({ admission: [{ rule, message: 'm' }] })).toThrow(`the rule ${rule}`);
  });

  it.each(['', 'two\nlines'])('the message %j is refused', (message) => {
    expect(define({ admission: [{ rule: 'true', message }] })).toThrow('must be one line of text');
  });
});

describe('schemas that Kubernetes could not hold', () => {
  it.each<[string, TSchema]>([
    ['a union of objects', Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])],
    ['a nullable', Type.Union([Type.String(), Type.Null()])],
    ['literals of several types', Type.Union([Type.Literal('a'), Type.Literal(1)])],
    ['an intersection', Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])],
    ['a tuple', Type.Tuple([Type.String()])],
    ['null', Type.Null()],
    ['a reference', Type.Ref('Other')],
    ['a refinement', Type.Refine(Type.String(), (text) => text !== '')],
    ['a record with patterned keys', Type.Record(Type.TemplateLiteral('a${string}'), Type.String())],
    ['unique items', Type.Array(Type.String(), { uniqueItems: true })],
    ['a default, which the embedded store would not fill in', Type.String({ default: 'x' })],
    ['a format Kubernetes ignores', Type.String({ format: 'json-pointer' })],
    ['a pattern with lookahead', Type.String({ pattern: '^(?!a)' })],
    ['a pattern with a back reference', Type.String({ pattern: '(a)\\1' })],
    ['additional properties', Type.Object({ a: Type.String() }, { additionalProperties: true })],
  ])('%s is refused, naming the place', (_, schema) => {
    expect(define({ spec: Type.Object({ deep: Type.Array(Type.Object({ field: schema })) }) })).toThrow(
      '/spec/deep/*/field: ',
    );
  });
});
