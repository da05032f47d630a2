import { Type } from 'typebox';

import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { GroupIDs } from './common.ts';

const ServiceAccountSpec = Type.Object({ groupIDs: GroupIDs }, { $id: 'serviceAccountSpec' });
const ServiceAccountStatus = Type.Object(
  {
    expiry: Type.String({ format: 'date-time' }),
    accessToken: Type.Optional(Type.String({ description: 'shown only once, when it is issued' })),
  },
  { $id: 'serviceAccountStatus' },
);

const read = { metadata: WireOrganizationScopedMetadata, spec: ServiceAccountSpec, status: ServiceAccountStatus };

export const ServiceAccountWrite = Type.Object(
  { metadata: WireWriteMetadata, spec: ServiceAccountSpec },
  { $id: 'serviceAccountWrite' },
);
export const ServiceAccountRead = Type.Object(read, { $id: 'serviceAccountRead' });
export const ServiceAccountCreate = Type.Object(read, { $id: 'serviceAccountCreate' });
export const ServiceAccounts = Type.Array(ServiceAccountRead, { $id: 'serviceAccounts' });
