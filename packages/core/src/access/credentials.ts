import { hash, X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { Problem } from '../errors/index.ts';
import { internalLimits } from '../limits.ts';
import { parsePrincipal, type Principal } from './principal.ts';

/** The credentials in a request. */
export type Credentials =
  | {
      readonly type: 'token';
      readonly token: string;
      /** Thumbprint of the verified client certificate of the request. A token can be bound to it. */
      readonly certificateThumbprint?: string;
    }
  | {
      readonly type: 'certificate';
      readonly commonName: string;
      readonly principal: Principal;
      readonly impersonate: boolean;
    };

/**
 * Where the client certificate of a request comes from. `forwarded`: from the headers of a TLS terminator, which must
 * remove these headers from outside requests; otherwise every client could write them. A certificate: the one of the
 * connection itself, which this server has verified; headers are then ignored.
 */
export type CertificateTrust = 'forwarded' | 'none' | ClientCertificate;

/** A client certificate that the terminator or this server has verified. */
export interface ClientCertificate {
  readonly commonName: string;
  /** SHA-256 in base64url, the `x5t#S256` of the certificate. */
  readonly thumbprint: string;
  readonly x509: X509Certificate;
}

function denied(message: string, cause?: unknown): Problem {
  return new Problem('access_denied', message, { cause });
}

function single(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * Reads the credentials of a request. With an Authorization header, only the token identifies the caller; a certificate
 * then proves that a bound token is used by its holder. Without the header, the certificate identifies the caller, and
 * its principal header is trusted. In both cases the terminator or this server must have verified the certificate.
 *
 * @example const credentials = readCredentials(request.headers, 'none'); // { type: 'token', … }
 */
export function readCredentials(headers: IncomingHttpHeaders, trust: CertificateTrust): Credentials {
  if (headers.authorization === undefined) return service(headers, verifiedCertificate(headers, trust));
  const token = bearerToken(headers.authorization);
  const certificate = clientCertificate(headers, trust);
  return { type: 'token', token, ...(certificate ? { certificateThumbprint: certificate.thumbprint } : {}) };
}

/**
 * The verified certificate of a request. An unusable certificate counts as none.
 *
 * @example const certificate = clientCertificate(request.headers, 'forwarded');
 */
export function clientCertificate(
  headers: IncomingHttpHeaders,
  trust: CertificateTrust,
): ClientCertificate | undefined {
  if (typeof trust === 'object') return trust;
  if (trust === 'none' || single(headers, 'ssl-client-verify') !== 'SUCCESS') return undefined;
  try {
    return verifiedCertificate(headers, trust);
  } catch {
    return undefined;
  }
}

function bearerToken(header: string): string {
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > internalLimits.tokenBytes) {
    throw denied('the Authorization header must have the form "Bearer <token>"');
  }
  return token;
}

function service(headers: IncomingHttpHeaders, { commonName }: ClientCertificate): Credentials {
  const principal = single(headers, 'x-principal');
  if (principal === undefined) throw denied('a service must name its principal in X-Principal');
  const impersonate = single(headers, 'x-impersonate') === 'true';
  const parsed = parsePrincipal(principal);
  if (impersonate && !parsed.actor) throw denied('impersonation needs an actor in X-Principal');
  return { type: 'certificate', commonName, principal: parsed, impersonate };
}

function verifiedCertificate(headers: IncomingHttpHeaders, trust: CertificateTrust): ClientCertificate {
  if (typeof trust === 'object') return trust;
  const forwarded = single(headers, 'ssl-client-cert');
  if (trust === 'none' || forwarded === undefined)
    throw denied('no access token: send the header Authorization with the scheme Bearer');
  if (single(headers, 'ssl-client-verify') !== 'SUCCESS') throw denied('the client certificate was not verified');
  return describedCertificate(parseCertificate(forwarded));
}

function describedCertificate(x509: X509Certificate): ClientCertificate {
  return { commonName: commonNameOf(x509), thumbprint: hash('sha256', x509.raw, 'base64url'), x509 };
}

/** One connection carries many requests with the same certificate. */
const described = new WeakMap<TLSSocket, CertificateTrust>();

/**
 * The trust for a request on this connection. On a connection where this server has verified a client certificate, only
 * that certificate counts.
 *
 * @example readCredentials(request.headers, trustOf(request.raw.socket, 'none'));
 */
export function trustOf(socket: Socket, otherwise: CertificateTrust): CertificateTrust {
  if (!(socket instanceof TLSSocket)) return otherwise;
  const known = described.get(socket);
  if (known !== undefined) return known;
  const x509 = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  const trust = x509 ? describedCertificate(x509) : 'none';
  described.set(socket, trust);
  return trust;
}

function parseCertificate(forwarded: string): X509Certificate {
  if (forwarded.length > internalLimits.certificateBytes) throw denied('the forwarded client certificate is too large');
  try {
    return new X509Certificate(decodeURIComponent(forwarded));
  } catch (cause) {
    throw denied('the forwarded client certificate cannot be read', cause);
  }
}

function commonNameOf({ subject }: X509Certificate): string {
  const name = subject
    .split('\n')
    .find((part) => part.startsWith('CN='))
    ?.slice('CN='.length);
  if (!name) throw denied('the client certificate has no common name');
  return name;
}
