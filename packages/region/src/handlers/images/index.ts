import type { Static } from 'typebox';

import { allowsOrganization, type Acl } from '@unikorn/core/access';
import { Problem, toError } from '@unikorn/core/errors';
import type { History } from '@unikorn/core/history';
import {
  ActionsRead,
  allowedActions,
  explainRoute,
  isFound,
  route,
  type Request,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { ObjectLimits } from '@unikorn/core/limits';

import { OrganizationImagePath, OrganizationRegionPath, RegionPath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { ImageCreate, ImageQuery, ImageRead, Images } from '../../api/images.ts';
import type { RegionContext } from '../../context.ts';
import { explainImage, askForImage } from '../../explain/index.ts';
import { imageObject } from '../../history/index.ts';
import type { Region } from '../../kinds/index.ts';
import { imageSources } from '../../network/index.ts';
import type { Image, ImageQuery as ProviderQuery } from '../../provider/index.ts';
import { asked, regionFor } from '../../regions/index.ts';
import { seldomChanges } from '../catalogue/inventory.ts';
import { endpoints } from '../endpoints.ts';
import { storedTags } from '../project-resources.ts';
import { regionInOrganization } from '../reach.ts';
import { imageIdFor } from './identifier.ts';
import { checkHead, importedImage } from './import.ts';
import { presentImage, presentImages } from './present.ts';
import { isLocalName, isWebAddress, type Probe } from './probe.ts';
import { demandImageRoom } from './room.ts';
import { refuseWhileBooted } from './users.ts';

const endpoint = endpoints.images;
const common = { tags: ['Images'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/regions/{regionID}/images';

type ImageRequest = Pick<Request<DeepReadonly<Static<typeof OrganizationImagePath>>>, 'acl' | 'params' | 'runtime'>;

export interface ImageDeps extends RegionContext {
  readonly probe: Probe;
  readonly history: History;
  readonly objectLimits: Pick<ObjectLimits, 'images'>;
}

export function imageRoutes({ providers, probe, history, objectLimits }: ImageDeps): readonly Route[] {
  const imagesOf = async (region: Region, query: ProviderQuery) =>
    presentImages(await asked(() => providers.cloud(region).images.list(query)));
  const ownedImage = async (
    region: Region,
    { organizationID, imageID }: { readonly organizationID: string; readonly imageID: string },
  ): Promise<Image> => {
    const owned = await asked(() => providers.cloud(region).images.list({ ownedBy: [organizationID] }));
    const image = owned.find(({ id }) => id === imageID);
    if (!image) throw missing({ organizationID, imageID });
    return image;
  };
  /** The image is gone, whether or not this can be stored. */
  const recordDeletion = async ({ params, log }: ImageRequest & Pick<Request, 'log'>, image: Image): Promise<void> => {
    const place = { organizationId: params.organizationID, regionId: params.regionID };
    try {
      await history.recordDeletion(imageObject(image, place));
    } catch (error) {
      log.error({ err: toError(error), id: image.id }, 'the deletion of an image could not be recorded');
    }
  };
  /** Refuses a deletion that cannot be done now. The handler begins with it, and the list of actions asks it. */
  const deletableIn = async (request: ImageRequest): Promise<{ readonly region: Region; readonly image: Image }> => {
    const region = await regionInOrganization(request, endpoint, 'delete');
    const image = await ownedImage(region, request.params);
    await refuseWhileBooted(request.runtime, request.params);
    return { region, image };
  };
  return [
    route({
      ...common,
      method: 'GET',
      path: collection,
      operationId: 'listOrganizationImages',
      summary: 'List the images that servers of an organization can use',
      hidden: true,
      cacheControl: seldomChanges,
      params: OrganizationRegionPath,
      responses: { 200: Images },
      handler: async (request) => {
        const region = await regionInOrganization(request, endpoint, 'read');
        return {
          status: 200,
          body: await imagesOf(region, { availableTo: [request.params.organizationID], states: ['ready'] }),
        };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/api/v2/regions/{regionID}/images',
      operationId: 'listImages',
      summary: 'List images: public images, and images of the given organizations',
      params: RegionPath,
      query: ImageQuery,
      responses: { 200: Images },
      handler: async (request) => {
        const region = await regionFor(request, request.params.regionID);
        const images = await imagesOf(region, imageQuery(request.query, request.acl));
        return { status: 200, body: images.filter(({ metadata }) => isFound(metadata, request.query.search)) };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'importImage',
      summary: 'Import an image from a URL',
      params: OrganizationRegionPath,
      body: ImageCreate,
      responses: { 200: ImageRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { body, caller, params, signal } = request;
        const region = await regionInOrganization(request, endpoint, 'create');
        const { tags = [] } = storedTags(body.metadata.tags, caller);
        const { uri } = body.spec;
        const image = await asked(async () => {
          const { images } = providers.cloud(region);
          if (!isWebAddress(uri))
            throw new Problem('unprocessable_content', 'spec.uri: must be a URL that begins with http:// or https://');
          await demandImageRoom(images, params.organizationID, objectLimits.images);
          const privateSources = region.spec.openstack?.image?.privateSources ?? [];
          // A name of the local network can have an address that the operator allows.
          const isRefused = privateSources.length === 0 && isLocalName(uri);
          checkHead(isRefused ? { type: 'internal' } : await probe(uri, signal, imageSources(privateSources)));
          return images.import(
            importedImage(imageIdFor(request, region.metadata.name), params.organizationID, tags, body),
            uri,
          );
        });
        return { status: 200, body: presentImage(image) };
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${collection}/{imageID}`,
      operationId: 'deleteImage',
      summary: 'Delete an image of an organization; no server may use it',
      params: OrganizationImagePath,
      responses: { 202: null },
      records: 'delete',
      handler: async (request) => {
        const { region, image } = await deletableIn(request);
        await asked(() => providers.cloud(region).images.remove(image.id));
        await recordDeletion(request, image);
        return { status: 202 };
      },
    }),
    explainRoute({
      ...common,
      path: `${collection}/{imageID}/explain`,
      operationId: 'explainImage',
      summary: 'Explain the state of an image, and what can help',
      params: OrganizationImagePath,
      response: ExplanationRead,
      explain: async (request) => {
        const { acl, runtime } = request;
        const { organizationID, imageID } = request.params;
        const region = await regionInOrganization(request, endpoint, 'read');
        const answer = await askForImage(async () => {
          const images = await providers.cloud(region).images.list({ availableTo: [organizationID] });
          return images.find(({ id }) => id === imageID);
        });
        if (answer.type === 'answered' && !answer.image) throw missing({ organizationID, imageID });
        return explainImage({ ...runtime, acl }, region, imageID, answer);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${collection}/{imageID}/actions`,
      operationId: 'listImageActions',
      summary: 'List the actions that you can perform on an image now, and why others are not allowed',
      params: OrganizationImagePath,
      responses: { 200: ActionsRead },
      handler: async (request) => {
        const region = await regionInOrganization(request, endpoint, 'read');
        const { organizationID, imageID } = request.params;
        const available = await asked(() => providers.cloud(region).images.list({ availableTo: [organizationID] }));
        const image = available.find(({ id }) => id === imageID);
        if (!image) throw missing(request.params);
        const isPublic = image.organizationId !== organizationID;
        return {
          status: 200,
          body: isPublic
            ? [
                {
                  action: 'delete',
                  allowed: false,
                  reason: 'the image belongs to the region, not to your organization',
                },
              ]
            : await allowedActions({ delete: () => deletableIn(request) }),
        };
      },
    }),
  ];
}

function missing({ organizationID, imageID }: { readonly organizationID: string; readonly imageID: string }): Problem {
  return new Problem('not_found', `image ${imageID} does not exist in organization ${organizationID}`);
}

/**
 * Organizations whose images the caller may not read are left out silently. Without organizations, the query returns
 * the public images.
 */
function imageQuery(
  { organizationID, scope, status }: DeepReadonly<Static<typeof ImageQuery>>,
  acl: Acl,
): ProviderQuery {
  const organizations = (organizationID ?? []).filter((id) => allowsOrganization(acl, endpoint, 'read', id));
  const states = status ? { states: status } : {};
  return organizationID?.length && scope === 'owned'
    ? { ownedBy: organizations, ...states }
    : { availableTo: organizations, ...states };
}
