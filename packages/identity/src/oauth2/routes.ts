import { clientCertificate, type ClientCertificate } from '@unikorn/core/access';
import type { RawRoute } from '@unikorn/core/http';

import { exchangeClient } from './configuration.ts';
import { deviceRoutes, refuse, type DeviceLimits } from './device.ts';
import { exchangeGrant } from './exchange.ts';
import { asReceived, type Rewriting } from './external-request.ts';
import type { ExternalUrl } from './external-url.ts';
import type { OpenIdHost } from './host.ts';
import { problemPage } from './login/page.ts';
import { paths } from './paths.ts';
import { tooLong } from './request-limits.ts';

export interface OpenIdRoutesOptions {
  readonly host: OpenIdHost;
  readonly external: ExternalUrl;
  /** The common names of the platform's services. */
  readonly services: ReadonlySet<string>;
  readonly limits: DeviceLimits;
}

/** The paths of the OpenID library. */
export function openIdRoutes({ host, external, services, limits }: OpenIdRoutesOptions): readonly RawRoute[] {
  const asIs = (method: RawRoute['method'], path: RawRoute['path']): RawRoute => ({
    method,
    path,
    handler: (request, reply) => host.answer(request, reply),
  });
  return [
    asIs('GET', '/.well-known/openid-configuration'),
    asIs('GET', paths.jwks),
    bounded('GET', paths.authorization, (request, reply) => host.answer(request, reply)),
    asIs('GET', `${paths.authorization}/{uid}`),
    bounded('POST', paths.authorization, (request, reply) => host.answer(request, reply, asQuery(asReceived(request)))),
    {
      method: 'POST',
      path: paths.token,
      handler: async (request, reply, certificates) => {
        const certificate = clientCertificate(request.headers, certificates);
        const received = asReceived(request);
        const refusal = tokenRefusal(received, certificate);
        if (refusal !== undefined) return refuse(reply, 400, 'invalid_request', refusal);
        if (limits.isTooSoon(new URLSearchParams(received.body)))
          return refuse(reply, 400, 'slow_down', 'ask every five seconds');
        return host.answer(request, reply, tokenRequest(received, services, certificate), certificate);
      },
    },
    {
      method: 'POST',
      path: paths.revocation,
      handler: (request, reply, certificates) =>
        host.answer(request, reply, asReceived(request), clientCertificate(request.headers, certificates)),
    },
    bounded('GET', paths.end_session, (request, reply) => host.answer(request, reply)),
    bounded('POST', paths.end_session, (request, reply) =>
      Promise.resolve(void reply.redirect(`${external.base}${asQuery(asReceived(request)).url}`, 303)),
    ),
    asIs('POST', `${paths.end_session}/confirm`),
    asIs('GET', `${paths.end_session}/success`),
    ...deviceRoutes(host, limits),
  ];
}

/** A request that any client can make without a login, and whose parameters must be stored for some time. */
function bounded(method: RawRoute['method'], path: RawRoute['path'], handler: RawRoute['handler']): RawRoute {
  return {
    method,
    path,
    handler: async (request, reply, certificates) => {
      const received = asReceived(request);
      const problem = tooLong(method === 'GET' ? queryOf(received) : new URLSearchParams(received.body));
      if (problem === undefined) return handler(request, reply, certificates);
      const { headers, body } = problemPage(`The application's request cannot be answered: ${problem}.`);
      void reply.code(400).headers(headers).send(body);
    },
  };
}

function queryOf({ url }: Rewriting): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/**
 * Checks a token request before the OpenID library does. The library checks the client first and would not report these
 * problems. Parameters in an address end up in logs, so they are not accepted there.
 */
export function tokenRefusal(received: Rewriting, certificate: ClientCertificate | undefined): string | undefined {
  const query = queryOf(received);
  if (query.has('subject_token')) return 'subject_token must be supplied in the form body';
  if (query.size > 0) return 'parameters must be supplied in the form body';
  const grant = new URLSearchParams(received.body).get('grant_type') ?? '';
  if (grant === '') return 'grant_type must be specified';
  if (grant === 'client_credentials' && !certificate)
    return 'client_credentials needs the client certificate of a service';
  return undefined;
}

/**
 * Cookies are not sent with a form from another site, so a posted authorization request is handled like one in the
 * address.
 */
function asQuery({ url, body, headers }: Rewriting): Rewriting {
  const [path = ''] = url.split('?', 1);
  return { method: 'GET', url: `${path}?${body}`, headers, body: '' };
}

/** No client has this name, so an unknown service is refused as an unknown client. */
const unknownService = 'unknown-service';

/**
 * Responses are JSON, whatever the client accepts. The caller of a token exchange is identified by the token, and a
 * service by its certificate, whatever client id the request contains.
 */
export function tokenRequest(
  received: Rewriting,
  services: ReadonlySet<string>,
  certificate: ClientCertificate | undefined,
): Rewriting {
  const headers: Rewriting['headers'] = { ...received.headers, accept: 'application/json' };
  const form = new URLSearchParams(received.body);
  const client = clientFor(form.getAll('grant_type').join(), services, certificate);
  if (client === undefined) return { ...received, headers };
  form.delete('client_secret');
  form.set('client_id', client);
  Reflect.deleteProperty(headers, 'authorization');
  return { ...received, headers, body: form.toString() };
}

/** The client of a grant; undefined if the request itself contains it. */
function clientFor(
  grant: string,
  services: ReadonlySet<string>,
  certificate: ClientCertificate | undefined,
): string | undefined {
  if (grant === exchangeGrant) return exchangeClient;
  if (grant !== 'client_credentials') return undefined;
  return certificate && services.has(certificate.commonName) ? certificate.commonName : unknownService;
}
