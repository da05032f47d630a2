import { allowsProject, demand, type Operation } from '@unikorn/core/access';
import { route, type Request, type Route } from '@unikorn/core/http';
import { HoldQuery, referenceListRoute, ReleaseQuery, removeReference } from '@unikorn/core/references';

import { ReferencePath } from '../../api/allocations.ts';
import { Project } from '../../kinds/project.ts';
import { holdProject } from '../../project-references.ts';
import { requireProject } from '../../quota/index.ts';

const endpoint = 'identity:projects/references';
const common = {
  path: '/api/v1/organizations/{organizationID}/projects/{projectID}/references/{reference}',
  tags: ['Projects'],
  security: 'bearer',
  hidden: true,
  params: ReferencePath,
  // Another service adds a reference to the project; the project itself does not change.
  records: false,
} as const;

type ReferenceRequest = Pick<
  Request<{ readonly organizationID: string; readonly projectID: string }, never, never>,
  'acl' | 'params' | 'runtime'
>;

async function demandProject(
  { acl, params: { organizationID: organizationId, projectID: projectId }, runtime }: ReferenceRequest,
  operation: Operation,
): Promise<Project> {
  demand(allowsProject(acl, endpoint, operation, organizationId, projectId), endpoint, operation);
  return requireProject(runtime.store, { organizationId, projectId });
}

/** With references, other services prevent the deletion of a project until their resources in it are deleted. */
export const referenceRoutes: readonly Route[] = [
  referenceListRoute({
    path: '/api/v1/references',
    operationId: 'listAllProjectReferences',
    summary: 'List the references to projects; other services compare them with their resources',
    tags: common.tags,
    held: [{ kind: Project, endpoint }],
  }),
  route({
    ...common,
    method: 'PUT',
    operationId: 'addProjectReference',
    summary: 'Add a reference that prevents the deletion of a project',
    query: HoldQuery,
    responses: { 201: null },
    handler: async (request) => {
      const project = await demandProject(request, 'create');
      await holdProject(request.runtime, project, { reference: request.params.reference, ...request.query });
      return { status: 201 };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    operationId: 'removeProjectReference',
    summary: 'Remove a reference to a project',
    query: ReleaseQuery,
    responses: { 204: null },
    handler: async (request) => {
      await demandProject(request, 'delete');
      const { projectID, reference } = request.params;
      await removeReference(request.runtime.store, Project, projectID, reference, request.query.claim);
      return { status: 204 };
    },
  }),
];
