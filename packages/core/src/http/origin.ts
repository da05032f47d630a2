import type { IncomingHttpHeaders } from 'node:http';

import type { Service } from './compiled.ts';

const hostPattern = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:]+\](:\d{1,5})?$/;

/** Where the client reached the service, as it names it itself; a Host that cannot be one is not repeated. */
export function resourceUrl(headers: IncomingHttpHeaders, service: Service | undefined): string {
  const { host = '' } = headers;
  return `https://${hostPattern.test(host) ? host : 'localhost'}${service?.base ?? ''}`;
}

/** The document that tells a client without a token where to get one. */
export function protectedResourceUrl(headers: IncomingHttpHeaders, service: Service | undefined): string {
  return `${resourceUrl(headers, service)}/.well-known/openid-protected-resource`;
}
