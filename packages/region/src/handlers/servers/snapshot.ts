import { allowsOrganization, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import { requestEvent, type History } from '@unikorn/core/history';
import { itemRoute, type Item, type Route } from '@unikorn/core/http';
import type { ObjectLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { ServerPath } from '../../api/common.ts';
import { ImageRead } from '../../api/images.ts';
import { SnapshotCreate } from '../../api/servers.ts';
import type { RegionContext } from '../../context.ts';
import { imageObject } from '../../history/index.ts';
import type { Server } from '../../kinds/index.ts';
import { labelOf, placementOf } from '../../placement.ts';
import type { Image, ImageDescription } from '../../provider/index.ts';
import { endpoints } from '../endpoints.ts';
import { imageIdFor } from '../images/identifier.ts';
import { imageTags } from '../images/import.ts';
import { presentImage } from '../images/present.ts';
import { demandImageRoom } from '../images/room.ts';
import { storedTags } from '../project-resources.ts';
import { askAbout, demandOn } from './verbs.ts';

export type Snapshotting = Pick<RegionContext, 'providers'> & {
  readonly objectLimits: Pick<ObjectLimits, 'images'>;
  readonly imageHistory: History;
};

export function snapshotRoute(context: Snapshotting, item: Item<typeof Server>): Route {
  return itemRoute({
    tags: ['Servers'],
    security: 'bearer',
    hidden: true,
    method: 'POST',
    path: '/api/v2/servers/{serverID}/snapshot',
    operationId: 'snapshotServer',
    summary: 'Create an image from the disk of a server',
    params: ServerPath,
    body: SnapshotCreate,
    responses: { 201: ImageRead },
    idempotency: 'replay',
    records: 'snapshot',
    item,
    verb: 'read',
    actions: ['snapshot'],
    check: (server, asking) => {
      const { organizationId } = placementOf(server.metadata);
      demandOn(asking, endpoints.serverSnapshot, 'create', server);
      demand(allowsOrganization(asking.acl, endpoints.images, 'create', organizationId), endpoints.images, 'create');
    },
    handler: async (request, server) => {
      const { body, caller } = request;
      const { organizationId } = placementOf(server.metadata);
      const { tags = [] } = storedTags(body.metadata.tags, caller);
      const { name, description } = body.metadata;
      const id = imageIdFor(request, server.metadata.name);
      const naming = { id, name, ...defined({ description }), organizationId, tags };
      const image = await askAbout(context, server, 'snapshot', async ({ images, servers }, identity, reference) => {
        const source = (await images.list({ availableTo: [organizationId] })).find(
          ({ id }) => id === server.spec.image.id,
        );
        if (!source)
          throw new Problem('not_found', `image ${server.spec.image.id}, which the machine runs on, no longer exists`);
        await demandImageRoom(images, organizationId, context.objectLimits.images);
        return servers.snapshot(identity, reference, snapshotOf(source, naming));
      });
      // The cloud can have chosen another id than the one it was asked for.
      await context.imageHistory.commit(
        image.id,
        {
          ...requestEvent('create', request),
          outcome: 'accepted',
          message: `snapshot of ${labelOf(server.metadata, labels.name)}`,
        },
        imageObject(image, { organizationId, regionId: labelOf(server.metadata, labels.region) }),
      );
      return { status: 201, body: presentImage(image) };
    },
  });
}

type Naming = Pick<ImageDescription, 'id' | 'name' | 'description' | 'tags'> & { readonly organizationId: string };

/** What a snapshot contains is what the disk's image contains. The rest is from the request. */
export function snapshotOf(
  { architecture, virtualization, os, softwareVersions, gpu }: Image,
  { tags, ...naming }: Naming,
): ImageDescription {
  const ours = imageTags('snapshot', naming.organizationId);
  const theirs = tags.filter(({ name }) => !ours.some((own) => own.name === name));
  return {
    ...naming,
    tags: [...theirs, ...ours],
    architecture,
    virtualization,
    os,
    softwareVersions,
    ...(gpu ? { gpu } : {}),
  };
}
