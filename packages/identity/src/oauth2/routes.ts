import type { RawRoute } from '@unikorn/core/http';

import { exchangeClient, paths } from './configuration.ts';
import { exchangeGrant } from './exchange.ts';
import { asReceived, type Rewriting } from './external-request.ts';
import type { OpenIdHost } from './host.ts';

/** The paths that the OpenID implementation answers. */
export function openIdRoutes(host: OpenIdHost): readonly RawRoute[] {
  const asIs = (method: RawRoute['method'], path: RawRoute['path']): RawRoute => ({ method, path, handler: (request, reply) => host.answer(request, reply) });
  return [
    asIs('GET', '/.well-known/openid-configuration'),
    asIs('GET', paths.jwks),
    asIs('GET', paths.authorization),
    asIs('GET', `${paths.authorization}/{uid}`),
    { method: 'POST', path: paths.authorization, handler: (request, reply) => host.answer(request, reply, asQuery(asReceived(request))) },
    { method: 'POST', path: paths.token, handler: (request, reply) => host.answer(request, reply, tokenRequest(asReceived(request))) },
    asIs('POST', paths.revocation),
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

/** Answers are JSON whatever the client says it likes. Whoever exchanges a token is known by that token, not as a client. */
export function tokenRequest(received: Rewriting): Rewriting {
  const headers: Rewriting['headers'] = { ...received.headers, accept: 'application/json' };
  const form = new URLSearchParams(received.body);
  if (form.getAll('grant_type').join() !== exchangeGrant) return { ...received, headers };
  form.delete('client_secret');
  form.set('client_id', exchangeClient);
  Reflect.deleteProperty(headers, 'authorization');
  return { ...received, headers, body: form.toString() };
}
