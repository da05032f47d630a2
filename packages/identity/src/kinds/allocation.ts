import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { deterministicId, labels, type Reference } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/** The quota usage of one resource. There is at most one for each resource, so a retried charge charges once. */
export const Allocation = defineKind({
  ...groupVersion,
  kind: 'Allocation',
  plural: 'allocations',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    /** `<plural>.<group>` and id of the charged resource. */
    kind: Type.String(),
    id: Type.String(),
    allocations: Type.Array(
      Type.Object({
        kind: Type.String(),
        committed: Type.Integer({ minimum: 0 }),
        reserved: Type.Integer({ minimum: 0 }),
      }),
    ),
  }),
  status: {},
  indexedLabels: [labels.project, labels.organization],
  immutable: [
    '/spec/kind',
    '/spec/id',
    `/metadata/labels/${labels.organization.replace('/', '~1')}`,
    `/metadata/labels/${labels.project.replace('/', '~1')}`,
  ],
});

export type Allocation = Resource<typeof Allocation>;

/** The ledger change that the allocation was last written for. */
export const changeAnnotation = 'identity.unikorn-cloud.org/ledger-change';

export function allocationIdOf(organizationId: string, { kind, id }: Reference): string {
  return deterministicId(organizationId, `${kind}/${id}`);
}
