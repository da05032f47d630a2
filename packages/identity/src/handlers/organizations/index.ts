import { allowsGlobal, allowsOrganization, authorOf, demand, personOf, type Caller } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  collectionRoute,
  ErrorBody,
  foreseeDeletion,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  type Item,
  type Request,
  type Route,
  type View,
} from '@unikorn/core/http';
import type { TextRecords } from '@unikorn/core/outbound';
import { DeleteQuery, described, refuseWhileProtectedIn, requestDeletion } from '@unikorn/core/references';
import { finalizers, labels, modifiedMetadata, newMetadata } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { actingSubject, type Tenancy, type UserDirectory } from '../../access/index.ts';
import {
  OrganizationPath,
  OrganizationQuery,
  OrganizationRead,
  Organizations,
  OrganizationWrite,
} from '../../api/index.ts';
import { normaliseSubject, Organization, Project } from '../../kinds/index.ts';
import { platformOrganizationId } from '../../platform.ts';
import { demandUnclaimed } from './domain.ts';
import { domainVerificationRoute } from './verification.ts';
import { organizationSpec, presentOrganization } from './present.ts';

const endpoint = 'identity:organizations';
const common = { tags: ['Organizations'], security: 'bearer' } as const;
const path = '/api/v1/organizations/{organizationID}';

const organizationItem: Item<typeof Organization> = {
  kind: Organization,
  param: 'organizationID',
  endpoint,
  access: {
    order: 'check first',
    // Only the platform may delete an organization, not its administrators.
    allows: (verb, { acl, params }) =>
      verb === 'delete'
        ? allowsGlobal(acl, endpoint, verb)
        : allowsOrganization(acl, endpoint, verb, params['organizationID'] ?? ''),
    belongs: () => true,
  },
};

export interface OrganizationDeps {
  readonly tenancy: Tenancy;
  readonly users: UserDirectory;
  /** Looks up the DNS records of a domain. */
  readonly textRecords: TextRecords;
}

export function organizationRoutes(deps: OrganizationDeps): readonly Route[] {
  const routes = [
    listOrganizations(deps),
    route({
      ...common,
      method: 'POST',
      path: '/api/v1/organizations',
      operationId: 'createOrganization',
      summary: 'Create an organization',
      body: OrganizationWrite,
      responses: { 202: OrganizationRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { body, acl, caller, runtime } = request;
        demand(allowsGlobal(acl, endpoint, 'create'), endpoint, 'create');
        const made = await madeBefore(request, Organization);
        if (made) return { status: 202, body: presentOrganization(made) };
        const organizationId = objectIdFor(request);
        const spec = organizationSpec(body);
        await demandUnclaimed(deps.tenancy, spec);
        const metadata = newMetadata(organizationId, body.metadata, { organizationId }, authorOf(caller));
        const organization = await runtime.store.create(Organization, {
          metadata: { ...metadata, finalizers: [finalizers.framework] },
          spec,
        });
        return { status: 202, body: presentOrganization(organization) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getOrganization',
      summary: 'Read an organization',
      params: OrganizationPath,
      response: OrganizationRead,
      item: organizationItem,
      present: presentOrganization,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateOrganization',
      summary: 'Change an organization',
      params: OrganizationPath,
      body: OrganizationWrite,
      responses: { 200: null },
      item: organizationItem,
      verb: 'update',
      actions: ['update'],
      handler: async (
        { body, caller, runtime: { store, world } },
        { metadata, spec: { pause, domain, verifiedDomain } },
      ) => {
        const spec = {
          ...organizationSpec(body),
          ...defined({ pause, verifiedDomain }),
        };
        await demandUnclaimed(deps.tenancy, spec, domain);
        await store.update(Organization, {
          metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), world.now()),
          spec,
        });
        return { status: 200 };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteOrganization',
      summary: 'Delete an organization and everything in it; refused while instances in it are protected',
      params: OrganizationPath,
      query: DeleteQuery,
      responses: { 202: null },
      item: organizationItem,
      verb: 'delete',
      actions: ['delete'],
      handler: async ({ caller, query: { ignoreProtection = false }, runtime }, organization) => {
        const check = () => (ignoreProtection ? Promise.resolve() : checkDeletion(runtime.store, organization));
        await requestDeletion(runtime, Organization, organization, { by: personOf(caller), check });
        return { status: 202 };
      },
    }),
    domainVerificationRoute(deps, organizationItem),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listOrganizationActions',
    params: OrganizationPath,
    item: organizationItem,
    words: 'an organization',
    routes,
    foresee: (organization, { runtime: { store } }) =>
      foreseeDeletion(organization, () => checkDeletion(store, organization)),
  });
  return [...routes, actions];
}

/** Refuses to delete an organization that contains protected resources. */
function checkDeletion(store: Store, { metadata }: Organization): Promise<void> {
  return refuseWhileProtectedIn(store, Project, metadata.name, described(Organization, metadata));
}

type ListRequest = Pick<
  Request<never, { readonly email?: string; readonly include?: 'platform' }>,
  'acl' | 'caller' | 'query'
>;

/**
 * The caller's own organizations, or those of another user for callers who may read users. Only the platform may list
 * all organizations.
 */
function listOrganizations({ tenancy, users }: OrganizationDeps): Route {
  const list = collectionRoute({
    ...common,
    path: '/api/v1/organizations',
    operationId: 'listOrganizations',
    summary: 'List the organizations you belong to',
    query: OrganizationQuery,
    response: Organizations,
    kind: Organization,
    view: (request) => organizationsView(tenancy, request),
    present: presentOrganization,
  });
  return {
    ...list,
    responses: { ...list.responses, 404: ErrorBody },
    handler: async (request) => {
      const { email } = request.query;
      if (typeof email === 'string') await demandActive(request, email, users);
      return list.handler(request);
    },
  };
}

function organizationsView(tenancy: Tenancy, { acl, caller, query: { email, include } }: ListRequest): View {
  if (email === undefined && allowsGlobal(acl, endpoint, 'read'))
    return {
      selector: [],
      visible: ({ metadata }) => include === 'platform' || metadata.name !== platformOrganizationId,
    };
  const ids =
    email === undefined || isCaller(caller, email)
      ? ownOrganizations(tenancy, caller)
      : tenancy.organizationsOf({ type: 'user', subject: normaliseSubject(email) });
  return { selector: matching({ [labels.organization]: ids }), visible: () => true };
}

/**
 * The organizations in which the caller's login is valid. If an organization vouched for the user, the login is valid
 * only in that one.
 */
function ownOrganizations(tenancy: Tenancy, caller: Caller): readonly string[] {
  const subject = actingSubject(caller);
  return subject ? (caller.principal.organizationIds ?? tenancy.organizationsOf(subject)) : [];
}

function isCaller({ subject, accountType }: Caller, email: string): boolean {
  return accountType === 'user' && normaliseSubject(email) === normaliseSubject(subject);
}

async function demandActive({ acl, caller }: Request, email: string, users: UserDirectory): Promise<void> {
  if (!isCaller(caller, email)) demand(allowsGlobal(acl, 'identity:users', 'read'), 'identity:users', 'read');
  if ((await users.find(email))?.spec.state !== 'active')
    throw new Problem('not_found', 'there is no active user with this mail address');
}
