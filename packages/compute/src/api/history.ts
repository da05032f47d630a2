import { Type } from 'typebox';

import { historySchema } from '@unikorn/core/history';
import { IdFilter } from '@unikorn/core/http';
import { limits } from '@unikorn/core/limits';

export const InstanceHistoryRead = historySchema('instanceHistory');

export const DeletedInstanceQuery = Type.Object({
  organizationID: IdFilter,
  projectID: IdFilter,
  regionID: IdFilter,
  networkID: IdFilter,
  /** Names are as long as a label value may be. */
  name: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.labelLength }), {
      maxItems: 100,
      description: 'only instances with one of these names',
    }),
  ),
});

const DeletedInstanceRead = Type.Object(
  {
    metadata: Type.Object({
      id: Type.String({
        description:
          'identifier of its history; later instances with the same name in the same network have the same identifier',
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
