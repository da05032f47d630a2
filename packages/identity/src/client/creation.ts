import { projectCreation, type Acl, type Caller } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';

import type { ProjectScope } from '../quota/index.ts';
import type { IdentityClient } from './identity-client.ts';

interface Asker {
  readonly acl: Acl;
  readonly caller: Caller;
}

/**
 * Refuses callers who may not create this in the project. A permission in the whole organization does not prove that
 * the project exists.
 *
 * @example await demandCreation(request, identity, 'region:networks:v2', { organizationId, projectId });
 */
export async function demandCreation(
  { acl, caller }: Asker,
  identityClient: IdentityClient,
  endpoint: string,
  scope: ProjectScope,
): Promise<void> {
  const verdict = projectCreation(acl, endpoint, scope.organizationId, scope.projectId);
  if (verdict === 'refused') throw new Problem('forbidden', `your roles do not allow create on ${endpoint} here`);
  const project = await identityClient.project(caller.principal, scope);
  if (!project)
    throw new Problem('not_found', `project ${scope.projectId} does not exist in organization ${scope.organizationId}`);
  if (project.deleting) throw new Problem('unprocessable_content', `project ${scope.projectId} is being deleted`);
}
