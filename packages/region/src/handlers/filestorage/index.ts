import { authorOf, enrichPrincipal } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import {
  actionsRoute,
  collectionRoute,
  explainItemRoute,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  sagaIdFor,
  type Request,
  type Route,
} from '@unikorn/core/http';
import { labels, modifiedMetadata, newMetadata } from '@unikorn/core/resource';
import { seenState } from '@unikorn/core/saga';

import { FileStoragePath, RegionalQuery } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { StorageCreate, StorageRead, Storages, StorageUpdate } from '../../api/filestorage.ts';
import type { RegionContext } from '../../context.ts';
import { explainFileStorage } from '../../explain/index.ts';
import { defaultParallelism, FileStorage, FileStorageClass } from '../../kinds/index.ts';
import { labelOf, placementOf, principalOf } from '../../placement.ts';
import { asked, regionFor } from '../../regions/index.ts';
import type { WriteFileStorage } from '../../sagas/index.ts';
import { endpoints } from '../endpoints.ts';
import { isVisibleClass } from '../filestorageclasses/visibility.ts';
import { demandCreation, projectItem, projectView, storedTags } from '../project-resources.ts';
import { attachmentsFor } from './attachments.ts';
import { named, refused } from './fields.ts';
import { ownPolicies, storedPolicies } from './policies.ts';
import { presentFileStorage as present } from './present.ts';
import { storedSize } from './size.ts';

const endpoint = endpoints.fileStorage;
const common = { tags: ['File storage'], security: 'bearer' } as const;
const collection = '/api/v2/filestorage';
const path = `${collection}/{filestorageID}` as const;
const item = projectItem(FileStorage, 'filestorageID', endpoint);

/** The class in a request. A class of another organization is treated as missing. */
async function classFor(
  { acl, runtime }: Pick<Request, 'acl' | 'runtime'>,
  classId: string,
  regionId: string,
): Promise<FileStorageClass> {
  const found = await runtime.store.get(FileStorageClass, classId);
  if (!found || !isVisibleClass(found, acl))
    throw refused('spec.storageClassId', `file storage class ${classId} does not exist`);
  if (labelOf(found.metadata, labels.region) !== regionId)
    throw refused('spec.storageClassId', 'must be a class of the same region');
  return found;
}

export function fileStorageRoutes({
  identityClient,
  providers,
  writeFileStorage,
}: RegionContext & { readonly writeFileStorage: WriteFileStorage }): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listFileStorage',
      summary: 'List the file storage that you may read',
      query: RegionalQuery,
      response: Storages,
      kind: FileStorage,
      view: (request) => projectView(request, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createFileStorage',
      summary: 'Create file storage',
      body: StorageCreate,
      responses: { 201: StorageRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { caller } = request;
        const { metadata: naming, spec: wanted } = request.body;
        const { regionId, storageClassId, defaultSnapshotProtectionEnabled = true, snapshotPolicies = [] } = wanted;
        const scope = { organizationId: wanted.organizationId, projectId: wanted.projectId };
        await demandCreation(request, identityClient, endpoint, scope);
        const made = await madeBefore(request, FileStorage);
        if (made) return { status: 201, body: present(made) };
        const size = storedSize(wanted.sizeGiB);
        const region = await named('spec.regionId', () => regionFor(request, regionId));
        await asked(() => Promise.resolve(providers.cloud(region)));
        const { spec: offered } = await classFor(request, storageClassId, regionId);
        const attachments = await attachmentsFor(
          request,
          { scope, regionId, parallelism: offered.parallelism ?? defaultParallelism },
          wanted.attachments?.networkIds ?? [],
        );
        const spec = {
          ...storedTags(naming.tags, caller),
          storageClassID: storageClassId,
          size,
          attachments,
          defaultSnapshotProtectionEnabled,
          snapshotPolicies: storedPolicies(snapshotPolicies, defaultSnapshotProtectionEnabled),
          nfs: { rootSquash: wanted.storageType.NFS?.rootSquash ?? true },
        };
        const id = objectIdFor(request);
        const { labels: labelled = {}, annotations = {} } = newMetadata(id, naming, scope, authorOf(caller, scope), {
          labels: { [labels.region]: regionId },
        });
        const { put: storage } = await writeFileStorage(
          {
            id,
            principal: enrichPrincipal(caller.principal, scope),
            scope,
            after: { labels: labelled, annotations, spec },
          },
          sagaIdFor(request),
        );
        return { status: 201, body: present(storage) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getFileStorage',
      summary: 'Read file storage',
      params: FileStoragePath,
      response: StorageRead,
      item,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateFileStorage',
      summary: 'Change file storage; attachments, protection and policies that are left out stay unchanged',
      params: FileStoragePath,
      body: StorageUpdate,
      responses: { 202: StorageRead },
      item,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async (request, current) => {
        const { caller, runtime } = request;
        const { metadata: naming, spec: wanted } = request.body;
        const { metadata, spec: before } = current;
        const { attachments: attached = [], storageClassID, pause } = before;
        const {
          defaultSnapshotProtectionEnabled = before.defaultSnapshotProtectionEnabled,
          snapshotPolicies = ownPolicies(before.snapshotPolicies),
        } = wanted;
        const scope = placementOf(metadata);
        const parallelism =
          (await runtime.store.get(FileStorageClass, storageClassID))?.spec.parallelism ?? defaultParallelism;
        const home = { scope, regionId: labelOf(metadata, labels.region), parallelism };
        const spec = {
          ...storedTags(naming.tags, caller),
          ...defined({ pause }),
          storageClassID,
          size: storedSize(wanted.sizeGiB, before.size),
          attachments: wanted.attachments
            ? await attachmentsFor(request, home, wanted.attachments.networkIds, attached)
            : attached,
          defaultSnapshotProtectionEnabled,
          snapshotPolicies: storedPolicies(snapshotPolicies, defaultSnapshotProtectionEnabled),
          nfs: { rootSquash: wanted.storageType.NFS?.rootSquash ?? before.nfs.rootSquash },
        };
        const { labels: labelled = {}, annotations = {} } = modifiedMetadata(
          metadata,
          naming,
          authorOf(caller),
          runtime.world.now(),
        );
        const { put: storage } = await writeFileStorage({
          id: metadata.name,
          principal: principalOf(metadata),
          scope,
          before: seenState(current),
          after: { labels: labelled, annotations, spec },
        });
        return { status: 202, body: present(storage) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteFileStorage',
      summary: 'Delete file storage and all its data',
      params: FileStoragePath,
      responses: { 202: null },
      item,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(FileStorage, name, { preconditions: { uid } });
        return { status: 202 };
      },
    }),
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainFileStorage',
      summary: 'Explain the state of file storage, and what can help',
      params: FileStoragePath,
      response: ExplanationRead,
      item: item,
      explain: ({ acl, runtime }, storage) => explainFileStorage({ ...runtime, providers, acl }, storage),
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listFileStorageActions',
    params: FileStoragePath,
    item,
    words: 'file storage',
    routes,
  });
  return [...routes, actions];
}
