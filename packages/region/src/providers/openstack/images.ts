import {
  absent,
  byName,
  isProviderFailure,
  isWanted,
  ProviderFailure,
  type Image,
  type ImageDescription,
  type ImageQuery,
  type Images,
  type Removed,
} from '../../provider/index.ts';
import { glance, nova, type Session } from './client/index.ts';
import { identityProperty, imageOf, isTrusted, organizationProperty, requestProperty } from './image-properties.ts';
import { importImage } from './imports.ts';
import { projectOf } from './region.ts';
import type { Snapshots } from './snapshots.ts';
import type { Tenant } from './tenants.ts';
import type { Uploads } from './uploads.ts';

export interface ImageParts {
  /** The region's user in the region's own project. */
  readonly region: () => Promise<Session>;
  /** The region's user in another project, where it is the manager. */
  readonly manager: (projectId: string) => Promise<Session>;
  /** With a signing key, images of the cloud need a signature. */
  readonly signingKey?: string | undefined;
  /** Called with the id of an identity after one of its snapshots was deleted. */
  readonly released: (identityId: string) => Promise<void>;
  /** The projects in the cloud of the identities of an organization. */
  readonly projectsOf: (organizationId: string) => Promise<readonly string[]>;
  readonly uploads: Pick<Uploads, 'begin' | 'resume' | 'forget'>;
  readonly snapshots: Pick<Snapshots, 'make' | 'publish' | 'forget'>;
}

/**
 * Images on Glance. The images of the cloud are public. The image of an organization is `shared`: the cloud shows it to
 * its owner and to the projects that it was shared with, and to no other tenant. It is shared with a project when a
 * server there needs it, so its members are also the projects in which servers may use it.
 */
export class OpenstackImages implements Images {
  readonly #parts: ImageParts;

  constructor(parts: ImageParts) {
    this.#parts = parts;
  }

  /**
   * Includes snapshots that are still being made. Those that are complete are shared with the region first. Uploads
   * whose process died are continued.
   */
  async list(query: ImageQuery = {}): Promise<readonly Image[]> {
    const unpublished = (await this.#parts.snapshots.publish()).map(({ image }) => image);
    const uploads = await this.#parts.uploads.resume();
    const seen = (await glance.listImages(await this.#parts.region(), {})).map((image) =>
      shownIn(uploads.get(image.id), image),
    );
    const found = [...seen, ...unpublished.filter(({ id }) => !seen.some((image) => image.id === id))];
    const offered = found
      .filter((image) => isTrusted(image, this.#parts.signingKey))
      .flatMap((one) => imageOf(one) ?? []);
    return byName(offered.filter((image) => isWanted(image, query)));
  }

  async import(image: ImageDescription, uri: string): Promise<Image> {
    return described(await importImage(await this.#parts.region(), this.#parts.uploads, image, uri));
  }

  async remove(id: string): Promise<Removed> {
    const session = await this.#parts.region();
    const image = await this.#find(session, id);
    if (!image || image.status === 'pending_delete') return absent;
    // Glance shows an image in this state only while it deletes the data.
    if (image.status === 'deleted') return { state: 'pending', reason: 'the image is being deleted' };
    if (glance.propertyOf(image, organizationProperty) === undefined)
      throw new ProviderFailure('permission', 'the image belongs to the cloud');
    const regionProjectId = await projectOf(session);
    const ownerId = image.owner ?? regionProjectId;
    const owner = ownerId === regionProjectId ? session : await this.#parts.manager(ownerId);
    const projects = [...(await projectsOf(owner, image)), ...(await this.#othersOf(image))];
    for (const projectId of new Set(projects.filter((project) => project !== regionProjectId)))
      if (await this.#isUsedIn(projectId, id)) throw new ProviderFailure('in_use', 'servers still run on the image');
    await glance.deleteImage(owner, id);
    await this.#parts.uploads.forget(id);
    const requestId = glance.propertyOf(image, requestProperty);
    if (requestId !== undefined) await this.#parts.snapshots.forget(requestId);
    const identityId = glance.propertyOf(image, identityProperty);
    if (identityId !== undefined) await this.#parts.released(identityId);
    return absent;
  }

  /** Lets servers of a project use an image. Called before a server is made or rebuilt. */
  async share(imageId: string, projectId: string): Promise<void> {
    const session = await this.#parts.region();
    const image = await glance.getImage(session, imageId);
    if (!image) throw new ProviderFailure('not_found', 'the image does not exist');
    if (image.visibility !== 'shared' || image.owner === projectId) return;
    const owner = image.owner === (await projectOf(session)) ? session : await this.#parts.manager(image.owner ?? '');
    await glance.addImageMember(owner, imageId, projectId);
  }

  /** An image of the disk of a server, in the project of the server. */
  async snapshot(tenant: Tenant, serverId: string, identityId: string, image: ImageDescription): Promise<Image> {
    return described(await this.#parts.snapshots.make(tenant, serverId, identityId, image));
  }

  async #find(session: Session, id: string): Promise<glance.GlanceImage | undefined> {
    const unpublished = (await this.#parts.snapshots.publish()).find(({ image }) => image.id === id);
    if (unpublished) return { ...unpublished.image, owner: unpublished.projectId };
    return glance.getImage(session, id);
  }

  /**
   * The original of this platform made the images of an organization public. So servers of all its identities may use
   * them, without a trace at the image.
   */
  async #othersOf(image: glance.GlanceImage): Promise<readonly string[]> {
    const organizationId = glance.propertyOf(image, organizationProperty);
    if (organizationId === undefined || image.visibility === 'shared' || image.visibility === 'private') return [];
    return this.#parts.projectsOf(organizationId);
  }

  async #isUsedIn(projectId: string, imageId: string): Promise<boolean> {
    try {
      return await nova.usesImage(await this.#parts.manager(projectId), imageId);
    } catch (error) {
      // The project is gone, and its servers with it.
      if (isProviderFailure(error, 'permission', 'not_found')) return false;
      throw error;
    }
  }
}

/** An image that this platform uploads is complete when its record is gone. */
function shownIn(upload: 'running' | 'failed' | undefined, image: glance.GlanceImage): glance.GlanceImage {
  if (upload === 'failed') return { ...image, status: 'killed' };
  return upload === 'running' && image.status === 'active' ? { ...image, status: 'saving' } : image;
}

/** The project that has an image, and those that it is shared with. */
async function projectsOf(
  owner: Session,
  { id, owner: ownerId, visibility }: glance.GlanceImage,
): Promise<readonly string[]> {
  const members = visibility === 'shared' ? await glance.listImageMembers(owner, id) : [];
  return [...members.map(({ member_id: projectId }) => projectId), ...(ownerId ? [ownerId] : [])];
}

function described(image: glance.GlanceImage): Image {
  const shown = imageOf(image);
  if (shown) return shown;
  throw new ProviderFailure('inconsistent', 'the cloud has changed the properties of the image', {
    cause: new Error(`image ${image.id} does not have the properties that it was made with`),
  });
}
