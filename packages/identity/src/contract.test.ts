import { describe, expect, it, onTestFinished } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';

import { startIdentity } from './testing/index.ts';

const O = '/api/v1/organizations/{organizationID}';
const P = `${O}/projects/{projectID}`;

/** Every operation of the contract: method, path, success status, and whether the published document names it. */
const operations = [
  ['GET', '/api/v1/oauth2providers', 200, 'hidden'],
  ['GET', '/api/v1/acl', 200, 'hidden'],
  ['GET', `${O}/acl`, 200, 'hidden'],
  ['GET', '/api/v1/organizations', 200, 'public'],
  ['POST', '/api/v1/organizations', 202, 'hidden'],
  ['GET', O, 200, 'public'],
  ['PUT', O, 200, 'public'],
  ['DELETE', O, 202, 'hidden'],
  ['GET', `${O}/serviceaccounts`, 200, 'public'],
  ['POST', `${O}/serviceaccounts`, 201, 'public'],
  ['PUT', `${O}/serviceaccounts/{serviceAccountID}`, 200, 'public'],
  ['DELETE', `${O}/serviceaccounts/{serviceAccountID}`, 200, 'public'],
  ['POST', `${O}/serviceaccounts/{serviceAccountID}/rotate`, 200, 'public'],
  ['GET', `${O}/users`, 200, 'public'],
  ['POST', `${O}/users`, 201, 'public'],
  ['PUT', `${O}/users/{userID}`, 200, 'public'],
  ['DELETE', `${O}/users/{userID}`, 200, 'public'],
  ['GET', `${O}/roles`, 200, 'public'],
  ['GET', `${O}/oauth2providers`, 200, 'hidden'],
  ['POST', `${O}/oauth2providers`, 201, 'hidden'],
  ['PUT', `${O}/oauth2providers/{providerID}`, 200, 'hidden'],
  ['DELETE', `${O}/oauth2providers/{providerID}`, 200, 'hidden'],
  ['GET', `${O}/groups`, 200, 'public'],
  ['POST', `${O}/groups`, 201, 'public'],
  ['GET', `${O}/groups/{groupid}`, 200, 'public'],
  ['PUT', `${O}/groups/{groupid}`, 200, 'public'],
  ['DELETE', `${O}/groups/{groupid}`, 200, 'public'],
  ['GET', `${O}/projects`, 200, 'public'],
  ['POST', `${O}/projects`, 202, 'public'],
  ['GET', P, 200, 'public'],
  ['PUT', P, 200, 'public'],
  ['DELETE', P, 202, 'public'],
  ['PUT', `${P}/references/{reference}`, 201, 'hidden'],
  ['DELETE', `${P}/references/{reference}`, 204, 'hidden'],
  ['GET', `${O}/quotas`, 200, 'public'],
  ['PUT', `${O}/quotas`, 200, 'hidden'],
  ['POST', `${P}/allocations`, 201, 'hidden'],
  ['GET', `${P}/allocations/{allocationID}`, 200, 'hidden'],
  ['PUT', `${P}/allocations/{allocationID}`, 200, 'hidden'],
  ['DELETE', `${P}/allocations/{allocationID}`, 202, 'hidden'],
] as const;

const protocol = [
  'GET /.well-known/openid-configuration',
  'GET /oauth2/v2/authorization',
  'POST /oauth2/v2/authorization',
  'POST /oauth2/v2/login',
  'GET /oidc/callback',
  'POST /oauth2/v2/token',
  'GET /oauth2/v2/userinfo',
  'POST /oauth2/v2/userinfo',
  'GET /oauth2/v2/jwks',
];

async function served() {
  const running = await startIdentity();
  onTestFinished(() => running.stop());
  return running;
}

describe('the contract', () => {
  it('has every operation served, with its success status and visibility', async () => {
    const { identity } = await served();
    const { routes, rawRoutes = [] } = identity.service;
    for (const [method, path, status, visibility] of operations) {
      const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
      expect(route && { succeeds: status in route.responses, hidden: route.hidden ?? false }, `${method} ${path}`).toEqual({ succeeds: true, hidden: visibility === 'hidden' });
    }
    expect(rawRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(protocol));
  });

  it('is documented by the house rules', async () => {
    const { server } = await served();
    expect(lintOpenApi((await server.inject({ url: '/identity/openapi.json' })).json())).toEqual([]);
  });

  it('names the service and its version to whoever has a token', async () => {
    const { call, found } = await served();
    await found.user('jane@acme.com');
    expect(await call('GET', '/api/version', { token: 'user:jane@acme.com' })).toMatchObject({ status: 200, body: { name: 'identity', version: '0.0.0' } });
    expect((await call('GET', '/api/version')).headers).toMatchObject({ 'www-authenticate': expect.stringContaining('Bearer') as string });
  });
});
