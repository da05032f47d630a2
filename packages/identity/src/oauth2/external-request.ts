import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';

import type { RawShape } from '@unikorn/core/http';
import type { FastifyRequest } from 'fastify';

import type { ExternalUrl } from './external-url.ts';

export interface Rewriting {
  readonly method: 'GET' | 'POST';
  /** The path below the base of the service, with the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The URL of the request, relative to the base of the service. */
export function localUrl(request: FastifyRequest<RawShape>): string {
  return request.url.slice(request.server.prefix.length);
}

/** The original request. */
export function asReceived(request: FastifyRequest<RawShape>): Rewriting {
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    url: localUrl(request),
    headers: request.headers,
    body: request.body ?? '',
  };
}

/**
 * A request for the OpenID library, as if it had been sent to the configured URL. Links, cookies and their `Secure`
 * flag then depend on the configuration, and not on headers that any client can send.
 */
export function externalRequest(
  request: FastifyRequest<RawShape>,
  { host, scheme, base }: ExternalUrl,
  rewriting: Rewriting = asReceived(request),
): IncomingMessage {
  const body = Buffer.from(rewriting.body);
  const message = new IncomingMessage(request.raw.socket);
  const headers: IncomingHttpHeaders = {
    ...rewriting.headers,
    host,
    'x-forwarded-proto': scheme,
    'content-length': String(body.length),
  };
  for (const misleading of ['x-forwarded-host', 'x-forwarded-for', 'transfer-encoding'])
    Reflect.deleteProperty(headers, misleading);
  message.method = rewriting.method;
  message.url = rewriting.url;
  message.headers = headers;
  message.push(body.length > 0 ? body : null);
  if (body.length > 0) message.push(null);
  // Without it the library would treat the end of this copy as a client that disconnected, and close the connection.
  message.complete = true;
  return Object.assign(message, { originalUrl: `${base}${rewriting.url}` });
}
