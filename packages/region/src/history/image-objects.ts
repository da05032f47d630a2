import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import { allowsOrganization } from '@unikorn/core/access';
import { isProblem } from '@unikorn/core/errors';
import type { RecordedObjects } from '@unikorn/core/history';
import type { Request } from '@unikorn/core/http';
import { defineKind, isLabelValue, type Resource } from '@unikorn/core/kinds';
import { deterministicId, labels } from '@unikorn/core/resource';

import { endpoints } from '../handlers/endpoints.ts';
import type { Image } from '../provider/index.ts';
import { asked, regionFor, type Providers } from '../regions/index.ts';

/** Images are not stored here: they live at the provider. This kind only names them in their histories. */
export const ImageRecord = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Image',
  plural: 'images',
  realisation: 'static',
  spec: Type.Object({}),
  status: {},
});

type Described = Pick<Image, 'id' | 'name' | 'createdAt'>;

/** Where an image belongs. */
export interface ImagePlace {
  readonly organizationId: string;
  readonly regionId: string;
}

/** An image in the form of a stored object, for its history. */
export function imageObject(
  { id, name, createdAt }: Described,
  { organizationId, regionId }: ImagePlace,
): Resource<typeof ImageRecord> {
  const { apiVersion, kind } = ImageRecord;
  return {
    apiVersion,
    kind,
    metadata: {
      name: id,
      // A repeated import with the same idempotency key gets the same id again after the image was deleted.
      uid: deterministicId(id, createdAt),
      resourceVersion: '',
      generation: 1,
      creationTimestamp: createdAt,
      labels: {
        // Operators can give an image any name in the cloud.
        [labels.name]: isLabelValue(name) ? name : '',
        [labels.organization]: organizationId,
        [labels.region]: regionId,
      },
    },
    spec: {},
  };
}

/** The images that requests are about: the provider has those that exist, and a response describes a new one. */
export function imageObjects(providers: Providers): RecordedObjects {
  return {
    named: (request) => ownImage(request, providers),
    changed: (request) => ownImage(request, providers),
    created: ({ params }, body) => {
      if (!imported.Check(body)) return Promise.resolve(undefined);
      const { id, name, creationTime: createdAt } = body.metadata;
      return Promise.resolve(imageObject({ id, name, createdAt }, placeIn(params)));
    },
  };
}

const imported = Compile(
  Type.Object({ metadata: Type.Object({ id: Type.String(), name: Type.String(), creationTime: Type.String() }) }),
);

function placeIn({ organizationID = '', regionID = '' }: Request['params']): ImagePlace {
  return { organizationId: organizationID, regionId: regionID };
}

/** The image that a path names, if it belongs to the organization in the path. */
async function ownImage(request: Request, providers: Providers): Promise<Resource | undefined> {
  try {
    return await imageOf(request, providers, 'ownedBy');
  } catch (error) {
    // A request is answered, and its outcome recorded, although the cloud does not say whether the image exists.
    if (isProblem(error)) return undefined;
    throw error;
  }
}

/**
 * The image that a path names, if it belongs to the organization in the path, or is one that the organization can use,
 * and the caller may read it.
 */
export async function imageOf(
  request: Request,
  providers: Providers,
  relation: 'ownedBy' | 'availableTo',
): Promise<Resource | undefined> {
  const { imageID } = request.params;
  const place = placeIn(request.params);
  const { organizationId, regionId } = place;
  if (imageID === undefined || !allowsOrganization(request.acl, endpoints.images, 'read', organizationId))
    return undefined;
  const region = await regionFor(request, regionId);
  const images = await asked(() => providers.cloud(region).images.list({ [relation]: [organizationId] }));
  const image = images.find(({ id }) => id === imageID);
  return image && imageObject(image, place);
}
