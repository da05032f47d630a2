import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { passportClaims } from './exchange.ts';
import { alice, root, startLogin, tokensOf, password, type RunningLogin } from './oauth2.fixture.ts';

let login: RunningLogin;
let organizationId: string;
let projectId: string;

beforeEach(async () => {
  login = await startLogin();
  organizationId = await login.found.organization();
  const groupId = await login.found.group(organizationId, ['user'], { users: [alice] });
  projectId = await login.found.project(organizationId, [groupId]);
  await login.found.user(alice, organizationId);
  await login.world.settle();
});

afterEach(() => login.stop());

async function passportOf(token: string) {
  const jwks = (await login.server.inject('/identity/oauth2/v2/jwks')).json<JSONWebKeySet>();
  return jwtVerify(token, createLocalJWKSet(jwks), { currentDate: new Date(login.world.now()) });
}

describe('exchanging a token', () => {
  it("gives a signed passport with the contract's claims, without a client", async () => {
    const { access_token: token } = await tokensOf(login);
    const answer = await login.clerk.exchange(token, { x_organization_id: organizationId, x_project_id: projectId, audience: 'region', requested_token_type: 'urn:nscale:params:oauth:token-type:passport' });
    expect(answer).toMatchObject({ status: 200, body: { expires_in: 60, issued_token_type: 'urn:nscale:params:oauth:token-type:passport' } });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { payload, protectedHeader } = await passportOf(answer.body.access_token);
    expect(protectedHeader).toMatchObject({ alg: 'ES512', kid: expect.any(String) as string });
    const now = login.world.now() / 1000;
    expect(payload).toEqual({
      typ: 'passport', iss: 'uni-identity', source: 'uni', sub: alice, email: alice, acctype: 'user', org_ids: [organizationId], org_id: organizationId, project_id: projectId, aud: 'region', iat: now, exp: now + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it("works for a service account's token", async () => {
    const robot = await login.found.robot(organizationId, ['user']);
    await login.world.settle();
    const answer = await login.clerk.exchange(robot.token, { x_organization_id: organizationId });
    expect((await passportOf(answer.body.access_token)).payload).toMatchObject({ sub: robot.id, acctype: 'service', org_ids: [organizationId], org_id: organizationId });
  });

  it('ignores whatever client calls', async () => {
    const { access_token: token } = await tokensOf(login);
    expect((await login.clerk.exchange(token, { client_id: 'stranger', client_secret: 'wrong' })).status).toBe(200);
  });

  it('refuses a scope that the token does not reach, whether or not it exists', async () => {
    const { access_token: token } = await tokensOf(login);
    const foreign = await login.found.organization();
    const absent = 'f0000000-0000-4000-8000-000000000000';
    const answers = await Promise.all([foreign, absent].map((id) => login.clerk.exchange(token, { x_organization_id: id })));
    expect(answers[0]).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  it('lets a platform administrator reach every organization', async () => {
    await login.found.user(root);
    await login.oauth2.setPassword(root, password);
    const { access_token: token } = await tokensOf(login, root);
    expect((await login.clerk.exchange(token, { x_organization_id: organizationId })).status).toBe(200);
  });

  it('answers 401 to a token that is not good', async () => {
    const { refresh_token: refresh, access_token: token } = await tokensOf(login);
    await login.world.advance(3600_000);
    for (const bad of [refresh, token, 'garbage', 'uksa_garbage']) {
      expect(await login.clerk.exchange(bad)).toMatchObject({ status: 401, body: { error: 'access_denied', error_description: expect.any(String) as string } });
    }
  });

  it.each([
    ['no token', { subject_token: '' }],
    ['another kind of token', { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
    ['a wish for another kind', { requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' }],
    ['an actor', { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:access_token' }],
    ['a project alone', { x_project_id: 'b0000000-0000-4000-8000-000000000002' }],
    ['an organization that cannot be one', { x_organization_id: "'; drop table" }],
    ['a project that cannot be one', { x_organization_id: 'a0000000-0000-4000-8000-000000000001', x_project_id: '../x' }],
  ])('given %s is a bad request', async (_what, changes) => {
    const { access_token: token } = await tokensOf(login);
    expect(await login.clerk.exchange(token, changes)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('given the token twice is a bad request', async () => {
    const grant = 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=a&subject_token=b';
    expect(await login.clerk.post('/oauth2/v2/token', grant)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe('a passport', () => {
  it('never outlives the token it was made from', () => {
    const holder = { subject: alice, accountType: 'user' as const, organizationIds: [], expiresAt: 1_000_010_500 };
    expect(passportClaims(holder, { subjectToken: '' }, 1_000_000_000)).toMatchObject({ iat: 1_000_000, exp: 1_000_010 });
  });

  it('is not a bearer token', async () => {
    const { access_token: token } = await tokensOf(login);
    const { body } = await login.clerk.exchange(token);
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    expect((await login.clerk.exchange(body.access_token)).status).toBe(401);
  });
});

describe('userinfo', () => {
  it('says who a person is and where they belong', async () => {
    const { access_token: token } = await tokensOf(login);
    const claims = { sub: alice, email: alice, email_verified: true, 'https://unikorn-cloud.org/authz': { acctype: 'user', orgIds: [organizationId] } };
    expect(await login.clerk.userinfo(token)).toMatchObject({ status: 200, body: claims });
    expect(await login.clerk.post('/oauth2/v2/userinfo', { access_token: token })).toMatchObject({ status: 200, body: claims });
    expect(await login.clerk.post('/oauth2/v2/userinfo', '', { authorization: `Bearer ${token}` })).toMatchObject({ status: 200, body: claims });
  });

  it('knows service accounts, which have no address', async () => {
    const { id, token } = await login.found.serviceAccount(organizationId);
    expect((await login.clerk.userinfo(token)).body).toEqual({ sub: id, 'https://unikorn-cloud.org/authz': { acctype: 'service', orgIds: [organizationId] } });
  });

  it('refuses everything else as the contract says', async () => {
    const { access_token: token } = await tokensOf(login);
    const refused = { status: 401, body: { error: 'access_denied', trace_id: expect.any(String) as string } };
    expect(await login.clerk.userinfo('garbage')).toMatchObject({ ...refused, headers: { 'www-authenticate': expect.stringContaining('Bearer error="access_denied"') as string } });
    expect(await login.clerk.post('/oauth2/v2/userinfo', '')).toMatchObject(refused);
    expect(await login.clerk.post('/oauth2/v2/userinfo', `access_token=${token}&access_token=${token}`)).toMatchObject(refused);
    expect(await login.clerk.post('/oauth2/v2/userinfo', { access_token: token }, { authorization: `Bearer ${token}` })).toMatchObject(refused);
  });
});

describe('discovery', () => {
  it('holds what the contract wants, in its words', async () => {
    const document = (await login.server.inject('/identity/.well-known/openid-configuration')).json<Record<string, unknown>>();
    expect(document).toMatchObject({
      issuer: 'http://127.0.0.1:6080/identity',
      authorization_endpoint: 'http://127.0.0.1:6080/identity/oauth2/v2/authorization',
      token_endpoint: 'http://127.0.0.1:6080/identity/oauth2/v2/token',
      userinfo_endpoint: 'http://127.0.0.1:6080/identity/oauth2/v2/userinfo',
      jwks_uri: 'http://127.0.0.1:6080/identity/oauth2/v2/jwks',
      scopes_supported: ['openid', 'email', 'profile'],
      response_types_supported: ['code'],
      response_modes_supported: ['fragment', 'query'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'tls_client_auth'],
      tls_client_certificate_bound_access_tokens: true,
      grant_types_supported: expect.arrayContaining(['authorization_code', 'client_credentials', 'refresh_token', 'urn:ietf:params:oauth:grant-type:token-exchange']) as string[],
      id_token_signing_alg_values_supported: ['ES512'],
      code_challenge_methods_supported: ['S256'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    expect(document['claims_supported']).toEqual(expect.arrayContaining(['sub', 'email', 'email_verified', 'iss']));
    expect(document['claims_supported']).not.toContain('at_hash');
    expect(document['grant_types_supported']).toHaveLength(4);
  });

  it('is not part of the document of the API', async () => {
    const text = (await login.server.inject('/identity/openapi.json')).body;
    expect(text).not.toMatch(/"\/oauth2|openid-configuration"|\/oidc\//);
  });
});
