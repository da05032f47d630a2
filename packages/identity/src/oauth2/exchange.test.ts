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
    const answer = await login.clerk.exchange(token, {
      x_organization_id: organizationId,
      x_project_id: projectId,
      audience: 'region',
      requested_token_type: 'urn:nscale:params:oauth:token-type:passport',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { expires_in: 60, issued_token_type: 'urn:nscale:params:oauth:token-type:passport' },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const { payload, protectedHeader } = await passportOf(answer.body.access_token);
    expect(protectedHeader).toMatchObject({ alg: 'ES512', kid: expect.any(String) as string });
    const now = login.world.now() / 1000;
    expect(payload).toEqual({
      typ: 'passport',
      iss: 'uni-identity',
      source: 'uni',
      sub: alice,
      email: alice,
      acctype: 'user',
      org_ids: [organizationId],
      org_id: organizationId,
      project_id: projectId,
      aud: 'region',
      iat: now,
      exp: now + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it("works for a service account's token", async () => {
    const robot = await login.found.robot(organizationId, ['user']);
    await login.world.settle();
    const answer = await login.clerk.exchange(robot.token, { x_organization_id: organizationId });
    expect((await passportOf(answer.body.access_token)).payload).toMatchObject({
      sub: robot.id,
      acctype: 'service',
      org_ids: [organizationId],
      org_id: organizationId,
    });
  });

  it('ignores the client of the request', async () => {
    const { access_token: token } = await tokensOf(login);
    expect((await login.clerk.exchange(token, { client_id: 'stranger', client_secret: 'wrong' })).status).toBe(200);
  });

  it('refuses a scope that the token does not include, whether or not it exists', async () => {
    const { access_token: token } = await tokensOf(login);
    const foreign = await login.found.organization();
    const absent = 'f0000000-0000-4000-8000-000000000000';
    const answers = await Promise.all(
      [foreign, absent].map((id) => login.clerk.exchange(token, { x_organization_id: id })),
    );
    expect(answers[0]).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope', error_description: 'organization not in scope' },
    });
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  describe('for a project', () => {
    const absent = 'f0000000-0000-4000-8000-000000000000';

    async function projectElsewhere(): Promise<string> {
      const other = await login.found.organization();
      return login.found.project(other, []);
    }

    async function refusals(token: string) {
      await login.world.settle();
      const projects = [absent, await projectElsewhere()];
      return Promise.all(
        projects.map((id) => login.clerk.exchange(token, { x_organization_id: organizationId, x_project_id: id })),
      );
    }

    const refused = { status: 400, body: { error: 'invalid_scope', error_description: 'project not in scope' } };

    it('that does not exist or belongs elsewhere is refused to a member of the project', async () => {
      const { access_token: token } = await tokensOf(login);
      expect(await refusals(token)).toMatchObject([refused, refused]);
    });

    it('that does not exist or belongs elsewhere is refused to an administrator of the organization', async () => {
      const robot = await login.found.robot(organizationId, ['administrator']);
      expect(await refusals(robot.token)).toMatchObject([refused, refused]);
      expect(
        (await login.clerk.exchange(robot.token, { x_organization_id: organizationId, x_project_id: projectId }))
          .status,
      ).toBe(200);
    });

    it('that does not exist or belongs elsewhere is refused to an administrator of the platform', async () => {
      await login.found.user(root);
      await login.oauth2.setPassword(root, password);
      const { access_token: token } = await tokensOf(login, root);
      expect(await refusals(token)).toMatchObject([refused, refused]);
      expect(await login.clerk.exchange(token, { x_organization_id: absent })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope', error_description: 'organization not in scope' },
      });
      expect(
        (await login.clerk.exchange(token, { x_organization_id: organizationId, x_project_id: projectId })).status,
      ).toBe(200);
    });
  });

  it('is for the resources and the audience that were named', async () => {
    const { access_token: token } = await tokensOf(login);
    const audienceOf = async (form: string | Record<string, string>) => {
      const asked = typeof form === 'string' ? new URLSearchParams(form) : new URLSearchParams(form);
      const exchange = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      };
      const { body } = await login.clerk.post(
        '/oauth2/v2/token',
        `${new URLSearchParams(exchange).toString()}&${asked.toString()}`,
      );
      return (await passportOf(body.access_token)).payload.aud;
    };
    expect(await audienceOf({ resource: 'https://region.example.com' })).toBe('https://region.example.com');
    expect(await audienceOf({ audience: 'region', resource: 'https://region.example.com' })).toEqual([
      'region',
      'https://region.example.com',
    ]);
    expect(await audienceOf('resource=https%3A%2F%2Fa.example.com&resource=urn%3Aexample%3Ab')).toEqual([
      'https://a.example.com',
      'urn:example:b',
    ]);
    expect(await audienceOf({})).toBeUndefined();
  });

  it('answers with a bearer token type', async () => {
    const { access_token: token } = await tokensOf(login);
    expect((await login.clerk.exchange(token)).body.token_type).toBe('Bearer');
  });

  it('gives a platform administrator access to every organization', async () => {
    await login.found.user(root);
    await login.oauth2.setPassword(root, password);
    const { access_token: token } = await tokensOf(login, root);
    expect((await login.clerk.exchange(token, { x_organization_id: organizationId })).status).toBe(200);
  });

  it('answers 401 for a token that is not valid', async () => {
    const { refresh_token: refresh, access_token: token } = await tokensOf(login);
    await login.world.advance(3600_000);
    for (const bad of [refresh, token, 'garbage', 'uksa_garbage']) {
      expect(await login.clerk.exchange(bad)).toMatchObject({
        status: 401,
        body: { error: 'access_denied', error_description: 'token validation failed' },
      });
    }
  });

  it.each([
    ['no token', { subject_token: '' }, 'subject_token must be specified'],
    ['no kind of token', { subject_token_type: '' }, 'subject_token_type must be specified'],
    [
      'another kind of token',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
      'subject_token_type is not supported',
    ],
    [
      'a wish for another kind',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      'requested_token_type is not supported',
    ],
    [
      'an actor',
      { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      'actor_token is not supported: services name their principal in a header',
    ],
    [
      'a project alone',
      { x_project_id: 'b0000000-0000-4000-8000-000000000002' },
      'x_organization_id must be specified',
    ],
    ['an organization that cannot be one', { x_organization_id: "'; drop table" }, 'x_organization_id must be a UUID'],
    [
      'a project that cannot be one',
      { x_organization_id: 'a0000000-0000-4000-8000-000000000001', x_project_id: '../x' },
      'x_project_id must be a UUID',
    ],
    ['a resource that is a word', { resource: 'region' }, 'resource must be an absolute URI'],
    ['a resource that is a path', { resource: '/region' }, 'resource must be an absolute URI'],
    ['a resource with a fragment', { resource: 'https://region.example.com/#x' }, 'resource must not have a fragment'],
  ])('given %s is a bad request', async (_what, changes, message) => {
    const { access_token: token } = await tokensOf(login);
    const answer = await login.clerk.exchange(token, changes);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', error_description: message } });
    expect(answer.body.error_description).not.toContain('access_token');
  });

  it('accepts no parameters in the address, where they would be logged', async () => {
    const { access_token: token } = await tokensOf(login);
    const all = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }).toString();
    expect(await login.clerk.post(`/oauth2/v2/token?${all}`, '')).toMatchObject({
      status: 400,
      headers: { 'cache-control': 'no-store' },
      body: { error: 'invalid_request', error_description: 'subject_token must be supplied in the form body' },
    });
    expect(await login.clerk.post('/oauth2/v2/token?subject_token=x', all)).toMatchObject({
      status: 400,
      body: { error_description: 'subject_token must be supplied in the form body' },
    });
    expect(await login.clerk.post('/oauth2/v2/token?access_token=x', all)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'parameters must be supplied in the form body' },
    });
  });

  it('says that the grant type is missing', async () => {
    for (const form of ['', 'grant_type=', 'subject_token=x', 'client_id=console&client_secret=console-secret']) {
      expect(await login.clerk.post('/oauth2/v2/token', form)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', error_description: 'grant_type must be specified' },
      });
    }
  });

  it('given the token twice is a bad request', async () => {
    const grant =
      'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=a&subject_token=b';
    expect(await login.clerk.post('/oauth2/v2/token', grant)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('a passport', () => {
  it('never expires later than its token', () => {
    const holder = { subject: alice, accountType: 'user' as const, organizationIds: [], expiresAt: 1_000_010_500 };
    expect(passportClaims(holder, { subjectToken: '', audience: [] }, 1_000_000_000)).toMatchObject({
      iat: 1_000_000,
      exp: 1_000_010,
    });
  });

  it('is not a bearer token', async () => {
    const { access_token: token } = await tokensOf(login);
    const { body } = await login.clerk.exchange(token);
    expect((await login.clerk.userinfo(body.access_token)).status).toBe(401);
    expect((await login.clerk.exchange(body.access_token)).status).toBe(401);
  });
});

describe('userinfo', () => {
  it('describes a user and their organizations', async () => {
    const { access_token: token } = await tokensOf(login);
    const claims = {
      sub: alice,
      email: alice,
      email_verified: true,
      'https://unikorn-cloud.org/authz': { acctype: 'user', orgIds: [organizationId] },
    };
    expect(await login.clerk.userinfo(token)).toMatchObject({ status: 200, body: claims });
    expect(await login.clerk.post('/oauth2/v2/userinfo', { access_token: token })).toMatchObject({
      status: 200,
      body: claims,
    });
    expect(await login.clerk.post('/oauth2/v2/userinfo', '', { authorization: `Bearer ${token}` })).toMatchObject({
      status: 200,
      body: claims,
    });
  });

  it('describes service accounts, which have no mail address', async () => {
    const { id, token } = await login.found.serviceAccount(organizationId);
    expect((await login.clerk.userinfo(token)).body).toEqual({
      sub: id,
      'https://unikorn-cloud.org/authz': { acctype: 'service', orgIds: [organizationId] },
    });
  });

  it('refuses everything else as the contract says', async () => {
    const { access_token: token } = await tokensOf(login);
    const refused = { status: 401, body: { error: 'access_denied', trace_id: expect.any(String) as string } };
    expect(await login.clerk.userinfo('garbage')).toMatchObject({
      ...refused,
      headers: { 'www-authenticate': expect.stringContaining('Bearer error="access_denied"') as string },
    });
    expect(await login.clerk.post('/oauth2/v2/userinfo', '')).toMatchObject(refused);
    expect(await login.clerk.post('/oauth2/v2/userinfo', `access_token=${token}&access_token=${token}`)).toMatchObject(
      refused,
    );
    expect(
      await login.clerk.post('/oauth2/v2/userinfo', { access_token: token }, { authorization: `Bearer ${token}` }),
    ).toMatchObject(refused);
  });
});

describe('discovery', () => {
  it('has the content and wording of the contract', async () => {
    const document = (await login.server.inject('/identity/.well-known/openid-configuration')).json<
      Record<string, unknown>
    >();
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
      grant_types_supported: expect.arrayContaining([
        'authorization_code',
        'client_credentials',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ]) as string[],
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
