import { generateKeyPairSync } from 'node:crypto';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { interactionPolicy, Provider, type AdapterFactory, type AdapterPayload } from 'oidc-provider';

/** The claims of the external provider about a user. */
export interface Persona {
  email: string;
  email_verified: boolean | string;
}

/** A real OpenID provider on a loopback port, where the given user is always logged in. */
export async function startUpstream(redirectUri: string) {
  const persona: Persona = { email: 'alice@example.com', email_verified: true };
  const listener: Server = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    adapter: inMemory(),
    clients: [
      {
        client_id: 'unikorn',
        client_secret: 'upstream-secret',
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [{ ...jwk, kty: 'EC', alg: 'ES256', use: 'sig', kid: 'upstream' }] },
    cookies: { keys: ['upstream'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    scopes: ['openid', 'email', 'profile'],
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: { enabled: false },
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Grant: 60,
      Session: 60,
      Interaction: 60,
      RefreshToken: 60,
    },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: persona.email, email_verified: persona.email_verified }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        accountId: oidc.account?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    renderError: (ctx, out) => {
      ctx.body = JSON.stringify(out);
    },
  });
  const answer = provider.callback();
  listener.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: 'stable-id' } });
    else void answer(request, response);
  });
  return {
    issuer,
    persona,
    /** Follows the provider's pages as a browser would, and returns the address that it redirects back to. */
    async visit(location: string): Promise<string> {
      const cookies = new Map<string, string>();
      let next = location;
      while (next.startsWith(issuer)) {
        const { headers, statusCode } = await fetched(
          next,
          [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        );
        for (const cookie of headers['set-cookie'] ?? []) {
          const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/);
          cookies.set(name, value);
        }
        if (headers.location === undefined)
          throw new Error(`the provider did not redirect, it answered ${statusCode ?? 0}`);
        next = new URL(headers.location, issuer).href;
      }
      return next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        listener.closeAllConnections();
        listener.close(() => {
          resolve();
        });
      }),
  };
}

function fetched(url: string, cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie } }, (response) => {
      response.resume().on('end', () => {
        resolve(response);
      });
    }).on('error', reject);
  });
}

/** Keeps everything in memory until the test ends. */
function inMemory(): AdapterFactory {
  const payloads = new Map<string, AdapterPayload>();
  const nothing = () => Promise.resolve(undefined);
  return (model) => ({
    upsert: (id, payload) => {
      payloads.set(`${model} ${id}`, payload);
      return nothing();
    },
    find: (id) => Promise.resolve(payloads.get(`${model} ${id}`)),
    findByUid: (uid) => Promise.resolve([...payloads.values()].find((payload) => payload.uid === uid)),
    findByUserCode: nothing,
    consume: nothing,
    destroy: (id) => {
      payloads.delete(`${model} ${id}`);
      return nothing();
    },
    revokeByGrantId: nothing,
  });
}
