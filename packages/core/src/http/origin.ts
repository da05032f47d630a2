import type { IncomingHttpHeaders } from 'node:http';

import type { Service } from './compiled.ts';

const hostPattern = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:]+\](:\d{1,5})?$/;

type Place = Pick<Service, 'base' | 'url'>;

/** The configured URL of the service, or else the Host header of the client. An invalid Host is not repeated. */
export function resourceUrl({ host = '' }: IncomingHttpHeaders, { base, url }: Place = {}): string {
  return url ?? `https://${hostPattern.test(host) ? host : 'localhost'}${base ?? ''}`;
}

/** The document that tells a client without a token where to get one. */
export function protectedResourceUrl(headers: IncomingHttpHeaders, service?: Place): string {
  return `${resourceUrl(headers, service)}/.well-known/openid-protected-resource`;
}
