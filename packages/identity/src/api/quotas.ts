import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';

import { oneOf } from './common.ts';

const Quantity = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const QuotaWrite = Type.Object(
  { kind: Type.String({ maxLength: fieldLimits.words }), quantity: Quantity },
  { $id: 'quotaWrite' },
);

/** A resource that uses part of a quota; shown on request. */
const QuotaAllocation = Type.Object(
  {
    id: Type.String({ description: 'the allocation' }),
    projectId: Type.String(),
    resource: Type.Object({ kind: Type.String(), id: Type.String() }),
    committed: Type.Integer(),
    reserved: Type.Integer(),
  },
  { $id: 'quotaAllocation' },
);

const QuotaRead = Type.Object(
  {
    kind: Type.String(),
    quantity: Type.Integer(),
    used: Type.Integer(),
    free: Type.Integer(),
    committed: Type.Integer(),
    reserved: Type.Integer(),
    displayName: Type.String(),
    description: Type.String(),
    default: Type.Integer(),
    format: oneOf(['decimal', 'binary'], 'quotaFormat'),
    allocations: Type.Optional(Type.Array(QuotaAllocation)),
  },
  { $id: 'quotaRead' },
);

export const QuotasWrite = Type.Object(
  { quotas: Type.Array(QuotaWrite, { maxItems: fieldLimits.quotaKinds, $id: 'quotaWriteList' }) },
  { $id: 'quotasWrite' },
);
export const QuotasRead = Type.Object(
  { quotas: Type.Array(QuotaRead, { $id: 'quotaReadList' }) },
  { $id: 'quotasRead' },
);
export const QuotasQuery = Type.Object({
  include: Type.Optional(
    Type.Unsafe<'allocations'>({
      type: 'string',
      enum: ['allocations'],
      description: 'also list the resources that use each quota, in the projects that you may read',
    }),
  ),
});
