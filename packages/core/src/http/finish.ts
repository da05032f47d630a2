import { SpanStatusCode } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { auditRecord, isAudited, type AuditRecord } from './audit.ts';
import type { Exchange } from './exchange.ts';
import { httpMetrics } from './metrics.ts';
import { isRefusal } from './refusal.ts';
import type { Runtime } from './request.ts';

export type AuditListener = (record: AuditRecord) => void;

/**
 * Records an exchange at its end: metrics, a log line, an audit record, a span. It is called once, however the exchange
 * ended.
 */
export function finish(
  runtime: Runtime,
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  onAudit: AuditListener | undefined,
): void {
  if (exchange.over) return;
  exchange.over = true;
  exchange.passage?.leave();
  const { inFlight, duration } = httpMetrics(runtime.telemetry.registry);
  const duration_ms = runtime.world.monotonic_ms() - exchange.started_ms;
  const route = exchange.spanName.slice(request.method.length + 1);
  inFlight.dec();
  duration.observe({ method: request.method, route, status: String(reply.statusCode) }, duration_ms / 1000);
  log(exchange, request, reply, duration_ms);
  audit(runtime, exchange, { address: request.ip, status: reply.statusCode }, onAudit);
  exchange.span.setAttributes({
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': reply.statusCode,
  });
  if (reply.statusCode >= 400) exchange.span.setStatus({ code: SpanStatusCode.ERROR });
  exchange.span.end();
}

/**
 * Failures are always logged, with the message for the client and the internal cause. Successes are logged only at
 * debug level. So are rate limit refusals: many of them would fill the log, and a metric counts them.
 */
function log(exchange: Exchange, request: FastifyRequest, reply: FastifyReply, duration_ms: number): void {
  const failed = reply.statusCode >= 400 && !isRefusal(exchange.problem);
  if (!failed && !exchange.speaksAt('debug')) return;
  // The path of a raw route may contain the id of a pending login, which must not be logged. The template of the path
  // is enough.
  const path = request.routeOptions.config.raw ?? request.originalUrl.split('?', 1)[0];
  const fields = {
    method: request.method,
    path,
    status: reply.statusCode,
    duration_ms,
    subject: exchange.authority.caller.subject,
  };
  const { problem } = exchange;
  if (!failed) exchange.log.debug(fields, 'request');
  else if (reply.statusCode < 500) exchange.log.info({ ...fields, description: problem?.message }, 'request refused');
  else
    exchange.log.error(
      { ...fields, description: problem?.message, error: problem?.cause ?? problem },
      'request failed',
    );
}

function audit(
  { telemetry }: Runtime,
  exchange: Exchange,
  { address, status }: { readonly address: string; readonly status: number },
  onAudit: AuditListener | undefined,
): void {
  const { compiled, params, authority, responseBody, traceId } = exchange;
  if (!compiled || !isAudited(compiled.route)) return;
  const record = auditRecord({
    service: compiled.service,
    route: compiled.route,
    params,
    caller: authority.caller,
    address,
    status,
    responseBody,
    traceId,
  });
  telemetry.log.info(record, 'audit');
  onAudit?.(record);
}
