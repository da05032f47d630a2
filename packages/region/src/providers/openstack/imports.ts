import { isProviderFailure, ProviderFailure, type ImageDescription } from '../../provider/index.ts';
import { glance, type Session } from './client/index.ts';
import { hardwareFor, propertiesOf, requestProperty } from './image-properties.ts';
import { projectOf } from './region.ts';
import { keepRequested } from './requested-images.ts';
import type { Uploads } from './uploads.ts';

/**
 * An image whose data comes from an address on the web. It belongs to the project of the region. The cloud fetches the
 * data; if it does not do that, this process does, and uploads it.
 */
export async function importImage(
  session: Session,
  uploads: Pick<Uploads, 'begin'>,
  image: ImageDescription,
  uri: string,
): Promise<glance.GlanceImage> {
  if (!isWebAddress(uri))
    throw new ProviderFailure('invalid', 'the address of the image must begin with http:// or https://');
  const canFetch = (await glance.importMethods(session)).includes('web-download');
  const found = (await glance.getImage(session, image.id)) ?? (await create(session, image));
  // Without data, either it is new, or the answer to an earlier attempt was lost before the data was asked for.
  if (found.status !== 'queued') return found;
  if (canFetch) await fetchData(session, found.id, uri);
  else await uploads.begin(found.id, uri);
  return (await glance.getImage(session, found.id)) ?? found;
}

function isWebAddress(uri: string): boolean {
  return URL.canParse(uri) && ['http:', 'https:'].includes(new URL(uri).protocol);
}

/** Glance takes the id that it is given. So a repeated call finds the image of the first one. */
async function create(session: Session, image: ImageDescription): Promise<glance.GlanceImage> {
  try {
    return await glance.createImage(session, { ...newImageOf(image), id: image.id });
  } catch (error) {
    if (!isProviderFailure(error, 'conflict')) throw error;
  }
  return (await glance.getImage(session, image.id)) ?? (await createAgain(session, image));
}

/**
 * Glance never gives the id of a deleted image to another one. An image is deleted, for example, if the cloud refuses
 * its address. The next one gets another id, and has the id of the request as a property.
 */
async function createAgain(session: Session, image: ImageDescription): Promise<glance.GlanceImage> {
  const owner = await projectOf(session);
  const found = await keepRequested(session, owner, image.id);
  if (found) return found;
  const { properties, ...fields } = newImageOf(image);
  const made = await glance.createImage(session, {
    ...fields,
    properties: { ...properties, [requestProperty]: image.id },
  });
  return (await keepRequested(session, owner, image.id)) ?? made;
}

function newImageOf(image: ImageDescription): glance.NewImage {
  return {
    name: image.name,
    visibility: image.organizationId === undefined ? 'public' : 'shared',
    diskFormat: 'raw',
    properties: { ...hardwareFor(image), ...propertiesOf(image) },
  };
}

async function fetchData(session: Session, id: string, uri: string): Promise<void> {
  try {
    await glance.importImage(session, id, uri);
  } catch (error) {
    // An attempt whose answer was lost has asked for the data.
    if (isProviderFailure(error, 'conflict')) return;
    if (!isProviderFailure(error, 'invalid')) throw error;
    await glance.deleteImage(session, id);
    throw new ProviderFailure(
      'invalid',
      'the cloud refuses to fetch an image from this address: it takes http and https on the usual ports, unless the platform operator allows more',
      { cause: error.cause },
    );
  }
}
