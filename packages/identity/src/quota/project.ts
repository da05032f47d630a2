import { Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import type { getKnown, Store } from '@unikorn/core/store';

import { Project } from '../kinds/project.ts';
import type { ProjectScope } from './allocation.ts';

/** Reads the latest state. */
const getLatest: typeof getKnown = (store, kind, name) => store.get(kind, name);

/**
 * A project of the organization. A project of another organization counts as absent. With `getKnown`, a deletion of the
 * last moments may be missed.
 */
export async function requireProject(
  store: Store,
  { organizationId, projectId }: ProjectScope,
  get = getLatest,
): Promise<Project> {
  const project = await get(store, Project, projectId);
  if (project?.metadata.labels?.[labels.organization] !== organizationId)
    throw new Problem('not_found', `project ${projectId} does not exist`);
  return project;
}

/** Refuses new charges in a project that is being deleted. */
export async function requireOpenProject(store: Store, scope: ProjectScope, get = getLatest): Promise<void> {
  const { metadata } = await requireProject(store, scope, get);
  if (metadata.deletionTimestamp !== undefined)
    throw new Problem('invalid_request', `project ${scope.projectId} is being deleted`);
}
