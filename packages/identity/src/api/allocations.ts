import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireProjectScopedMetadata, WireReference, WireWriteMetadata } from '@unikorn/core/resource';

import { ProjectPath } from './common.ts';

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Stored as a label, so that the allocation of a resource can be found. */
const Word = Type.String({ maxLength: 63, pattern: '^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$' });

const ResourceAllocation = Type.Object(
  { kind: Type.String({ maxLength: fieldLimits.words }), committed: Amount, reserved: Amount },
  { $id: 'resourceAllocation' },
);

const AllocationSpec = Type.Object(
  {
    kind: Word,
    id: Word,
    allocations: Type.Array(ResourceAllocation, { maxItems: fieldLimits.quotaKinds, $id: 'resourceAllocationList' }),
  },
  { $id: 'allocationSpec' },
);

export const AllocationWrite = Type.Object(
  { metadata: WireWriteMetadata, spec: AllocationSpec },
  { $id: 'allocationWrite' },
);
export const AllocationRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: AllocationSpec },
  { $id: 'allocationRead' },
);
export const Allocations = Type.Array(AllocationRead, { $id: 'allocations' });
export const AllocationQuery = Type.Object({
  kind: Type.Optional(Type.String({ maxLength: 63, description: 'kind of the charged resources' })),
});
export const AllocationPath = Type.Object({ ...ProjectPath.properties, allocationID: Type.String({ format: 'uuid' }) });

export const ReferencePath = Type.Object({ ...ProjectPath.properties, reference: WireReference });
