import type { Acl } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';

import { demandGrantable, knownRoles, type RoleCatalogue } from '../access/index.ts';
import type { Group } from '../kinds/index.ts';

export interface GroupReach {
  readonly acl: Acl;
  readonly roles: RoleCatalogue;
  readonly organizationId: string;
  /** The wanted groups that the organization has. Others do not matter. */
  readonly groups: readonly Group[];
  readonly wanted: readonly string[];
  readonly held: readonly string[];
}

/**
 * A caller who adds a member to a group, or links a project to it, passes on all permissions of the group, so the
 * caller must have them. Only added groups are checked, because the existing ones were another caller's decision.
 */
export function demandReach({ acl, roles, organizationId, groups, wanted, held }: GroupReach): void {
  const known = new Map(groups.map((group) => [group.metadata.name, group]));
  for (const id of wanted.filter((candidate) => !held.includes(candidate))) {
    const group = known.get(id);
    if (!group)
      throw new Problem('invalid_request', 'spec.groupIDs: names a group that the organization does not have');
    demandGrantable(acl, knownRoles(roles, group.spec.roleIDs), organizationId);
  }
}
