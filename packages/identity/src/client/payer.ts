import type { Principal } from '@unikorn/core/access';

import type { ProjectScope } from '../quota/index.ts';

/**
 * The project that is charged: the project of the principal, if a service creates the resource on behalf of another
 * project, otherwise the project of the resource.
 */
export function payerOf({ organizationId, projectId }: Principal, placement: ProjectScope): ProjectScope {
  return organizationId !== undefined && projectId !== undefined ? { organizationId, projectId } : placement;
}

export function payingOrganization(principal: Principal, organizationId: string): string {
  return payerOf(principal, { organizationId, projectId: '' }).organizationId;
}
