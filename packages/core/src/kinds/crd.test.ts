import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, it } from 'vitest';

import { admit, customResourceDefinition, defineKind, definitions } from './index.ts';
import { imageId, Machine, machine, stored, type MachineSpec } from './machine.fixture.ts';
import type { StructuralSchema } from './structural.ts';

function schemaOf(kind: Parameters<typeof customResourceDefinition>[0]): StructuralSchema {
  const [version] = customResourceDefinition(kind).spec.versions;
  if (!version) throw new Error('a definition without versions');
  return version.schema.openAPIV3Schema;
}

function isSchema(value: unknown): value is StructuralSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The rules for structural schemas from the Kubernetes documentation. */
function structuralDefects(schema: StructuralSchema, path: string): string[] {
  const forbidden = [
    '$ref',
    'definitions',
    'dependencies',
    'id',
    'patternProperties',
    'const',
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'uniqueItems',
    'default',
    'nullable',
  ];
  const defects = forbidden.filter((keyword) => keyword in schema).map((keyword) => `${path} has ${keyword}`);
  if (!('type' in schema) && schema['x-kubernetes-preserve-unknown-fields'] !== true)
    defects.push(`${path} has no type`);
  if ('properties' in schema && 'additionalProperties' in schema)
    defects.push(`${path} has properties and additionalProperties`);
  if (typeof schema['exclusiveMinimum'] === 'number' || typeof schema['exclusiveMaximum'] === 'number')
    defects.push(`${path} has a numeric exclusive bound`);
  const { properties, items, additionalProperties } = {
    properties: {},
    items: undefined,
    additionalProperties: undefined,
    ...schema,
  };
  const children = [
    ...Object.entries(properties),
    ['items', items] as const,
    ['additionalProperties', additionalProperties] as const,
  ];
  return [
    ...defects,
    ...children.flatMap(([name, child]) => (isSchema(child) ? structuralDefects(child, `${path}/${name}`) : [])),
  ];
}

it('the definition of a kind that uses everything is the reviewed one', async () => {
  await expect(`${JSON.stringify(customResourceDefinition(Machine), undefined, 2)}\n`).toMatchFileSnapshot(
    '__snapshots__/machine.crd.json',
  );
});

it('a schema is structural at every level', () => {
  expect(structuralDefects(schemaOf(Machine), '')).toEqual([]);
});

it('a kind without a controller shows no status column, and one without rules has none', () => {
  const kind = defineKind({
    group: 'test.unikorn-cloud.org',
    version: 'v1',
    kind: 'Note',
    plural: 'notes',
    realisation: 'static',
    spec: Type.Object({}),
    status: {},
  });
  expect(
    customResourceDefinition(kind).spec.versions[0]?.additionalPrinterColumns.map((column) => column.name),
  ).toEqual(['Display name', 'Age']);
  expect(schemaOf(kind)).not.toHaveProperty('x-kubernetes-validations');
});

it('two kinds with the same id are refused', () => {
  expect(definitions([Machine])).toHaveLength(1);
  expect(() => definitions([Machine, { ...Machine }])).toThrow(
    'machines.test.unikorn-cloud.org is declared more than once',
  );
});

it('the rules given to Kubernetes refuse exactly the changes that admission refuses', () => {
  const shown = new Environment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
  const kind = defineKind({
    group: 'test.unikorn-cloud.org',
    version: 'v1',
    kind: 'Machine',
    plural: 'machines',
    spec: Machine.spec,
    status: {},
    immutable: [
      '/spec/image',
      '/spec/placement/zone',
      '/spec/options/boot~1order',
      '/spec/disks/0/name',
      '/spec/disks',
    ],
  });
  const rules = (schemaOf(kind)['x-kubernetes-validations'] as { rule: string }[]).map(({ rule }) => shown.parse(rule));
  const text = fc.constantFrom('a', 'b');
  const specs = fc.record<MachineSpec, 'image' | 'cores'>(
    {
      image: fc.constant(imageId),
      cores: fc.constantFrom(1, 2),
      placement: fc.record({ zone: text, rack: text }, { requiredKeys: ['rack'] }),
      options: fc.dictionary(fc.constantFrom('boot/order', 'other'), text),
      disks: fc.array(fc.record({ name: text, size_gib: fc.constantFrom(1, 2) }), { maxLength: 2 }),
    },
    { requiredKeys: ['image', 'cores'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(specs, specs, (before, after) => {
      const allowed = rules.every((holds) => holds({ self: { spec: after }, oldSelf: { spec: before } }) === true);
      const attempt = () => {
        admit(kind, machine(after), stored(machine(before)));
      };
      if (allowed) expect(attempt).not.toThrow();
      else expect(attempt).toThrow('cannot be changed after creation');
    }),
    { numRuns: 500, seed: 1 },
  );
});
