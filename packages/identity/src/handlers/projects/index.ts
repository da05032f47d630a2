import type { Static } from 'typebox';

import { allowsProject, authorOf, personOf } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import {
  actionsRoute,
  collectionRoute,
  explainItemRoute,
  foreseeDeletion,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  scopedView,
  type Item,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { ObjectLimits } from '@unikorn/core/limits';
import { DeleteQuery, described, refuseWhileProtected, requestDeletion } from '@unikorn/core/references';
import {
  finalizers,
  labels,
  modifiedMetadata,
  newMetadata,
  organizationScopedReadMetadata,
} from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import type { RoleCatalogue } from '../../access/index.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { OrganizationPath, ProjectPath, ProjectRead, Projects, ProjectWrite } from '../../api/index.ts';
import { explainProject } from '../../explain/index.ts';
import { Project } from '../../kinds/index.ts';
import { demandReach } from '../group-reach.ts';
import { demandInOrganization, demandRoomIn, openOrganization } from '../scope.ts';
import { storedTags } from '../tags.ts';
import { distinct, groupsNamed } from '../within.ts';

const endpoint = 'identity:projects';
const common = { tags: ['Projects'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/projects';
const path = `${collection}/{projectID}` as const;

/**
 * A project, for callers whose roles include it. A charge for a resource of a service checks again that the project is
 * not deleted.
 */
const projectItem: Item<typeof Project> = {
  kind: Project,
  param: 'projectID',
  isSettled: true,
  endpoint,
  access: {
    order: 'check first',
    allows: (verb, { acl, params }) =>
      allowsProject(acl, endpoint, verb, params['organizationID'] ?? '', params['projectID'] ?? ''),
    belongs: ({ metadata }, { params }) => metadata.labels?.[labels.organization] === params['organizationID'],
  },
};

function present(project: Project): DeepReadonly<Static<typeof ProjectRead>> {
  return {
    metadata: organizationScopedReadMetadata(Project, project, project.spec.tags),
    spec: { groupIDs: project.spec.groupIDs },
  };
}

export interface ProjectDeps {
  readonly roles: RoleCatalogue;
  readonly objectLimits: Pick<ObjectLimits, 'projects'>;
}

export function projectRoutes({ roles, objectLimits }: ProjectDeps): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listProjects',
      summary: 'List the projects you may read',
      params: OrganizationPath,
      response: Projects,
      kind: Project,
      view: ({ acl, params }) => scopedView(acl, endpoint, { organizationIds: [params.organizationID] }),
      present,
    }),
    collectionRoute({
      ...common,
      hidden: true,
      path: '/api/v1/projects',
      operationId: 'listAllProjects',
      summary: 'List the projects of every organization that you may read; other services watch it',
      response: Projects,
      kind: Project,
      view: ({ acl }) => scopedView(acl, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createProject',
      summary: 'Create a project',
      params: OrganizationPath,
      body: ProjectWrite,
      responses: { 202: ProjectRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        demandInOrganization(request, endpoint, 'create');
        const made = await madeBefore(request, Project);
        if (made) return { status: 202, body: present(made) };
        await openOrganization(request);
        await demandRoomIn(runtime.store, organizationId, Project, objectLimits.projects);
        const groupIDs = distinct(body.spec.groupIDs);
        demandReach({
          acl,
          roles,
          organizationId,
          groups: await groupsNamed(runtime.store, organizationId, groupIDs),
          wanted: groupIDs,
          held: [],
        });
        const projectId = objectIdFor(request);
        const metadata = newMetadata(
          projectId,
          body.metadata,
          { organizationId, projectId },
          authorOf(caller, { organizationId }),
        );
        const project = await runtime.store.create(Project, {
          metadata: { ...metadata, finalizers: [finalizers.framework] },
          spec: { ...storedTags(body.metadata.tags), groupIDs },
        });
        return { status: 202, body: present(project) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getProject',
      summary: 'Read a project',
      params: ProjectPath,
      response: ProjectRead,
      item: projectItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateProject',
      summary: 'Change a project',
      params: ProjectPath,
      body: ProjectWrite,
      responses: { 200: null },
      item: projectItem,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async ({ acl, body, caller, params, runtime }, { metadata, spec }) => {
        const { organizationID: organizationId } = params;
        const groupIDs = distinct(body.spec.groupIDs);
        demandReach({
          acl,
          roles,
          organizationId,
          groups: await groupsNamed(runtime.store, organizationId, groupIDs),
          wanted: groupIDs,
          held: spec.groupIDs,
        });
        await runtime.store.update(Project, {
          metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), runtime.world.now()),
          spec: {
            ...storedTags(body.metadata.tags),
            groupIDs,
            ...defined({ pause: spec.pause }),
          },
        });
        return { status: 200 };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteProject',
      summary: 'Delete a project and everything in it; refused while instances in it are protected',
      params: ProjectPath,
      query: DeleteQuery,
      responses: { 202: null },
      item: projectItem,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      handler: async ({ caller, query: { ignoreProtection = false }, runtime }, project) => {
        const check = () => (ignoreProtection ? Promise.resolve() : checkDeletion(runtime.store, project));
        await requestDeletion(runtime, Project, project, { by: personOf(caller), check });
        return { status: 202 };
      },
    }),
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainProject',
      summary: 'Explain the state of a project, and what to do; during its deletion, which resources still block it',
      params: ProjectPath,
      response: ExplanationRead,
      item: projectItem,
      explain: ({ acl, runtime: { store } }, project) => explainProject({ store, acl }, project),
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listProjectActions',
    params: ProjectPath,
    item: projectItem,
    words: 'a project',
    routes,
    foresee: (project, { runtime: { store } }) => foreseeDeletion(project, () => checkDeletion(store, project)),
  });
  return [...routes, actions];
}

/** Refuses to delete a project that contains protected resources. */
function checkDeletion(store: Store, { metadata }: Project): Promise<void> {
  return refuseWhileProtected(store, Project, metadata.name, described(Project, metadata));
}
