import { Type } from 'typebox';

import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

const id = Type.String({ format: 'uuid' });

export const LotPath = Type.Object({ lotID: id });
export const PermitPath = Type.Object({ permitID: id });

export const LotCreate = Type.Object(
  {
    metadata: WireWriteMetadata,
    spec: Type.Object({ organizationId: id, spaces: Type.Integer({ minimum: 1, maximum: 500 }) }),
  },
  { $id: 'lotCreate' },
);

export const LotRead = Type.Object(
  {
    metadata: WireOrganizationScopedMetadata,
    spec: Type.Object({ spaces: Type.Integer() }),
    status: Type.Object({ free: Type.Integer() }),
  },
  { $id: 'lotRead' },
);

export const PermitCreate = Type.Object(
  {
    metadata: WireWriteMetadata,
    spec: Type.Object({
      lotId: id,
      plate: Type.String({ pattern: '^[A-Z0-9-]{2,10}$', description: '2 to 10 capital letters, digits and hyphens' }),
    }),
  },
  { $id: 'permitCreate' },
);

export const PermitRead = Type.Object(
  {
    metadata: WireOrganizationScopedMetadata,
    spec: Type.Object({ lotId: Type.String(), plate: Type.String() }),
    status: Type.Object({ space: Type.Integer(), admittedAt: Type.Optional(Type.String({ format: 'date-time' })) }),
  },
  { $id: 'permitRead' },
);

export const PermitQuery = Type.Object({
  organizationID: Type.Optional(Type.Array(id)),
  lotID: Type.Optional(Type.Array(id)),
});
