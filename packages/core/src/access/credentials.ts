import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { Problem } from '../errors/index.ts';
import { parsePrincipal, type Principal } from './principal.ts';

/** What a request brings to prove who sent it. */
export type Credentials =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'certificate'; readonly commonName: string; readonly principal: Principal; readonly impersonate: boolean };

/**
 * Whether the headers by which a TLS terminator forwards a client certificate are believed. Only where a terminator stands
 * in front and strips them from what comes from outside: everybody else could write them.
 */
export type CertificateTrust = 'forwarded' | 'none';

/** Longer than any token we or an identity provider issue; it keeps garbage away from the verifier. */
const tokenBytes = 8 * 1024;
/** A 4096 bit RSA certificate in PEM is about 2 KB; URL encoding adds a third. */
const certificateBytes = 16 * 1024;

function denied(message: string, cause?: unknown): Problem {
  return new Problem('access_denied', message, { cause });
}

function single(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * Reads the credentials of a request. An Authorization header always decides alone; the certificate and with it the
 * principal are believed only without one, and only when the terminator has verified the certificate.
 */
export function readCredentials(headers: IncomingHttpHeaders, trust: CertificateTrust): Credentials {
  if (headers.authorization !== undefined) return bearer(headers.authorization);
  const certificate = single(headers, 'ssl-client-cert');
  if (trust === 'none' || certificate === undefined) throw denied('there is no access token: send Authorization with the Bearer scheme');
  if (single(headers, 'ssl-client-verify') !== 'SUCCESS') throw denied('the client certificate was not verified');
  return service(headers, certificate);
}

function bearer(header: string): Credentials {
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > tokenBytes) {
    throw denied('the Authorization header must be the word Bearer, one space and a token');
  }
  return { type: 'token', token };
}

function service(headers: IncomingHttpHeaders, certificate: string): Credentials {
  const principal = single(headers, 'x-principal');
  if (principal === undefined) throw denied('a service must name its principal in X-Principal');
  const impersonate = single(headers, 'x-impersonate') === 'true';
  const parsed = parsePrincipal(principal);
  if (impersonate && !parsed.actor) throw denied('impersonation needs an actor in X-Principal');
  return { type: 'certificate', commonName: commonNameOf(certificate), principal: parsed, impersonate };
}

function commonNameOf(forwarded: string): string {
  if (forwarded.length > certificateBytes) throw denied('the forwarded client certificate is too large');
  const name = subjectOf(forwarded)
    .split('\n')
    .find((part) => part.startsWith('CN='))
    ?.slice('CN='.length);
  if (!name) throw denied('the client certificate has no common name');
  return name;
}

function subjectOf(forwarded: string): string {
  try {
    return new X509Certificate(decodeURIComponent(forwarded)).subject;
  } catch (cause) {
    throw denied('the forwarded client certificate cannot be read', cause);
  }
}
