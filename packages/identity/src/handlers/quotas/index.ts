import { allowsProject, type Acl } from '@unikorn/core/access';
import {
  ActionsRead,
  allowedActions,
  demandVersion,
  jsonArray,
  jsonObject,
  pagesOf,
  route,
  tagOf,
  type Route,
  type Runtime,
} from '@unikorn/core/http';
import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { OrganizationPath } from '../../api/common.ts';
import { QuotasQuery, QuotasRead, QuotasWrite } from '../../api/quotas.ts';
import { Allocation } from '../../kinds/quota.ts';
import { limitsVersion, readQuotas, requireKnownKinds, setLimits, type Quota } from '../../quota/index.ts';
import { demandInOrganization } from '../scope.ts';

const endpoint = 'identity:quotas';
const common = {
  path: '/api/v1/organizations/{organizationID}/quotas',
  tags: ['Quotas'],
  security: 'bearer',
  params: OrganizationPath,
} as const;

/**
 * Every member may read the totals. The single allocations belong to projects: they are shown to callers who may read
 * the project, or the resources in it.
 */
function maySee(acl: Acl, organizationId: string, { metadata }: Allocation): boolean {
  const projectId = metadata.labels?.[labels.project] ?? '';
  return ['identity:projects', 'identity:allocations'].some((readable) =>
    allowsProject(acl, readable, 'read', organizationId, projectId),
  );
}

/**
 * Each quota with its allocations. An organization has many allocations, so they are read once for each used quota, and
 * never held in memory.
 */
async function* withAllocations(
  runtime: Runtime,
  acl: Acl,
  organizationId: string,
  quotas: readonly Quota[],
): AsyncGenerator<string> {
  const view = {
    selector: matching({ [labels.organization]: organizationId }),
    visible: (allocation: Allocation) => maySee(acl, organizationId, allocation),
  };
  const shares = async function* ({ kind, used }: Quota) {
    if (used === 0) return;
    for await (const { items } of pagesOf(runtime, Allocation, view))
      yield items.flatMap((allocation) => sharesOf(allocation, kind)).map((share) => JSON.stringify(share));
  };
  for (const [index, quota] of quotas.entries()) {
    if (index > 0) yield ',';
    yield* jsonObject(quota, 'allocations', jsonArray(shares(quota)));
  }
}

/** The text around the streamed elements. */
async function* inList(elements: AsyncIterable<string>): AsyncGenerator<string> {
  yield '[';
  yield* elements;
  yield ']';
}

function sharesOf({ metadata, spec }: Allocation, quotaKind: string) {
  const { kind, id, allocations } = spec;
  const share = { id: metadata.name, projectId: metadata.labels?.[labels.project] ?? '', resource: { kind, id } };
  return allocations
    .filter((entry) => entry.kind === quotaKind)
    .map(({ committed, reserved }) => ({ ...share, committed, reserved }));
}

export const quotaRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    operationId: 'getQuotas',
    summary: 'Read the quotas and the usage of an organization',
    query: QuotasQuery,
    responses: { 200: QuotasRead },
    handler: async (request) => {
      const { acl, params, query, runtime } = request;
      demandInOrganization(request, endpoint, 'read');
      const quotas = await readQuotas(runtime.store, params.organizationID);
      // Weak, because the usage changes without it.
      const headers = { etag: `W/${tagOf(limitsVersion(quotas))}` };
      if (query.include === undefined) return { status: 200, headers, body: { quotas } };
      return {
        status: 200,
        headers,
        text: jsonObject({}, 'quotas', inList(withAllocations(runtime, acl, params.organizationID, quotas))),
      };
    },
  }),
  route({
    ...common,
    method: 'PUT',
    operationId: 'updateQuotas',
    summary: 'Change the quotas of an organization',
    body: QuotasWrite,
    responses: { 200: QuotasRead },
    requestHeaders: ['If-Match'],
    handler: async (request) => {
      const { body, params, runtime } = request;
      demandInOrganization(request, endpoint, 'update');
      requireKnownKinds('body.quotas', body.quotas);
      const limits = Object.fromEntries(body.quotas.map(({ kind, quantity }) => [kind, quantity]));
      const quotas = await setLimits(runtime.store, params.organizationID, limits, (current) => {
        demandVersion(request, tagOf(limitsVersion(current)));
      });
      return { status: 200, body: { quotas } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${common.path}/actions`,
    operationId: 'listQuotasActions',
    summary: 'List what you can do with the quotas of an organization now, and why not',
    responses: { 200: ActionsRead },
    handler: async (request) => {
      demandInOrganization(request, endpoint, 'read');
      await readQuotas(request.runtime.store, request.params.organizationID);
      const check = () => {
        demandInOrganization(request, endpoint, 'update');
      };
      return { status: 200, body: await allowedActions({ update: check }) };
    },
  }),
];
