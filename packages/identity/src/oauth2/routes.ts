import { clientCertificate, type ClientCertificate } from '@unikorn/core/access';
import type { RawRoute } from '@unikorn/core/http';

import { exchangeClient, paths } from './configuration.ts';
import { exchangeGrant } from './exchange.ts';
import { asReceived, type Rewriting } from './external-request.ts';
import type { OpenIdHost } from './host.ts';

/** The paths that the OpenID implementation answers. */
export function openIdRoutes(host: OpenIdHost, services: ReadonlySet<string>): readonly RawRoute[] {
  const asIs = (method: RawRoute['method'], path: RawRoute['path']): RawRoute => ({ method, path, handler: (request, reply) => host.answer(request, reply) });
  const certified = (path: RawRoute['path'], rewrite: (received: Rewriting, certificate: ClientCertificate | undefined) => Rewriting): RawRoute => ({
    method: 'POST',
    path,
    handler: (request, reply, certificates) => {
      const certificate = clientCertificate(request.headers, certificates);
      return host.answer(request, reply, rewrite(asReceived(request), certificate), certificate);
    },
  });
  return [
    asIs('GET', '/.well-known/openid-configuration'),
    asIs('GET', paths.jwks),
    asIs('GET', paths.authorization),
    asIs('GET', `${paths.authorization}/{uid}`),
    { method: 'POST', path: paths.authorization, handler: (request, reply) => host.answer(request, reply, asQuery(asReceived(request))) },
    certified(paths.token, (received, certificate) => tokenRequest(received, services, certificate)),
    certified(paths.revocation, (received) => received),
    asIs('GET', paths.end_session),
    asIs('POST', `${paths.end_session}/confirm`),
    asIs('GET', `${paths.end_session}/success`),
  ];
}

/** Cookies do not come with a form from elsewhere, so a posted authorization request is the same as one in the address. */
function asQuery({ url, body, headers }: Rewriting): Rewriting {
  const [path = ''] = url.split('?', 1);
  return { method: 'GET', url: `${path}?${body}`, headers, body: '' };
}

/** Nobody has this name, so that a service nobody knows is refused as an unknown client. */
const unknownService = 'unknown-service';

/**
 * Answers are JSON whatever the client says it likes. Whoever exchanges a token is known by that token and a service by its
 * certificate, whatever client they say they are.
 */
export function tokenRequest(received: Rewriting, services: ReadonlySet<string>, certificate: ClientCertificate | undefined): Rewriting {
  const headers: Rewriting['headers'] = { ...received.headers, accept: 'application/json' };
  const form = new URLSearchParams(received.body);
  const client = clientFor(form.getAll('grant_type').join(), services, certificate);
  if (client === undefined) return { ...received, headers };
  form.delete('client_secret');
  form.set('client_id', client);
  Reflect.deleteProperty(headers, 'authorization');
  return { ...received, headers, body: form.toString() };
}

/** The client that a grant is asked for by; undefined where the request itself says. */
function clientFor(grant: string, services: ReadonlySet<string>, certificate: ClientCertificate | undefined): string | undefined {
  if (grant === exchangeGrant) return exchangeClient;
  if (grant !== 'client_credentials') return undefined;
  return certificate && services.has(certificate.commonName) ? certificate.commonName : unknownService;
}
