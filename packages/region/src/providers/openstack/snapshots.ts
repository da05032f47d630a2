import { isProblem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { isProviderFailure, ProviderFailure, type ImageDescription } from '../../provider/index.ts';
import { glance, nova, type Session } from './client/index.ts';
import { identityProperty, propertiesOf, requestProperty } from './image-properties.ts';
import { OpenstackSnapshot } from './kinds.ts';
import { waits } from './limits.ts';
import { projectOf, stored } from './region.ts';
import { findRequested, keepRequested } from './requested-images.ts';
import type { Tenant } from './tenants.ts';

export interface SnapshotParts {
  readonly store: Store;
  readonly world: World;
  readonly regionId: string;
  /** The region's user in the region's own project. */
  readonly region: () => Promise<Session>;
  /** The region's user in another project, where it is the manager. */
  readonly manager: (projectId: string) => Promise<Session>;
}

/** A snapshot that the project of the region cannot see yet. */
export interface UnpublishedSnapshot {
  readonly projectId: string;
  readonly image: glance.GlanceImage;
}

/**
 * Images of the disks of servers. Nova makes them in the project of the server, with all their properties, and private.
 *
 * While Nova and Glance write the data, nothing else may change the image: Glance saves an image as a whole, in the
 * state in which a call has read it. So a change at the same time is lost when the data is complete, or it ends the
 * upload. The image is shared with the region when it is complete. A record remembers it until then, so that any
 * process can do that, also after a crash.
 */
export class Snapshots {
  readonly #parts: SnapshotParts;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** Nova chooses the id. So the id that was asked for is a property, by which a repeated call finds the image. */
  async make(
    tenant: Tenant,
    serverId: string,
    identityId: string,
    description: ImageDescription,
  ): Promise<glance.GlanceImage> {
    const { projectId } = tenant;
    const properties = propertiesOf(description);
    const manager = await this.#parts.manager(projectId);
    const found = await keepRequested(manager, projectId, description.id);
    if (found && found.visibility !== 'private') return found;
    await this.#remember(description.id, {
      projectId,
      properties: Object.fromEntries(Object.entries(properties).filter((property) => !isForNova(property))),
    });
    const id = found?.id ?? (await this.#create(tenant, serverId, identityId, description));
    const made = await glance.getImage(manager, id);
    if (!made) throw new ProviderFailure('transient', 'the snapshot is not in the catalogue of the cloud yet');
    return { ...made, ...properties };
  }

  /** A list can be older than the last change, so it is read again: a second image of the request is deleted. */
  async #create(
    { projectId, session }: Tenant,
    serverId: string,
    identityId: string,
    description: ImageDescription,
  ): Promise<string> {
    const id = await nova.createServerImage(session, serverId, {
      name: description.name,
      metadata: {
        ...Object.fromEntries(Object.entries(propertiesOf(description)).filter(isForNova)),
        [requestProperty]: description.id,
        [identityProperty]: identityId,
      },
    });
    return (await keepRequested(await this.#parts.manager(projectId), projectId, description.id))?.id ?? id;
  }

  /** Shares the snapshots that are complete with the region. Returns the others, which the region cannot see yet. */
  async publish(): Promise<readonly UnpublishedSnapshot[]> {
    const selector = matching({ [labels.region]: this.#parts.regionId });
    const { items } = await stored(() => this.#parts.store.list(OpenstackSnapshot, { selector, cached: true }));
    return (await Promise.all(items.map((record) => this.#settle(record)))).flatMap((image) => image ?? []);
  }

  async #settle({ metadata, spec }: OpenstackSnapshot): Promise<UnpublishedSnapshot | undefined> {
    const { projectId, properties } = spec;
    const image = await this.#read(projectId, metadata.name);
    if (!image) {
      const age_ms = this.#parts.world.now() - Date.parse(metadata.creationTimestamp);
      if (age_ms > waits.snapshot_ms) await this.forget(metadata.name);
      return undefined;
    }
    const described = { ...image, ...properties };
    if (isBeingMade(image)) return { projectId, image: described };
    try {
      await this.#share(image, spec);
    } catch (error) {
      if (!isProviderFailure(error)) throw error;
      // The client has logged it. Servers cannot use the image before it is shared.
      return { projectId, image: { ...described, status: 'saving' } };
    }
    await this.forget(metadata.name);
    return undefined;
  }

  /** Undefined if the image was deleted, or if the region may not look into its project, because it was deleted. */
  async #read(projectId: string, requestId: string): Promise<glance.GlanceImage | undefined> {
    try {
      return await findRequested(await this.#parts.manager(projectId), projectId, requestId);
    } catch (error) {
      if (isProviderFailure(error, 'permission', 'not_found')) return undefined;
      throw error;
    }
  }

  /** Every step can be repeated. */
  async #share(image: glance.GlanceImage, { projectId, properties }: OpenstackSnapshot['spec']): Promise<void> {
    const manager = await this.#parts.manager(projectId);
    const region = await this.#parts.region();
    const regionProjectId = await projectOf(region);
    await glance.updateImage(manager, image, { ...properties, visibility: 'shared' });
    await glance.addImageMember(manager, image.id, regionProjectId);
    await glance.acceptImage(region, image.id, regionProjectId);
  }

  async #remember(requestId: string, spec: OpenstackSnapshot['spec']): Promise<void> {
    const metadata = { name: requestId, labels: { [labels.region]: this.#parts.regionId } };
    await stored(async () => {
      try {
        await this.#parts.store.create(OpenstackSnapshot, { metadata, spec });
      } catch (error) {
        if (!isProblem(error, 'conflict')) throw error;
      }
    });
  }

  /** For one that was deleted or shared. */
  async forget(requestId: string): Promise<void> {
    await stored(async () => {
      try {
        await this.#parts.store.delete(OpenstackSnapshot, requestId);
      } catch (error) {
        if (!isProblem(error, 'not_found')) throw error;
      }
    });
  }
}

/** Other states are final. */
function isBeingMade({ status }: glance.GlanceImage): boolean {
  return ['queued', 'saving', 'importing', 'uploading'].includes(status);
}

/** Whether Nova takes a property with a new snapshot. The others are set when the image is complete. */
function isForNova([name, value]: readonly [string, string]): boolean {
  return /^[a-zA-Z0-9_:. -]{1,255}$/.test(name) && value.length <= 255;
}
