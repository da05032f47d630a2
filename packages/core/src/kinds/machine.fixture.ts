import { Type, type Static } from 'typebox';

import { labels } from '../resource/index.ts';
import { defineKind, type Draft, type Resource } from './index.ts';

/** A kind that uses every feature of a declaration. */
export const Machine = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Machine',
  plural: 'machines',
  spec: Type.Object({
    image: Type.String({ description: 'Where it boots from.', format: 'uuid' }),
    cores: Type.Integer({ minimum: 1, maximum: 64 }),
    load: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
    hostname: Type.Optional(Type.String({ pattern: '^[a-z]+$', maxLength: 63 })),
    power: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])),
    tier: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
    size: Type.Optional(Type.Enum(['small', 'large'])),
    disks: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          size_gib: Type.Integer({ minimum: 1 }),
          boot: Type.Optional(Type.Boolean()),
        }),
        { maxItems: 8 },
      ),
    ),
    options: Type.Optional(Type.Record(Type.String(), Type.String())),
    volumes: Type.Optional(Type.Record(Type.String(), Type.Object({ size_gib: Type.Integer() }))),
    placement: Type.Optional(Type.Object({ zone: Type.Optional(Type.String()), rack: Type.String() })),
    namespace: Type.Optional(Type.String()),
    extra: Type.Optional(Type.Unknown()),
  }),
  status: { address: Type.Optional(Type.String({ format: 'ipv4' })) },
  indexedLabels: [labels.project],
  immutable: [
    '/spec/image',
    '/spec/placement/zone',
    '/spec/options/boot~1order',
    '/spec/disks/0',
    '/spec/namespace',
    '/spec/extra',
    '/metadata/labels/unikorn-cloud.org~1organization',
  ],
  admission: [
    {
      rule: 'self.spec.cores + 1 <= 33 || (has(self.spec.tier) && self.spec.tier * 2 == 4)',
      message: 'more than 32 cores need tier 2',
    },
    {
      rule: '!has(self.spec.disks) || size(self.spec.disks) == self.spec.disks.filter(disk, disk.size_gib % 2 == 0).size()',
      message: 'the size of a disk must be even',
    },
    {
      rule: '!has(self.spec.volumes) || self.spec.volumes.all(name, self.spec.volumes[name].size_gib + 1 > 1)',
      message: 'a volume must hold something',
    },
    {
      rule: 'self.kind == "Machine" && self.metadata.name != "none"',
      message: 'a machine must not have the name none',
    },
    { rule: '!has(self.spec.load) || self.spec.load * 2.0 < 1.8', message: 'the load must stay under 0.9' },
    { rule: 'self.spec.cores >= oldSelf.spec.cores', message: 'the number of cores cannot be reduced' },
  ],
});

export type MachineSpec = Static<(typeof Machine)['spec']>;

export const imageId = 'b059b3e6-9ae5-42b7-94b4-f42fb7a6baee';

export function machine(
  spec: Partial<MachineSpec> = {},
  metadata: Partial<Draft['metadata']> = {},
): Draft<typeof Machine> {
  return { metadata: { name: 'a-machine', ...metadata }, spec: { image: imageId, cores: 4, ...spec } };
}

export function stored(draft: Draft<typeof Machine>): Resource<typeof Machine> {
  const added = { uid: imageId, resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  return {
    apiVersion: Machine.apiVersion,
    kind: Machine.kind,
    metadata: { ...draft.metadata, ...added },
    spec: draft.spec,
  };
}
