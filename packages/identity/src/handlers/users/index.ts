import { authorOf } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  itemRoute,
  listRoute,
  pagesOf,
  readItemRoute,
  route,
  searched,
  type Item,
  type Route,
  type Runtime,
  type View,
} from '@unikorn/core/http';
import type { ObjectLimits } from '@unikorn/core/limits';
import { labels, modifiedMetadata, newMetadata, ownedBy } from '@unikorn/core/resource';
import { seenState } from '@unikorn/core/saga';
import { matching, type Store } from '@unikorn/core/store';

import type { RoleCatalogue } from '../../access/index.ts';
import {
  OrganizationPath,
  SearchQuery,
  UserInvitationRead,
  UserPath,
  UserRead,
  Users,
  UserWrite,
} from '../../api/index.ts';
import { acceptanceOf, membershipIdOf, OrganizationUser, User, userIdOf } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import { demandInvitable } from '../../oauth2/login/invitable.ts';
import { leaveAllGroups, type WriteUser } from '../../sagas/index.ts';
import { demandJoinable, memberGroups, memberVersion, seenGroups } from '../member-groups.ts';
import { demandInOrganization, demandRoomIn, openOrganization, organizationItem, organizationView } from '../scope.ts';
import { storedTags } from '../tags.ts';
import { distinct } from '../within.ts';
import { acceptanceFor } from './acceptance.ts';
import { ensurePerson, parseSubject, unnamed } from './person.ts';
import { presentUser, type UserView } from './present.ts';

const endpoint = 'identity:users';
const common = { tags: ['Users'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/users';
const path = `${collection}/{userID}` as const;
const userItem: Item<typeof OrganizationUser> = {
  ...organizationItem(OrganizationUser, 'userID', endpoint),
  versionOf: async (membership, store) => versionOf(await viewOf(store, membership)),
};

export interface UserDeps {
  readonly objectLimits: Pick<ObjectLimits, 'users'>;
  readonly roles: RoleCatalogue;
  readonly writeUser: WriteUser;
  /** The public URL of this service. */
  readonly issuer: string;
  /** Creates a link with which a member sets a password. */
  readonly invite: (membership: OrganizationUser) => Promise<{ readonly link: string; readonly expiry: string }>;
}

/**
 * A user logs in once for all organizations. The last login is not shown, because it would reveal activity in other
 * organizations.
 */
async function lastActiveOf(store: Store, { spec }: OrganizationUser): Promise<string | undefined> {
  const userId = userIdOf(spec.subject);
  const memberships = await store.list(OrganizationUser, {
    selector: matching({ [labels.user]: userId }),
    limit: 2,
    cached: true,
  });
  return memberships.items.length > 1 ? undefined : (await store.get(User, userId))?.status?.lastActive;
}

/** The users of a view, in the order of the contract. Only the sort keys are held in memory. */
async function namesBySubject(runtime: Runtime, view: View<typeof OrganizationUser>): Promise<readonly string[]> {
  const found: { readonly subject: string; readonly name: string }[] = [];
  for await (const { items } of pagesOf(runtime, OrganizationUser, view)) {
    for (const {
      metadata: { name },
      spec: { subject },
    } of items)
      found.push({ subject, name });
  }
  return found.sort((a, b) => (a.subject < b.subject ? -1 : 1)).map(({ name }) => name);
}

async function viewOf(store: Store, membership: OrganizationUser): Promise<UserView> {
  const organizationId = membership.metadata.labels?.[labels.organization] ?? '';
  const { subject } = membership.spec;
  return {
    membership,
    lastActive: await lastActiveOf(store, membership),
    groupIDs: (await memberGroups(store, organizationId))({ type: 'user', subject }),
  };
}

function versionOf({ membership, groupIDs, lastActive }: UserView): string {
  return memberVersion(membership, groupIDs, lastActive);
}

/** The current representation of a user of the organization. */
async function currentView(store: Store, id: string): Promise<UserView> {
  const membership = await store.get(OrganizationUser, id);
  if (!membership) throw new Problem('conflict', 'the user was removed at the same time');
  return viewOf(store, membership);
}

export function userRoutes(deps: UserDeps): readonly Route[] {
  const routes = [
    listRoute({
      ...common,
      path: collection,
      operationId: 'listUsers',
      summary: 'List the users of an organization',
      params: OrganizationPath,
      query: SearchQuery,
      response: Users,
      pages: async function* (request) {
        const {
          runtime: { store },
          params: { organizationID: organizationId },
          query: { search },
        } = request;
        const everybody: View<typeof OrganizationUser> = organizationView(request, endpoint);
        const names = await namesBySubject(
          request.runtime,
          searched(everybody, search, ({ metadata, spec }) => ({ id: metadata.name, name: spec.subject })),
        );
        const groupsOf = await memberGroups(store, organizationId, { cached: true });
        const view = async (membership: OrganizationUser) => ({
          membership,
          lastActive: await lastActiveOf(store, membership),
          groupIDs: groupsOf({ type: 'user', subject: membership.spec.subject }),
        });
        for (let from = 0; from < names.length; from += limits.usersPage) {
          const memberships = await Promise.all(
            names.slice(from, from + limits.usersPage).map((name) => store.get(OrganizationUser, name)),
          );
          const views = await Promise.all(memberships.filter((membership) => membership !== undefined).map(view));
          yield views.map((each) => presentUser(each, deps.issuer));
        }
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createUser',
      summary: 'Add a user to an organization',
      params: OrganizationPath,
      body: UserWrite,
      responses: { 201: UserRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        demandInOrganization(request, endpoint, 'create');
        const organization = await openOrganization(request);
        const subject = parseSubject(body.spec.subject);
        const groupIDs = distinct(body.spec.groupIDs);
        await demandJoinable({
          acl,
          roles: deps.roles,
          store: runtime.store,
          organizationId,
          member: { type: 'user', subject },
          wanted: groupIDs,
        });
        const {
          metadata: { name: userId },
        } = await ensurePerson(runtime.store, subject, caller);
        const id = membershipIdOf(organizationId, userId);
        const existing = await runtime.store.get(OrganizationUser, id);
        const { labels: label = {}, annotations = {} } = newMetadata(
          id,
          body.metadata ?? unnamed,
          { organizationId },
          authorOf(caller, { organizationId }),
          { labels: { [labels.user]: userId } },
        );
        const fresh = {
          labels: label,
          annotations,
          spec: {
            ...storedTags(body.metadata?.tags),
            subject,
            state: body.spec.state,
            acceptance: acceptanceFor({ acl, organization, subject }),
          },
        };
        if (!existing) await demandRoomIn(runtime.store, organizationId, OrganizationUser, deps.objectLimits.users);
        const before = existing && seenState(existing);
        await deps.writeUser({
          id,
          organizationId,
          owner: ownedBy(organization),
          groupIDs,
          after: before ?? fresh,
          ...(before ? { before } : {}),
        });
        return { status: 201, body: presentUser(await currentView(runtime.store, id), deps.issuer) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getUser',
      summary: 'Read a user of an organization',
      params: UserPath,
      response: UserRead,
      item: userItem,
      present: async (membership, { store }) => presentUser(await viewOf(store, membership), deps.issuer),
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateUser',
      actions: ['update'],
      summary: 'Change a user of an organization',
      params: UserPath,
      body: UserWrite,
      responses: { 200: UserRead },
      item: userItem,
      verb: 'update',
      handler: async (request, membership) => {
        const { acl, body, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        const { subject } = membership.spec;
        const view = await viewOf(runtime.store, membership);
        const seen = seenGroups(request, view.groupIDs, versionOf(view));
        const groupIDs = distinct(body.spec.groupIDs);
        await demandJoinable({
          acl,
          roles: deps.roles,
          store: runtime.store,
          organizationId,
          member: { type: 'user', subject },
          wanted: groupIDs,
        });
        const metadata = modifiedMetadata(
          membership.metadata,
          body.metadata ?? unnamed,
          authorOf(caller),
          runtime.world.now(),
        );
        const spec = {
          ...storedTags(body.metadata?.tags),
          subject,
          state: body.spec.state,
          acceptance: acceptanceOf(membership),
        };
        const after = { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {}, spec };
        const before = seenState(membership);
        await deps.writeUser({ id: metadata.name, organizationId, groupIDs, ...seen, before, after });
        return { status: 200, body: presentUser(await currentView(runtime.store, metadata.name), deps.issuer) };
      },
    }),
    itemRoute({
      ...common,
      method: 'POST',
      path: `${path}/invitation`,
      operationId: 'inviteUser',
      actions: ['invitation'],
      summary: 'Create a link that lets a user of an organization set a password; it replaces the previous link',
      params: UserPath,
      responses: { 201: UserInvitationRead },
      item: userItem,
      verb: 'update',
      check: demandInvitable,
      handler: async (_request, membership) => ({ status: 201, body: await deps.invite(membership) }),
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteUser',
      summary: 'Remove a user from an organization',
      params: UserPath,
      responses: { 200: null },
      item: userItem,
      verb: 'delete',
      actions: ['delete'],
      handler: async ({ params, runtime: { store } }, { metadata: { name, uid }, spec: { subject } }) => {
        await leaveAllGroups(store, params.organizationID, { type: 'user', subject });
        await store.delete(OrganizationUser, name, { preconditions: { uid } });
        return { status: 200 };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listUserActions',
    params: UserPath,
    item: userItem,
    words: 'a user of an organization',
    routes,
  });
  return [...routes, actions];
}
