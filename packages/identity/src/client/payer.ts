import type { Principal } from '@unikorn/core/access';

import type { ProjectScope } from '../quota/index.ts';

/** Who is charged: whoever it is for. That is where it lives, unless a service makes it there for somebody else. */
export function payerOf({ organizationId, projectId }: Principal, placement: ProjectScope): ProjectScope {
  return organizationId !== undefined && projectId !== undefined ? { organizationId, projectId } : placement;
}

export function payingOrganization(principal: Principal, organizationId: string): string {
  return payerOf(principal, { organizationId, projectId: '' }).organizationId;
}
