import { allowsOrganization, demand } from '@unikorn/core/access';
import { itemRoute, type Item, type Route } from '@unikorn/core/http';
import { isReservedTag, type Tag } from '@unikorn/core/resource';
import { placementOf } from '@unikorn/identity/client';
import { Image } from '@unikorn/region/client';

import { InstancePath } from '../../api/common.ts';
import { InstanceSnapshotCreate } from '../../api/instances.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';
import { demandOn, refuseDeleted, serverOf, type Acting } from './verbs.ts';

/** The tag of an image with the id of the instance that it was taken from. */
const sourceTag = 'compute.unikorn-cloud.org:instance-id';

/** The tags of a snapshot: those of the request without reserved ones, and the id of the instance. */
export function snapshotTags(tags: readonly Tag[] = [], instanceId: string): readonly Tag[] {
  return [...tags.filter(({ name }) => !isReservedTag(name)), { name: sourceTag, value: instanceId }];
}

export function snapshotRoute({ regionClient, resolve }: Acting, item: Item<typeof ComputeInstance>): Route {
  return itemRoute({
    tags: ['Instances'],
    security: 'bearer',
    method: 'POST',
    path: '/api/v2/instances/{instanceID}/snapshot',
    operationId: 'snapshotInstance',
    summary: 'Create an image from the disk of an instance',
    params: InstancePath,
    body: InstanceSnapshotCreate,
    responses: { 201: Image },
    idempotency: 'replay',
    records: 'snapshot',
    item,
    verb: 'read',
    actions: ['snapshot'],
    check: (instance, asking) => {
      demandOn(asking, endpoints.snapshot, 'create', instance);
      // Region checks whether compute may create images. Compute must check whether the user may.
      demand(
        allowsOrganization(
          asking.acl,
          endpoints.snapshotImages,
          'create',
          placementOf(instance.metadata).organizationId,
        ),
        endpoints.snapshotImages,
        'create',
      );
      refuseDeleted(instance);
    },
    handler: async ({ body, newId }, instance) => {
      const tags = snapshotTags(body.metadata.tags, instance.metadata.name);
      return {
        status: 201,
        body: await regionClient.snapshot(
          ...(await serverOf(resolve, instance)),
          { metadata: { ...body.metadata, tags: [...tags] }, spec: {} },
          newId('snapshot'),
        ),
      };
    },
  });
}
