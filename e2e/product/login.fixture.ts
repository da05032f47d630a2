import { createHash } from 'node:crypto';

import type { WireAnswer } from '@unikorn/core/testing/contract';

import { Browser, type Visit } from '../../packages/identity/src/oauth2/browser.fixture.ts';
import { startUpstream } from '../../packages/identity/src/oauth2/federation/upstream.fixture.ts';
import type { Product } from './running.fixture.ts';

const email = 'alice@federated.example';
const verifier = 'a-verifier-of-at-least-forty-three-characters-in-length';

interface Made {
  readonly metadata: { readonly id: string };
}

/** An organization whose users log in through its own provider. */
async function federate({ call }: Product, issuer: string): Promise<void> {
  const make = async (path: string, body: object) =>
    ((await call('identity', 'POST', path, { body })).body as Made).metadata.id;
  const metadata = { name: 'federated' };
  const at = `/api/v1/organizations/${await make('/api/v1/organizations', { metadata, spec: { organizationType: 'adhoc' } })}`;
  const providerID = await make(`${at}/oauth2providers`, {
    metadata,
    spec: { issuer, clientID: 'unikorn', clientSecret: 'upstream-secret' },
  });
  await make(`${at}/users`, { spec: { subject: email, state: 'active', groupIDs: [] } });
  await call('identity', 'PUT', at, {
    body: {
      metadata,
      spec: { organizationType: 'domain', domain: 'federated.example', providerScope: 'organization', providerID },
    },
  });
}

/**
 * Logs a user in through another provider, as a browser and an application would, and returns the response of each
 * operation.
 */
export async function walkLogin(product: Product): Promise<ReadonlyMap<string, WireAnswer>> {
  const base = product.credentials.endpoints.identity;
  const upstream = await startUpstream(`${base}/oidc/callback`);
  upstream.persona.email = email;
  try {
    await federate(product, upstream.issuer);
    const answers = new Map<string, WireAnswer>();
    const ask = async (
      method: 'GET' | 'POST',
      path: string,
      headers: Readonly<Record<string, string>> = {},
      form?: Readonly<Record<string, string>>,
    ) => {
      const sent = form
        ? {
            headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
            payload: new URLSearchParams(form).toString(),
          }
        : { headers };
      const answer = await product.send(`${base}${path}`, { method, ...sent });
      answers.set(`${method} ${path}`, answer);
      return answer;
    };
    await ask('GET', '/.well-known/openid-configuration');
    await ask('GET', '/oauth2/v2/jwks');
    await ask('POST', '/oauth2/v2/authorization', {}, authorization(base));
    const code = await browse(product, upstream, answers);
    const { body } = await ask(
      'POST',
      '/oauth2/v2/token',
      {},
      {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        client_id: 'reference',
        redirect_uri: redirectUri(base),
      },
    );
    const { access_token: token = '' } = JSON.parse(body) as { readonly access_token?: string };
    await ask('GET', '/oauth2/v2/userinfo', { authorization: `Bearer ${token}` });
    await ask('POST', '/oauth2/v2/userinfo', {}, { access_token: token });
    return answers;
  } finally {
    await upstream.stop();
  }
}

function redirectUri(base: string): string {
  return `${base}/docs/static/oauth2-redirect.html`;
}

function authorization(base: string): Readonly<Record<string, string>> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return {
    response_type: 'code',
    client_id: 'reference',
    redirect_uri: redirectUri(base),
    scope: 'openid email profile',
    state: 'kept',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
}

/** From the application to the other provider and back, with the code for the application. */
async function browse(
  product: Product,
  upstream: Awaited<ReturnType<typeof startUpstream>>,
  answers: Map<string, WireAnswer>,
): Promise<string> {
  const base = product.credentials.endpoints.identity;
  const browser = new Browser(new URL(base).origin, ({ url, ...request }) =>
    product.send(new URL(url, base).href, request),
  );
  const note = (operation: string, { status: statusCode, headers, body, location = '' }: Visit) => {
    answers.set(operation, { statusCode, headers, body });
    return location;
  };
  const page = note(
    'GET /oauth2/v2/authorization',
    await browser.get(`${base}/oauth2/v2/authorization?${new URLSearchParams(authorization(base)).toString()}`),
  );
  const chosen = note(
    'POST /oauth2/v2/login',
    await browser.submit(`${base}/oauth2/v2/login`, { state: page.split('/').at(-1) ?? '', email }),
  );
  const away = await browser.get(chosen);
  let next = note('GET /oidc/callback', await browser.get(await upstream.visit(away.location ?? '')));
  while (next !== '' && !next.startsWith(redirectUri(base))) next = (await browser.get(next)).location ?? '';
  return URL.parse(next)?.searchParams.get('code') ?? '';
}
