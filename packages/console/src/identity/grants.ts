import type { Group, GroupWrite, Project, Role } from '@unikorn/sdk';

import { words } from '../words/index.ts';

const texts = words.identity.matrix;

/** The ids with one more, or one less. */
function withId(ids: readonly string[], id: string, on: boolean): string[] {
  return on ? [...ids.filter((each) => each !== id), id] : ids.filter((each) => each !== id);
}

/** Why a role of a group cannot be changed by this user. The service refuses it, too. */
export function lockOfRole(group: Group, role: Role, roles: readonly Role[]): string | undefined {
  if (!role.grantable) return words.identity.groupPages.notGrantable;
  const beyond = ungrantable(group, roles);
  return beyond.length === 0 ? undefined : texts.groupBeyond(beyond.join(', '));
}

/**
 * Why a group of a project cannot be changed. A group with roles beyond those of the user can only be removed. The list
 * of what the service allows for an object does not know the group, so that it would say less.
 */
export function lockOfGroup(project: Project, group: Group, roles: readonly Role[]): string | undefined {
  const { provisioningStatus, name } = project.metadata;
  if (provisioningStatus === 'deprovisioning') return texts.beingDeleted(name);
  if (project.spec.groupIDs.includes(group.metadata.id)) return undefined;
  const beyond = ungrantable(group, roles);
  return beyond.length === 0 ? undefined : texts.groupBeyond(beyond.join(', '));
}

/** The names of the roles of a group that this user cannot assign. */
function ungrantable({ spec }: Group, roles: readonly Role[]): readonly string[] {
  return roles
    .filter(({ metadata, grantable }) => !grantable && spec.roleIDs.includes(metadata.id))
    .map(({ metadata }) => metadata.name);
}

/**
 * The same group with the role or without it, as the API takes it. Subjects contain everyone, also members of other
 * providers.
 */
export function groupWithRole({ metadata, spec }: Group, role: Role, on: boolean): GroupWrite {
  const { subjects, userIDs, serviceAccountIDs } = spec;
  const roleIDs = withId(spec.roleIDs, role.metadata.id, on);
  return {
    metadata: writtenMetadata(metadata),
    spec: { ...(subjects ? { subjects } : { userIDs: userIDs ?? [] }), serviceAccountIDs, roleIDs },
  };
}

/** The same project with the group or without it, as the API takes it. */
export function projectWithGroup({ metadata, spec }: Project, group: Group, on: boolean) {
  return { metadata: writtenMetadata(metadata), spec: { groupIDs: withId(spec.groupIDs, group.metadata.id, on) } };
}

function writtenMetadata({ name, description, tags }: Group['metadata']) {
  return { name, ...(description === undefined ? {} : { description }), ...(tags ? { tags } : {}) };
}
