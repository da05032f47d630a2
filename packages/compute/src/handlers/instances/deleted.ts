import type { Static } from 'typebox';

import { collectionRoute, scopedView, type Route } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { DeletedInstanceQuery, DeletedInstancesRead } from '../../api/history.ts';
import { GoneInstance, historyLabels } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';

type Wire = DeepReadonly<Static<typeof DeletedInstancesRead>>[number];

/** Deleted instances, as long as their histories are kept. */
export function deletedInstancesRoute(): Route {
  return collectionRoute({
    tags: ['Instances'],
    security: 'bearer',
    path: '/api/v2/deletedinstances',
    operationId: 'listDeletedInstances',
    summary: 'List the deleted instances whose history is still kept',
    query: DeletedInstanceQuery,
    response: DeletedInstancesRead,
    kind: GoneInstance,
    view: ({ acl, query: { organizationID: organizationIds, projectID: projectIds, regionID, networkID, name } }) => {
      const asked = {
        ...(regionID ? { [labels.region]: regionID } : {}),
        ...(networkID ? { [labels.network]: networkID } : {}),
        ...(name ? { [labels.name]: name } : {}),
      };
      return scopedView(acl, endpoints.instances, { organizationIds, projectIds }, matching(asked));
    },
    known: ({ metadata: { labels: carried = {} } }) => ({
      id: carried[historyLabels.subject] ?? '',
      name: carried[labels.name] ?? '',
    }),
    present,
  });
}

function present({ metadata: { labels: carried = {} }, spec }: GoneInstance): Wire {
  const said = (label: string) => carried[label] ?? '';
  const { createdAt: creationTime, deletedAt: deletionTime, flavorId, imageId } = spec;
  return {
    metadata: {
      id: said(historyLabels.subject),
      name: said(labels.name),
      organizationId: said(labels.organization),
      projectId: said(labels.project),
      creationTime,
      deletionTime,
    },
    spec: { flavorId, imageId },
    status: { regionId: said(labels.region), networkId: said(labels.network) },
  };
}
