import type { Static } from 'typebox';

import { allowsGlobal, authorOf, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import { actionsRoute, itemRoute, madeBefore, objectIdFor, route, type Item, type Route } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { labels, newMetadata, ownedBy, readMetadata } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import {
  StorageClassCreate,
  StorageClasses,
  StorageClassPath,
  StorageClassQuery,
  StorageClassRead,
} from '../../api/filestorageclasses.ts';
import { defaultParallelism, FileStorage, FileStorageClass, Region } from '../../kinds/index.ts';
import { labelOf } from '../../placement.ts';
import { isVisibleRegion, regionFor } from '../../regions/index.ts';
import { endpoints } from '../endpoints.ts';
import { storedTags } from '../project-resources.ts';
import { isVisibleClass } from './visibility.ts';

const endpoint = endpoints.fileStorageClasses;
const common = { tags: ['File storage'], security: 'bearer' } as const;
const collection = '/api/v2/filestorageclasses';

const classItem: Item<typeof FileStorageClass> = {
  kind: FileStorageClass,
  param: 'fileStorageClassID',
  endpoint,
  access: {
    order: 'load first',
    allows: (verb, found, { acl }) =>
      verb === 'read' ? isVisibleClass(found, acl) : allowsGlobal(acl, endpoint, verb),
  },
};

function present(found: FileStorageClass): DeepReadonly<Static<typeof StorageClassRead>> {
  const { tags, protocols, parallelism = defaultParallelism } = found.spec;
  return {
    metadata: readMetadata(FileStorageClass, found, tags),
    spec: { regionId: labelOf(found.metadata, labels.region), protocols, parallelism },
  };
}

export function fileStorageClassRoutes(): readonly Route[] {
  const routes = [
    route({
      ...common,
      method: 'GET',
      path: collection,
      operationId: 'listFileStorageClasses',
      summary: 'List the classes of file storage that you may use',
      query: StorageClassQuery,
      responses: { 200: StorageClasses },
      handler: async ({ acl, query, runtime: { store } }) => {
        const regions = (await store.list(Region, { cached: true })).items
          .filter((region) => isVisibleRegion(region, acl))
          .map(({ metadata }) => metadata.name);
        const wanted = query.regionID?.length ? query.regionID.filter((id) => regions.includes(id)) : regions;
        const { items } = await store.list(FileStorageClass, {
          selector: matching({ [labels.region]: wanted }),
          cached: true,
        });
        return { status: 200, body: items.filter((found) => isVisibleClass(found, acl)).map(present) };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createFileStorageClass',
      summary: 'Offer a class of file storage in a region',
      body: StorageClassCreate,
      responses: { 201: StorageClassRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        const { regionId, organizationId, provisioner, protocols, parallelism } = body.spec;
        demand(allowsGlobal(acl, endpoint, 'create'), endpoint, 'create');
        const made = await madeBefore(request, FileStorageClass);
        if (made) return { status: 201, body: present(made) };
        const region = await regionFor(request, regionId);
        const scope = organizationId === undefined ? {} : { organizationId };
        const metadata = newMetadata(objectIdFor(request), body.metadata, scope, authorOf(caller), {
          labels: { [labels.region]: regionId },
        });
        const created = await runtime.store.create(FileStorageClass, {
          metadata: { ...metadata, ownerReferences: [ownedBy(region)] },
          spec: {
            ...storedTags(body.metadata.tags, caller),
            provisioner,
            protocols,
            ...defined({ parallelism }),
          },
        });
        return { status: 201, body: present(created) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path: `${collection}/{fileStorageClassID}`,
      operationId: 'deleteFileStorageClass',
      summary: 'Remove a class; no file storage may use it',
      params: StorageClassPath,
      responses: { 202: null },
      item: classItem,
      verb: 'delete',
      actions: ['delete'],
      check: ({ metadata }, { runtime: { store } }) => refuseWhileOffered(store, metadata),
      handler: async ({ runtime: { store } }, { metadata }) => {
        await store.delete(FileStorageClass, metadata.name, { preconditions: { uid: metadata.uid } });
        return { status: 202 };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${collection}/{fileStorageClassID}/actions`,
    operationId: 'listFileStorageClassActions',
    params: StorageClassPath,
    item: classItem,
    words: 'a class of file storage',
    routes,
  });
  return [...routes, actions];
}

/** Only operators use this, and rarely, so it reads all storage of the region. */
async function refuseWhileOffered(store: Store, metadata: FileStorageClass['metadata']): Promise<void> {
  const { items } = await store.list(FileStorage, {
    selector: matching({ [labels.region]: labelOf(metadata, labels.region) }),
  });
  const user = items.find(({ spec }) => spec.storageClassID === metadata.name);
  if (user)
    throw new Problem(
      'in_use',
      `file storage class ${metadata.name} is in use by file storage ${user.metadata.name}: delete it first`,
    );
}
