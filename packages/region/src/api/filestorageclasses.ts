import { Type } from 'typebox';

import { IdFilter } from '@unikorn/core/http';
import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { BodyId, Id, oneOf } from './common.ts';

const Protocols = Type.Array(oneOf(['nfsv3', 'nfsv4'], 'storageClassProtocolType'));
const Parallelism = Type.Integer({
  minimum: 1,
  description: 'number of addresses in a network that serve one file storage',
});

const StorageClassSpec = Type.Object(
  { regionId: Type.String(), protocols: Protocols, parallelism: Parallelism },
  { $id: 'storageClassV2Spec' },
);

export const StorageClassRead = Type.Object(
  { metadata: WireReadMetadata, spec: StorageClassSpec },
  { $id: 'storageClassV2Read' },
);
export const StorageClasses = Type.Array(StorageClassRead, { $id: 'storageClassListV2Read' });

/** The settings of a class, written by platform administrators. */
const StorageClassCreateSpec = Type.Object(
  {
    regionId: BodyId,
    organizationId: Type.Optional(
      Type.String({ ...BodyId, description: 'if set, only this organization can use the class' }),
    ),
    provisioner: Type.String({ minLength: 1, maxLength: 63 }),
    protocols: Type.Array(oneOf(['nfsv3', 'nfsv4'], 'storageClassProtocolType'), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
    }),
    parallelism: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { $id: 'storageClassV2CreateSpec' },
);
export const StorageClassCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: StorageClassCreateSpec },
  { $id: 'storageClassV2Create' },
);

export const StorageClassQuery = Type.Object({ regionID: IdFilter });
export const StorageClassPath = Type.Object({ fileStorageClassID: Id });
