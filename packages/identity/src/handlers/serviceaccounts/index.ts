import { allowsOrganization, authorOf, type Caller } from '@unikorn/core/access';
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
} from '@unikorn/core/http';
import type { ObjectLimits } from '@unikorn/core/limits';
import { annotations, labels, modifiedMetadata, newMetadata, ownedBy, randomId } from '@unikorn/core/resource';
import { seenState } from '@unikorn/core/saga';
import { matching, type Store } from '@unikorn/core/store';

import { digestLabels, issueToken, type RoleCatalogue } from '../../access/index.ts';
import {
  OrganizationPath,
  SearchQuery,
  ServiceAccountCreate,
  ServiceAccountPath,
  ServiceAccountRead,
  ServiceAccounts,
  ServiceAccountWrite,
} from '../../api/index.ts';
import { ServiceAccount } from '../../kinds/index.ts';
import { leaveAllGroups, type WriteServiceAccount } from '../../sagas/index.ts';
import { demandJoinable, memberGroups, memberVersion, seenGroups } from '../member-groups.ts';
import { demandInOrganization, demandRoomIn, openOrganization, organizationItem } from '../scope.ts';
import { storedTags } from '../tags.ts';
import { distinct } from '../within.ts';
import { presentServiceAccount, presentWithToken } from './present.ts';

const endpoint = 'identity:serviceaccounts';
const common = { tags: ['Service accounts'], security: 'bearer' } as const;
const collection = '/api/v1/organizations/{organizationID}/serviceaccounts';
const path = `${collection}/{serviceAccountID}` as const;
const accountItem: Item<typeof ServiceAccount> = {
  ...organizationItem(ServiceAccount, 'serviceAccountID', endpoint),
  versionOf: async (account, store) => memberVersion(account, await groupsOf(store, account)),
};

/** A service account needs no role to read itself and to rotate its own token. */
const ownAccountItem: Item<typeof ServiceAccount> = {
  ...accountItem,
  access: {
    order: 'check first',
    allows: (verb, { acl, caller, params }) =>
      isSelf(caller, params['organizationID'], params['serviceAccountID']) ||
      allowsOrganization(acl, endpoint, verb, params['organizationID'] ?? ''),
    belongs: ({ metadata }, { params }) => metadata.labels?.[labels.organization] === params['organizationID'],
  },
};

function isSelf(caller: Caller, organizationId: string | undefined, id = caller.subject): boolean {
  return (
    caller.accountType === 'service' &&
    caller.subject === id &&
    organizationId !== undefined &&
    (caller.principal.organizationIds?.includes(organizationId) ?? false)
  );
}

export interface ServiceAccountDeps {
  readonly objectLimits: Pick<ObjectLimits, 'serviceAccounts'>;
  readonly roles: RoleCatalogue;
  readonly writeServiceAccount: WriteServiceAccount;
  readonly tokenLifetime_ms: number | undefined;
}

async function groupsOf(store: Store, { metadata }: ServiceAccount): Promise<readonly string[]> {
  const organizationId = metadata.labels?.[labels.organization] ?? '';
  return (await memberGroups(store, organizationId))({ type: 'serviceAccount', id: metadata.name });
}

/** A service account and its groups, read from the store. */
async function current(
  store: Store,
  id: string,
): Promise<{ readonly account: ServiceAccount; readonly groupIDs: readonly string[] }> {
  const account = await store.get(ServiceAccount, id);
  if (!account) throw new Problem('conflict', 'the service account was deleted at the same time');
  return { account, groupIDs: await groupsOf(store, account) };
}

export function serviceAccountRoutes({
  roles,
  writeServiceAccount,
  tokenLifetime_ms,
  objectLimits,
}: ServiceAccountDeps): readonly Route[] {
  const routes = [
    listRoute({
      ...common,
      path: collection,
      operationId: 'listServiceAccounts',
      summary: 'List service accounts',
      params: OrganizationPath,
      query: SearchQuery,
      response: ServiceAccounts,
      pages: async function* (request) {
        const { acl, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        const onlySelf = isSelf(caller, organizationId) && !allowsOrganization(acl, endpoint, 'read', organizationId);
        if (!onlySelf) demandInOrganization(request, endpoint, 'read');
        const groupsByMember = await memberGroups(runtime.store, organizationId, { cached: true });
        const view = {
          selector: matching({ [labels.organization]: organizationId }),
          visible: ({ metadata }: ServiceAccount) => !onlySelf || metadata.name === caller.subject,
        };
        for await (const { items } of pagesOf(runtime, ServiceAccount, searched(view, request.query.search)))
          yield items.map((account) =>
            presentServiceAccount(account, groupsByMember({ type: 'serviceAccount', id: account.metadata.name })),
          );
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createServiceAccount',
      summary: 'Create a service account',
      params: OrganizationPath,
      body: ServiceAccountWrite,
      responses: { 201: ServiceAccountCreate },
      idempotency: 'refuse',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        const { organizationID: organizationId } = request.params;
        demandInOrganization(request, endpoint, 'create');
        const organization = await openOrganization(request);
        await demandRoomIn(runtime.store, organizationId, ServiceAccount, objectLimits.serviceAccounts);
        const id = randomId(runtime.world);
        const groupIDs = distinct(body.spec.groupIDs);
        await demandJoinable({
          acl,
          roles,
          store: runtime.store,
          organizationId,
          member: { type: 'serviceAccount', id },
          wanted: groupIDs,
        });
        const { token, tokenDigest, expiry } = issueToken(runtime.world, tokenLifetime_ms);
        const { labels: label = {}, annotations: annotation = {} } = newMetadata(
          id,
          body.metadata,
          { organizationId },
          authorOf(caller, { organizationId }),
          { labels: digestLabels(tokenDigest) },
        );
        await writeServiceAccount({
          id,
          organizationId,
          owner: ownedBy(organization),
          groupIDs,
          after: {
            labels: label,
            annotations: annotation,
            spec: { ...storedTags(body.metadata.tags), tokenDigest, expiry },
          },
        });
        const made = await current(runtime.store, id);
        return { status: 201, body: presentWithToken(made.account, made.groupIDs, token) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getServiceAccount',
      summary: 'Read a service account',
      params: ServiceAccountPath,
      response: ServiceAccountRead,
      item: ownAccountItem,
      present: async (account, { store }) => presentServiceAccount(account, await groupsOf(store, account)),
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateServiceAccount',
      actions: ['update'],
      summary: 'Change a service account',
      params: ServiceAccountPath,
      body: ServiceAccountWrite,
      responses: { 200: ServiceAccountRead },
      item: accountItem,
      verb: 'update',
      handler: async (request, before) => {
        const { acl, body, caller } = request;
        const { store, world } = request.runtime;
        const { organizationID: organizationId, serviceAccountID: id } = request.params;
        const held = await groupsOf(store, before);
        const seen = seenGroups(request, held, memberVersion(before, held));
        const groupIDs = distinct(body.spec.groupIDs);
        await demandJoinable({
          acl,
          roles,
          store,
          organizationId,
          member: { type: 'serviceAccount', id },
          wanted: groupIDs,
        });
        const { labels: label = {}, annotations: annotation = {} } = modifiedMetadata(
          before.metadata,
          body.metadata,
          authorOf(caller),
          world.now(),
        );
        const { tokenDigest, expiry } = before.spec;
        await writeServiceAccount({
          id,
          organizationId,
          groupIDs,
          ...seen,
          before: seenState(before),
          after: {
            labels: label,
            annotations: annotation,
            spec: { ...storedTags(body.metadata.tags), tokenDigest, expiry },
          },
        });
        const changed = await current(store, id);
        return { status: 200, body: presentServiceAccount(changed.account, changed.groupIDs) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteServiceAccount',
      summary: 'Delete a service account',
      params: ServiceAccountPath,
      responses: { 200: null },
      item: accountItem,
      verb: 'delete',
      actions: ['delete'],
      handler: async (
        { params: { organizationID, serviceAccountID: id }, runtime: { store } },
        { metadata: { uid } },
      ) => {
        await leaveAllGroups(store, organizationID, { type: 'serviceAccount', id });
        await store.delete(ServiceAccount, id, { preconditions: { uid } });
        return { status: 200 };
      },
    }),
    itemRoute({
      ...common,
      method: 'POST',
      path: `${path}/rotate`,
      operationId: 'rotateServiceAccount',
      actions: ['rotate'],
      summary: 'Issue a new token; the old one becomes invalid immediately',
      params: ServiceAccountPath,
      responses: { 200: ServiceAccountCreate },
      idempotency: 'refuse',
      item: ownAccountItem,
      verb: 'update',
      handler: async ({ caller, params, runtime: { store, world } }, { metadata, spec }) => {
        const { token, tokenDigest, expiry } = issueToken(world, tokenLifetime_ms);
        const naming = {
          name: metadata.labels?.[labels.name] ?? '',
          description: metadata.annotations?.[annotations.description],
        };
        const stamped = modifiedMetadata(metadata, naming, authorOf(caller), world.now());
        await store.update(ServiceAccount, {
          metadata: { ...stamped, labels: { ...stamped.labels, ...digestLabels(tokenDigest) } },
          spec: { ...spec, tokenDigest, expiry },
        });
        const rotated = await current(store, params.serviceAccountID);
        return { status: 200, body: presentWithToken(rotated.account, rotated.groupIDs, token) };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listServiceAccountActions',
    params: ServiceAccountPath,
    item: ownAccountItem,
    words: 'a service account',
    routes,
  });
  return [...routes, actions];
}
