import type { Static } from 'typebox';

import { authorOf, type Acl } from '@unikorn/core/access';
import { isProblem, Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  collectionRoute,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { ObjectLimits } from '@unikorn/core/limits';
import { labels, modifiedMetadata, newMetadata, organizationScopedReadMetadata, ownedBy } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';

import { demandGrantable, knownRoles, localSubjects, type RoleCatalogue } from '../../access/index.ts';
import { GroupPath, GroupRead, Groups, GroupWrite, OrganizationPath } from '../../api/index.ts';
import { Group, membershipIdOf, OrganizationUser, Project, ServiceAccount, userIdOf } from '../../kinds/index.ts';
import { demandInOrganization, demandRoomIn, openOrganization, organizationItem, organizationView } from '../scope.ts';
import { storedTags } from '../tags.ts';
import { allWithin, distinct } from '../within.ts';
import { presentSubjects, resolveMembers } from './members.ts';

const endpoint = 'identity:groups';
const common = { tags: ['Groups'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/groups';
const path = `${collection}/{groupid}` as const;
const groupItem = organizationItem(Group, 'groupid', endpoint);

export interface GroupDeps {
  readonly objectLimits: Pick<ObjectLimits, 'groups'>;
  readonly roles: RoleCatalogue;
  readonly issuer: string;
}

/** Shows users both as subjects and as user ids, because clients use one or the other. */
function presentGroup(group: Group, issuer: string): DeepReadonly<Static<typeof GroupRead>> {
  const { tags, subjects, serviceAccountIDs, roleIDs } = group.spec;
  const organizationId = group.metadata.labels?.[labels.organization] ?? '';
  const userIDs = localSubjects(group).map((subject) => membershipIdOf(organizationId, userIdOf(subject)));
  return {
    metadata: organizationScopedReadMetadata(Group, group, tags),
    spec: { subjects: presentSubjects(subjects, issuer), userIDs, serviceAccountIDs, roleIDs },
  };
}

interface Writing {
  readonly acl: Acl;
  readonly store: Store;
  readonly organizationId: string;
  readonly body: DeepReadonly<Static<typeof GroupWrite>>;
  readonly current?: Group;
}

/** The spec of a request, after a check that its members and roles exist and the caller may grant the roles. */
async function resolveSpec(
  { roles, issuer }: GroupDeps,
  { acl, store, organizationId, body, current }: Writing,
): Promise<Group['spec']> {
  const roleIDs = distinct(body.spec.roleIDs);
  if (roleIDs.some((id) => !roles.get(id)))
    throw new Problem('invalid_request', 'spec.roleIDs: names a role that does not exist');
  demandGrantable(acl, knownRoles(roles, roleIDs), organizationId);
  const memberships = await allWithin(store, OrganizationUser, organizationId);
  const accounts = await allWithin(store, ServiceAccount, organizationId);
  return {
    ...storedTags(body.metadata.tags),
    ...resolveMembers(body.spec, { issuer, memberships, accounts }, current),
    roleIDs,
  };
}

export function groupRoutes(deps: GroupDeps): readonly Route[] {
  const present = (group: Group) => presentGroup(group, deps.issuer);
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listGroups',
      summary: 'List groups',
      params: OrganizationPath,
      response: Groups,
      kind: Group,
      view: (request) => organizationView(request, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createGroup',
      summary: 'Create a group',
      params: OrganizationPath,
      body: GroupWrite,
      responses: { 201: GroupRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { acl, body, caller, params, runtime } = request;
        demandInOrganization(request, endpoint, 'create');
        const made = await madeBefore(request, Group);
        if (made) return { status: 201, body: present(made) };
        const organization = await openOrganization(request);
        const scope = { organizationId: params.organizationID };
        await demandRoomIn(runtime.store, scope.organizationId, Group, deps.objectLimits.groups);
        const spec = await resolveSpec(deps, { acl, store: runtime.store, ...scope, body });
        const metadata = newMetadata(objectIdFor(request), body.metadata, scope, authorOf(caller, scope));
        const group = await runtime.store.create(Group, {
          metadata: { ...metadata, ownerReferences: [ownedBy(organization)] },
          spec,
        });
        return { status: 201, body: present(group) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getGroup',
      summary: 'Read a group',
      params: GroupPath,
      response: GroupRead,
      item: groupItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateGroup',
      summary: 'Change a group',
      params: GroupPath,
      body: GroupWrite,
      responses: { 200: null },
      item: groupItem,
      verb: 'update',
      actions: ['update'],
      handler: async ({ acl, body, caller, params, runtime: { store, world } }, current) => {
        const spec = await resolveSpec(deps, { acl, store, organizationId: params.organizationID, body, current });
        await store.update(Group, {
          metadata: modifiedMetadata(current.metadata, body.metadata, authorOf(caller), world.now()),
          spec,
        });
        return { status: 200 };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      params: GroupPath,
      responses: { 200: null },
      item: groupItem,
      verb: 'delete',
      actions: ['delete'],
      handler: async ({ params, runtime: { store } }, { metadata: { name, uid } }) => {
        await unlinkProjects(store, params.organizationID, name);
        await store.delete(Group, name, { preconditions: { uid } });
        return { status: 200 };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listGroupActions',
    params: GroupPath,
    item: groupItem,
    words: 'a group',
    routes,
  });
  return [...routes, actions];
}

/**
 * Projects are unlinked before the group is deleted. A crash in between leaves a group without projects, and never a
 * project with a deleted group.
 */
async function unlinkProjects(store: Store, organizationId: string, groupId: string): Promise<void> {
  const linked = (await allWithin(store, Project, organizationId)).filter(({ spec }) =>
    spec.groupIDs.includes(groupId),
  );
  for (const { metadata } of linked) {
    try {
      await modify(store, Project, metadata.name, (project) => ({
        ...project,
        spec: { ...project.spec, groupIDs: project.spec.groupIDs.filter((id) => id !== groupId) },
      }));
    } catch (error) {
      if (!isProblem(error, 'not_found')) throw error;
    }
  }
}
