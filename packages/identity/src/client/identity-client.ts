import { Type, type Static } from 'typebox';

import type { Principal } from '@unikorn/core/access';
import { typedCalls, unlessMissing, type Change, type OnBehalf, type ServiceCalls } from '@unikorn/core/calls';
import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { ReferenceRead, type Holder, type ReferenceQuery } from '@unikorn/core/references';
import type { Reference } from '@unikorn/core/resource';

import { ProjectRead } from '../api/projects.ts';
import { QuotasRead } from '../api/quotas.ts';
import { allocationIdOf } from '../kinds/quota.ts';
import { isQuotaKind, type Amount, type ProjectScope, type QuotaKind } from '../quota/index.ts';
import { payerOf, payingOrganization } from './payer.ts';

/** The new quota usage of a resource. */
export interface ResourceCharge {
  /** The project of the resource. */
  readonly scope: ProjectScope;
  readonly resource: Reference;
  readonly amounts: Readonly<Partial<Record<QuotaKind, Amount>>>;
}

/** The charge of one resource, as identity has recorded it. */
export interface AllocationSummary {
  readonly resource: Reference;
  /** The charged project. */
  readonly scope: ProjectScope;
  readonly amounts: readonly (Amount & { readonly kind: string })[];
  /** When it was last written. */
  readonly time: string;
}

/** A reference to a project. */
export interface ProjectReference extends ProjectScope {
  /** `<plural>.<group>/<id>` of the resource that uses the project. */
  readonly user: string;
  readonly protects: boolean;
  /** The saga runs that have a claim on it; none if only the resource itself has one. */
  readonly claims: readonly string[];
}

/** A project as other services see it. */
export interface ProjectSummary extends ProjectScope {
  readonly name: string;
  readonly deleting: boolean;
  /** For a project that is being deleted: since when, who requested it, and which parent is deleted with it. */
  readonly deletionTime?: string;
  readonly deletedBy?: string;
  readonly deletionCause?: string;
}

/**
 * The operations of identity for other services. Every operation may be repeated. The principal is the user on whose
 * behalf the service calls: it is recorded as the author, and its project is charged if it names one. It does not
 * change the permissions of the service.
 *
 * @example
 * const { allocationId } = await identity.charge(principal, { scope, resource: { kind: Network.id, id }, amounts: { networks: { committed: 1, reserved: 0 } } });
 */
export interface IdentityClient {
  /** Fails with 403 if the quota is exceeded; the message contains the kind, the requested total and the limit. */
  charge(principal: Principal, charge: ResourceCharge): Promise<{ readonly allocationId: string }>;
  /** Does nothing if the resource has no allocation, or its project is deleted. */
  release(principal: Principal, scope: ProjectScope, resource: Reference): Promise<void>;
  /** The charges of resources of one kind, in all organizations, read page by page. */
  allocations(principal: Principal, kind: string): AsyncIterable<AllocationSummary>;
  /** The remaining quota of the organization by kind; negative if more is in use than the current limit. */
  free(principal: Principal, organizationId: string): Promise<Readonly<Partial<Record<QuotaKind, number>>>>;
  /** Undefined if the project does not exist in the organization. */
  project(principal: Principal, scope: ProjectScope): Promise<ProjectSummary | undefined>;
  /**
   * Prevents the deletion of the project until the reference is removed. Refused with `invalid_request` if the project
   * is being deleted, and with `conflict` while a deletion is being checked.
   */
  addProjectReference(principal: Principal, scope: ProjectScope, holder: Holder): Promise<void>;
  /** With a claim, removes only the claim of that saga run. */
  removeProjectReference(principal: Principal, scope: ProjectScope, reference: string, claim?: string): Promise<void>;
  /** The references to projects of one resource, or of all resources of a kind, read page by page. */
  projectReferences(principal: Principal, query: ReferenceQuery): AsyncIterable<ProjectReference>;
  /**
   * The projects of every organization, and their changes, until the signal aborts. The id of an event is the id of the
   * project.
   */
  watchProjects(
    principal: Principal,
    options: { readonly signal: AbortSignal; readonly from?: string },
  ): AsyncIterable<Change<ProjectSummary>>;
}

/** The name of every allocation. Allocations are found by their resource, never by name. */
const allocationName = 'undefined';

/** The part of a response that is used. */
const Charged = Type.Object({ metadata: Type.Object({ id: Type.String() }) });

const Allocated = Type.Object({
  metadata: Type.Object({
    organizationId: Type.String(),
    projectId: Type.String(),
    creationTime: Type.String(),
    modifiedTime: Type.Optional(Type.String()),
  }),
  spec: Type.Object({
    kind: Type.String(),
    id: Type.String(),
    allocations: Type.Array(Type.Object({ kind: Type.String(), committed: Type.Integer(), reserved: Type.Integer() })),
  }),
});

const project = '/api/v1/organizations/{organizationID}/projects/{projectID}';
const allocation = `${project}/allocations/{allocationID}` as const;
const reference = `${project}/references/{reference}` as const;

/**
 * A client of identity for either carrier: direct calls of the handlers in one process, or HTTP.
 *
 * @example const identity = identityClient(httpCalls({ service: 'identity', channel, world, telemetry }));
 */
export function identityClient(calls: ServiceCalls): IdentityClient {
  const typed = typedCalls(calls);
  const charges = typed(Charged);
  const allocated = typed(Allocated);
  const references = typed(ReferenceRead);
  const quotas = typed(QuotasRead);
  const projects = typed(ProjectRead);
  return {
    async charge(principal, { scope: placement, resource, amounts }) {
      const { metadata } = await charges.call(inName(principal), {
        method: 'POST',
        path: `${project}/allocations`,
        params: paramsOf(payerOf(principal, placement)),
        body: { metadata: { name: allocationName }, spec: { ...resource, allocations: entriesOf(amounts) } },
      });
      return { allocationId: metadata.id };
    },
    async release(principal, placement, resource) {
      const scope = payerOf(principal, placement);
      const params = { ...paramsOf(scope), allocationID: allocationIdOf(scope.organizationId, resource) };
      await unlessMissing(() => calls.call(inName(principal), { method: 'DELETE', path: allocation, params }));
    },
    async *allocations(principal, kind) {
      const call = { method: 'GET', path: '/api/v1/allocations', query: { kind } } as const;
      for await (const { metadata, spec } of allocated.list(inName(principal), call))
        yield {
          resource: { kind: spec.kind, id: spec.id },
          scope: { organizationId: metadata.organizationId, projectId: metadata.projectId },
          amounts: spec.allocations,
          time: metadata.modifiedTime ?? metadata.creationTime,
        };
    },
    async free(principal, organizationId) {
      const answer = await quotas.call(inName(principal), {
        method: 'GET',
        path: '/api/v1/organizations/{organizationID}/quotas',
        params: { organizationID: payingOrganization(principal, organizationId) },
      });
      return Object.fromEntries(answer.quotas.flatMap(({ kind, free }) => (isQuotaKind(kind) ? [[kind, free]] : [])));
    },
    async project(principal, scope) {
      const params = paramsOf(scope);
      const found = await unlessMissing(() =>
        projects.call(inName(principal), { method: 'GET', path: project, params }),
      );
      return found && summaryOf(found);
    },
    async addProjectReference(principal, scope, { reference: held, ...query }) {
      const params = { ...paramsOf(scope), reference: held };
      await calls.call(inName(principal), { method: 'PUT', path: reference, params, query });
    },
    async removeProjectReference(principal, scope, held, claim) {
      const params = { ...paramsOf(scope), reference: held };
      await unlessMissing(() =>
        calls.call(inName(principal), { method: 'DELETE', path: reference, params, query: defined({ claim }) }),
      );
    },
    async *projectReferences(principal, query) {
      const call = { method: 'GET', path: '/api/v1/references', query } as const;
      for await (const { metadata, spec } of references.list(inName(principal), call))
        yield {
          organizationId: metadata.organizationId ?? '',
          projectId: spec.used.id,
          user: spec.user,
          protects: spec.protects,
          claims: spec.claims,
        };
    },
    async *watchProjects(principal, options) {
      const watch = projects.watch(inName(principal), { method: 'GET', path: '/api/v1/projects' }, options);
      for await (const change of watch)
        yield 'object' in change ? { ...change, object: summaryOf(change.object) } : change;
    },
  };
}

/** A service has its own permissions. The principal is recorded, and is charged. */
function inName(principal: Principal): OnBehalf {
  return { principal, impersonate: false };
}

function paramsOf({ organizationId, projectId }: ProjectScope) {
  return { organizationID: organizationId, projectID: projectId };
}

function summaryOf({ metadata }: DeepReadonly<Static<typeof ProjectRead>>): ProjectSummary {
  const { id, name, organizationId, deletionTime, deletedBy, deletionCause } = metadata;
  const deletion = defined({ deletionTime, deletedBy, deletionCause });
  return { organizationId, projectId: id, name, deleting: deletionTime !== undefined, ...deletion };
}

function entriesOf(amounts: ResourceCharge['amounts']): readonly (Amount & { readonly kind: string })[] {
  return Object.entries(amounts).map(([kind, { committed, reserved }]) => ({ kind, committed, reserved }));
}
