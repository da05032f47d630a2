import type { Caller, Principal } from '../access/index.ts';
import { defined } from '../defined.ts';
import { property } from './json.ts';
import { pathVariables, type Route } from './route.ts';

/**
 * Who changed which resource, and the outcome. The field names are those of the transition streams, so that the two can
 * be joined.
 */
export interface AuditRecord {
  readonly component: { readonly name: string; readonly version: string };
  readonly actor: { readonly subject: string; readonly principal: Principal };
  /** The action is the last part of a path such as `/servers/{serverID}/start`. */
  readonly operation: { readonly verb: string; readonly id: string; readonly action?: string };
  readonly scope: Readonly<Record<string, string>>;
  readonly resource: { readonly type: string; readonly id?: string };
  readonly result: { readonly status: number };
  readonly traceId: string;
}

export interface AuditedExchange {
  readonly service: { readonly name: string; readonly version: string };
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly status: number;
  readonly responseBody: unknown;
  readonly traceId: string;
}

/** Reads are not audited, because they change nothing. */
export function isAudited(route: Route): boolean {
  return route.method !== 'GET';
}

export function auditRecord(exchange: AuditedExchange): AuditRecord {
  const { service, route, params, caller, status, traceId } = exchange;
  const target = targetOf(exchange);
  return {
    component: { name: service.name, version: service.version },
    actor: { subject: caller.subject, principal: caller.principal },
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
