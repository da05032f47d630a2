import { encodePrincipal, type Principal } from '@unikorn/core/access';

import { allocationIdOf } from '../kinds/quota.ts';
import { isQuotaKind, type ProjectScope } from '../quota/index.ts';
import { callIdentity, fieldsOf, parseJson, problemOf, unavailable, type Remote } from './call.ts';
import { allocationName, entriesOf, type IdentityClient } from './identity-client.ts';
import { payerOf, payingOrganization } from './payer.ts';
import type { IncomingResponse, OutgoingRequest } from './transport.ts';

/**
 * Identity in another process. The connection's certificate says which service calls.
 *
 * @example const identity = httpIdentityClient({ baseUrl: 'https://identity.unikorn.svc', transport });
 */
export function httpIdentityClient(remote: Remote): IdentityClient {
  const call = (
    principal: Principal,
    method: OutgoingRequest['method'],
    path: `/${string}`,
    body?: object,
  ): Promise<IncomingResponse> =>
    callIdentity(remote, {
      method,
      path,
      headers: { 'x-principal': encodePrincipal(principal), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return {
    async charge(principal, { scope: placement, resource, amounts }) {
      const scope = payerOf(principal, placement);
      const body = { metadata: { name: allocationName }, spec: { ...resource, allocations: entriesOf(amounts) } };
      const answer = expectStatus(await call(principal, 'POST', `${pathOf(scope)}/allocations`, body), 201);
      const { id } = fieldsOf(fieldsOf(parseJson(answer.body))['metadata']);
      if (typeof id !== 'string') throw unavailable(new Error('identity answered without an allocation id'));
      return { allocationId: id };
    },
    async release(principal, placement, resource) {
      const scope = payerOf(principal, placement);
      expectStatus(
        await call(
          principal,
          'DELETE',
          `${pathOf(scope)}/allocations/${allocationIdOf(scope.organizationId, resource)}`,
        ),
        202,
        404,
      );
    },
    async free(principal, organizationId) {
      const answer = expectStatus(
        await call(
          principal,
          'GET',
          `/api/v1/organizations/${encodeURIComponent(payingOrganization(principal, organizationId))}/quotas`,
        ),
        200,
      );
      const { quotas } = fieldsOf(parseJson(answer.body));
      if (!Array.isArray(quotas)) throw unavailable(new Error('identity answered without quotas'));
      return Object.fromEntries(
        quotas
          .map(fieldsOf)
          .flatMap(({ kind, free }) =>
            typeof kind === 'string' && isQuotaKind(kind) && typeof free === 'number' ? [[kind, free]] : [],
          ),
      );
    },
    async project(principal, scope) {
      const answer = expectStatus(await call(principal, 'GET', pathOf(scope)), 200, 404);
      if (answer.status === 404) return undefined;
      const { name, deletionTime } = fieldsOf(fieldsOf(parseJson(answer.body))['metadata']);
      return { ...scope, name: typeof name === 'string' ? name : '', deleting: deletionTime !== undefined };
    },
    async addProjectReference(principal, scope, { reference, ...attributes }) {
      expectStatus(
        await call(
          principal,
          'PUT',
          `${pathOf(scope)}/references/${encodeURIComponent(reference)}${queryOf(attributes)}`,
        ),
        201,
      );
    },
    async removeProjectReference(principal, scope, reference, claim) {
      expectStatus(
        await call(
          principal,
          'DELETE',
          `${pathOf(scope)}/references/${encodeURIComponent(reference)}${queryOf({ claim })}`,
        ),
        204,
        404,
      );
    },
  };
}

function pathOf({ organizationId, projectId }: ProjectScope): `/${string}` {
  return `/api/v1/organizations/${encodeURIComponent(organizationId)}/projects/${encodeURIComponent(projectId)}`;
}

function queryOf(values: Readonly<Record<string, string | boolean | undefined>>): string {
  const given = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as const],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given)).toString()}`;
}

function expectStatus(answer: IncomingResponse, ...expected: readonly number[]): IncomingResponse {
  if (!expected.includes(answer.status)) throw problemOf(answer);
  return answer;
}
