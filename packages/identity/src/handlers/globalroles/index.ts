import type { Static } from 'typebox';

import { allowsGlobal, authorOf, demand, type Acl, type Operation } from '@unikorn/core/access';
import { isProblem, Problem } from '@unikorn/core/errors';
import {
  ActionsRead,
  allowedActions,
  demandVersion,
  etagOf,
  route,
  type Request,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { newMetadata, ownedBy } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';

import type { Bound, GlobalBindings, Role, RoleCatalogue } from '../../access/index.ts';
import { GlobalRolePath, GlobalRoleRead, GlobalRoles, GlobalRoleWrite } from '../../api/globalroles.ts';
import { globalBindingIdOf, GlobalRoleBinding, normaliseSubject, ServiceAccount } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import { ensurePerson, parseSubject } from '../users/person.ts';
import { distinct } from '../within.ts';

const endpoint = 'identity:roles';
const common = { tags: ['Global roles'], security: 'bearer' } as const;
const collection = '/api/v1/globalroles';
const path = `${collection}/{subject}` as const;

/** The role that may grant all other roles. */
const administrator = 'platform-administrator';

export interface GlobalRoleDeps {
  readonly roles: RoleCatalogue;
  readonly bindings: GlobalBindings;
  /** The roles of the platform's services, which no other subject may have. */
  readonly serviceRoles: ReadonlySet<Role>;
}

function present({ subject, roles, source }: Bound): DeepReadonly<Static<typeof GlobalRoleRead>> {
  return { subject, roles: roles.map(({ name }) => name), source };
}

function demandGlobal({ acl }: Pick<Request, 'acl'>, operation: Operation): void {
  demand(allowsGlobal(acl, endpoint, operation), endpoint, operation);
}

/** The roles with these names, if they are platform-wide and the caller has all of their permissions. */
function grantable({ roles, serviceRoles }: GlobalRoleDeps, acl: Acl, names: readonly string[]): readonly string[] {
  const offered = roles.list().filter((role) => role.scopes.global.length > 0 && !serviceRoles.has(role));
  for (const name of names) {
    const role = offered.find((each) => each.name === name);
    if (!role)
      throw new Problem(
        'invalid_request',
        `roles: ${name} is not a platform-wide role; choose one of ${offered.map((each) => each.name).join(', ')}`,
      );
    const holdsAll = role.scopes.global.every(({ name: target, operations }) =>
      operations.every((operation) => allowsGlobal(acl, target, operation)),
    );
    if (!holdsAll) throw new Problem('forbidden', `your roles do not allow you to grant the role ${name}`);
  }
  return names;
}

async function grantedBindings(store: Store): Promise<readonly GlobalRoleBinding[]> {
  return (await store.list(GlobalRoleBinding, { limit: limits.globalRoles, cached: true })).items;
}

/** The subject of a binding. A user need not exist yet: a role can be granted before the first login. */
async function holderOf(request: Pick<Request, 'caller' | 'runtime'>, subject: string) {
  const { store } = request.runtime;
  if (subject.includes('@')) return ownedBy(await ensurePerson(store, parseSubject(subject), request.caller));
  const account = await store.get(ServiceAccount, subject);
  if (!account) throw new Problem('invalid_request', 'subject: must be a mail address or the id of a service account');
  return ownedBy(account);
}

/** Refuses a change after which no subject could grant roles. */
async function demandAdministrator({ bindings }: GlobalRoleDeps, store: Store, subject: string): Promise<void> {
  const others = bindings
    .list(await grantedBindings(store))
    .filter((bound) => bound.source === 'configuration' || bound.subject !== subject);
  if (!others.some(({ roles }) => roles.some(({ name }) => name === administrator)))
    throw new Problem(
      'conflict',
      `this is the last subject with the role ${administrator}: grant the role to another subject first`,
    );
}

/** Refuses to grant roles to a subject, whichever they are. */
async function demandGrantable(request: Pick<Request, 'acl' | 'runtime'>, subject: string): Promise<void> {
  demandGlobal(request, 'update');
  const granted = await grantedBindings(request.runtime.store);
  if (granted.length >= limits.globalRoles && !granted.some(({ spec }) => spec.subject === subject))
    throw new Problem(
      'conflict',
      `at most ${limits.globalRoles} subjects can have platform-wide roles: revoke some first`,
    );
}

/** The roles of a subject that can be revoked now. */
async function revocable(
  deps: GlobalRoleDeps,
  request: Pick<Request, 'acl' | 'runtime'>,
  subject: string,
): Promise<GlobalRoleBinding> {
  const { store } = request.runtime;
  demandGlobal(request, 'delete');
  const binding = await store.get(GlobalRoleBinding, globalBindingIdOf(subject));
  if (!binding && deps.bindings.configured(subject).length > 0)
    throw new Problem('conflict', 'these roles are set in the configuration of the server: change them there');
  if (!binding) throw noRoles();
  await demandAdministrator(deps, store, subject);
  return binding;
}

function noRoles(): Problem {
  return new Problem('not_found', 'this subject has no platform-wide roles');
}

/** Refuses a request that names a version in If-Match, if the roles have another one or were revoked. */
function demandSeen(request: Pick<Request, 'headers'>, binding: GlobalRoleBinding | undefined): void {
  demandVersion(request, binding ? etagOf(binding) : 'revoked');
}

function namesVersion({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['if-match'] !== undefined;
}

export function globalRoleRoutes(deps: GlobalRoleDeps): readonly Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: collection,
      operationId: 'listGlobalRoles',
      summary: 'List the users and service accounts with platform-wide roles',
      responses: { 200: GlobalRoles },
      handler: async (request) => {
        demandGlobal(request, 'read');
        return { status: 200, body: deps.bindings.list(await grantedBindings(request.runtime.store)).map(present) };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path,
      operationId: 'getGlobalRoles',
      summary: 'Read the platform-wide roles that were granted to a user or service account',
      params: GlobalRolePath,
      responses: { 200: GlobalRoleRead },
      handler: async (request) => {
        demandGlobal(request, 'read');
        const id = globalBindingIdOf(normaliseSubject(request.params.subject));
        const binding = await request.runtime.store.get(GlobalRoleBinding, id);
        if (!binding) throw noRoles();
        return {
          status: 200,
          headers: { etag: etagOf(binding) },
          body: { ...binding.spec, source: 'granted' as const },
        };
      },
    }),
    route({
      ...common,
      method: 'PUT',
      path,
      operationId: 'grantGlobalRoles',
      summary: 'Grant platform-wide roles to a user or service account; they replace the roles granted before',
      params: GlobalRolePath,
      body: GlobalRoleWrite,
      responses: { 200: GlobalRoleRead },
      requestHeaders: ['If-Match'],
      handler: async (request) => {
        const {
          acl,
          body,
          caller,
          params,
          runtime: { store },
        } = request;
        const subject = normaliseSubject(params.subject);
        await demandGrantable(request, subject);
        const roles = grantable(deps, acl, distinct(body.roles));
        if (!roles.includes(administrator)) await demandAdministrator(deps, store, subject);
        const id = globalBindingIdOf(subject);
        const metadata = {
          ...newMetadata(id, { name: 'undefined' }, {}, authorOf(caller)),
          ownerReferences: [await holderOf(request, subject)],
        };
        const replace = () =>
          modify(store, GlobalRoleBinding, id, (current) => {
            demandSeen(request, current);
            return {
              metadata: { ...current.metadata, ownerReferences: metadata.ownerReferences },
              spec: { subject, roles },
            };
          });
        if (namesVersion(request)) {
          demandSeen(request, await store.get(GlobalRoleBinding, id));
          // Never created again: they may be revoked in this moment.
          await replace();
        } else
          try {
            await store.create(GlobalRoleBinding, { metadata, spec: { subject, roles } });
          } catch (error) {
            if (!isProblem(error, 'conflict')) throw error;
            await replace();
          }
        return { status: 200, body: { subject, roles, source: 'granted' as const } };
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'revokeGlobalRoles',
      summary: 'Revoke the platform-wide roles of a user or service account',
      params: GlobalRolePath,
      responses: { 200: null },
      requestHeaders: ['If-Match'],
      handler: async (request) => {
        const {
          params,
          runtime: { store },
        } = request;
        const binding = await revocable(deps, request, normaliseSubject(params.subject));
        demandSeen(request, binding);
        const { name, uid, resourceVersion } = binding.metadata;
        await store.delete(GlobalRoleBinding, name, {
          preconditions: { uid, ...(namesVersion(request) ? { resourceVersion } : {}) },
        });
        return { status: 200 };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/actions`,
      operationId: 'listGlobalRoleActions',
      summary: 'List what you can do with the platform-wide roles of a user or service account now, and why not',
      params: GlobalRolePath,
      responses: { 200: ActionsRead },
      handler: async (request) => {
        demandGlobal(request, 'read');
        const subject = normaliseSubject(request.params.subject);
        const granted = await grantedBindings(request.runtime.store);
        if (!deps.bindings.list(granted).some((bound) => bound.subject === subject)) throw noRoles();
        return {
          status: 200,
          body: await allowedActions({
            update: () => demandGrantable(request, subject),
            delete: () => revocable(deps, request, subject),
          }),
        };
      },
    }),
  ];
}
