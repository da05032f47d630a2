import { Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { Project } from '../kinds/project.ts';
import type { ProjectScope } from './allocation.ts';

/** A project of the organization. A project of another organization counts as absent. */
export async function requireProject(store: Store, { organizationId, projectId }: ProjectScope): Promise<Project> {
  const project = await store.get(Project, projectId);
  if (project?.metadata.labels?.[labels.organization] !== organizationId)
    throw new Problem('not_found', `project ${projectId} does not exist`);
  return project;
}

/** Refuses new charges in a project that is being deleted. */
export async function requireOpenProject(store: Store, scope: ProjectScope): Promise<void> {
  const { metadata } = await requireProject(store, scope);
  if (metadata.deletionTimestamp !== undefined)
    throw new Problem('invalid_request', `project ${scope.projectId} is being deleted`);
}
