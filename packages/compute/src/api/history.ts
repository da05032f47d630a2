import { Type } from 'typebox';

import { IdFilter } from '@unikorn/core/http';
import { limits } from '@unikorn/core/limits';

import { InstanceHistory } from '../kinds/index.ts';

/** More than anybody reads in one go. */
const entries = { most: 1_000, usually: 100 };

export const HistoryQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: entries.most,
      description: `at most this many of the latest entries, else ${entries.usually}`,
    }),
  ),
  continue: Type.Optional(
    Type.String({ maxLength: 64, description: 'from the header Continue of a page: the entries before it' }),
  ),
});

export const defaultHistoryLimit = entries.usually;

export const HistoryRead = Type.Array(
  Type.Object(InstanceHistory.spec.properties.entries.items.properties, { $id: 'instanceHistoryEntry' }),
  { $id: 'instanceHistoryRead' },
);

export const DeletedInstanceQuery = Type.Object({
  organizationID: IdFilter,
  projectID: IdFilter,
  regionID: IdFilter,
  networkID: IdFilter,
  /** Names are as long as a label may be. */
  name: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.labelLength }), {
      maxItems: 100,
      description: 'only those that were called like this',
    }),
  ),
});

const DeletedInstanceRead = Type.Object(
  {
    metadata: Type.Object({
      id: Type.String({
        description: 'what its history is read by; another of the same name in the same network has the same',
      }),
      name: Type.String(),
      organizationId: Type.String(),
      projectId: Type.String(),
      creationTime: Type.String(),
      deletionTime: Type.String(),
    }),
    spec: Type.Object({ flavorId: Type.String(), imageId: Type.String() }),
    status: Type.Object({ regionId: Type.String(), networkId: Type.String() }),
  },
  { $id: 'deletedInstanceRead' },
);
export const DeletedInstancesRead = Type.Array(DeletedInstanceRead, { $id: 'deletedInstancesRead' });
