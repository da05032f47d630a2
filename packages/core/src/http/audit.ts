import { Type, type Static } from 'typebox';

import type { Caller, Principal } from '../access/index.ts';
import { defined } from '../defined.ts';
import { property } from './json.ts';
import { pathVariables, type Route } from './route.ts';

/**
 * Who changed which resource, and the outcome. The field names are those of the transition streams, so that the two can
 * be joined. The reference page of audit records is generated from it.
 */
export const AuditRecord = Type.Object({
  component: Type.Object(
    { name: Type.String(), version: Type.String() },
    { description: 'The service that handled the request, and its version' },
  ),
  actor: Type.Object({
    subject: Type.String({
      description:
        'Who sent the request: the mail address of a user, the id of a service account, or the name of a service. Empty without valid credentials',
    }),
    principal: Type.Unsafe<Principal>(
      Type.Object(
        {},
        {
          description:
            'For whom the sender acts: `actor`, `type` (`user`, `service` for a service account, `system` for a service of the platform), and the organizations. It differs from the subject if a service acts for a user',
        },
      ),
    ),
  }),
  client: Type.Object({
    address: Type.String({
      description:
        'The IP address of the client. Behind a reverse proxy this is the address of the proxy, unless `server.trustedProxies` names the proxy',
    }),
  }),
  operation: Type.Object({
    verb: Type.String({ description: 'The HTTP method' }),
    id: Type.String({ description: 'The operation, as in the API reference' }),
    action: Type.Optional(
      Type.String({ description: 'The last part of a path such as `/instances/{instanceID}/start`' }),
    ),
  }),
  scope: Type.Record(Type.String(), Type.String(), { description: 'The variables of the path' }),
  resource: Type.Object({
    type: Type.String({ description: 'The collection in the path, such as `instances`' }),
    id: Type.Optional(Type.String({ description: 'The id of the resource. Absent if none was created' })),
  }),
  result: Type.Object({ status: Type.Integer({ description: 'The status of the response' }) }),
  traceId: Type.String({
    description:
      'The id of the request. Log lines, histories and traces have it as `traceId`, and error responses as `trace_id`',
  }),
});
export type AuditRecord = Static<typeof AuditRecord>;

export interface AuditedExchange {
  readonly service: { readonly name: string; readonly version: string };
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  /** The IP address of the client. */
  readonly address: string;
  readonly status: number;
  readonly responseBody: unknown;
  readonly traceId: string;
}

/** Reads are not audited, because they change nothing. */
export function isAudited(route: Route): boolean {
  return route.method !== 'GET';
}

export function auditRecord(exchange: AuditedExchange): AuditRecord {
  const { service, route, params, caller, address, status, traceId } = exchange;
  const target = targetOf(exchange);
  return {
    component: { name: service.name, version: service.version },
    actor: { subject: caller.subject, principal: caller.principal },
    client: { address },
    operation: {
      verb: route.method,
      id: route.operationId,
      ...defined({ action: target.action }),
    },
    scope: params,
    resource: { type: target.type, ...defined({ id: target.id }) },
    result: { status },
    traceId,
  };
}

interface Target {
  readonly type: string;
  readonly id?: string | undefined;
  readonly action?: string;
}

/**
 * A POST with a body creates an object of the collection that the path ends with. Any other request is about the object
 * in the path.
 */
function targetOf({ route, params, responseBody }: AuditedExchange): Target {
  const segments = route.path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  const variable = segments.findLastIndex((segment) => segment.startsWith('{'));
  if (route.method === 'POST' && route.body !== undefined) return { type: last, id: createdId(responseBody) };
  if (variable < 1) return { type: last };
  const named = { type: segments[variable - 1] ?? '', id: params[pathVariables(segments[variable] ?? '')[0] ?? ''] };
  return variable === segments.length - 1 ? named : { ...named, action: last };
}

function createdId(body: unknown): string | undefined {
  const id = property(property(body, 'metadata'), 'id');
  return typeof id === 'string' ? id : undefined;
}
