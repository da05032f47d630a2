import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { encodePrincipal, type CertificateTrust } from '@unikorn/core/access';
import { Caches } from '@unikorn/core/controller';
import { createServer } from '@unikorn/core/http';
import { silentTelemetry } from '@unikorn/core/testing';

import { serviceRights } from '../client/index.ts';
import { OAuth2Artifact } from '../kinds/index.ts';
import { createIdentity, type Identity } from '../service.ts';
import { certificateHeaders, startIdentity, testEncryptionKey, type RunningIdentity } from '../testing/index.ts';

type Headers = Readonly<Record<string, string>>;

const compute = certificateHeaders('unikorn-compute');
const region = certificateHeaders('unikorn-region');
const stranger = certificateHeaders('unikorn-stranger');
/** Another certificate of compute, as after a renewal. */
const renewed = {
  ...compute,
  'ssl-client-cert': encodeURIComponent(
    '-----BEGIN CERTIFICATE-----\nMIIBjDCCATGgAwIBAgIUcyPi6FYusoxICsVBxP8t6S0Lxz4wCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPdW5pa29ybi1jb21wdXRlMCAXDTI2MTExNTE4MzIzNFoYDzIxMjYxMDIyMTgzMjM0WjAaMRgwFgYDVQQDDA91bmlrb3JuLWNvbXB1dGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATrBb3ltq1ArlgcFAWjViUnSbgTvDzGAumBCSqfnRzL/kFpPJ6KuQcfydturogpjs8g9Q7TTWDg8SlGtPY1sZPFo1MwUTAdBgNVHQ4EFgQUVb3TxhzBGXE7BfnuGSudHVM6wXMwHwYDVR0jBBgwFoAUVb3TxhzBGXE7BfnuGSudHVM6wXMwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA4hF5gdwrQsjZHT/sVTkL9LoQ5YLHkmwi1TH8DEmtQXwCIQDQ8ox1I3qUOnepviJ1ZYTrb+I9xEf3sj2ORjCdx18uIg==\n-----END CERTIFICATE-----\n',
  ),
};

/** The digest of compute's certificate from `openssl x509 -fingerprint -sha256`, in base64url. */
const thumbprint = 'ffXD78NNiRDNEpoRWch9T2Me_6XfqRgMrIHSyH-COWs';
const unverified = { ...compute, 'ssl-client-verify': 'FAILED' };
const mentioned = { 'ssl-client-cert': compute['ssl-client-cert'] ?? '' };
const exchangeForm = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

let identity: RunningIdentity;

beforeEach(async () => {
  identity = await startIdentity({
    configuration: {
      clients: [
        { id: 'cli', redirectUris: ['http://127.0.0.1:9999/callback'] },
        { id: 'console', secret: 'console-secret', redirectUris: ['https://console.example.com/callback'] },
      ],
    },
  });
});

afterEach(() => identity.stop());

async function post(
  path: string,
  form: Headers,
  headers: Headers,
  server: RunningIdentity['server'] = identity.server,
) {
  const response = await server.inject({
    method: 'POST',
    url: `/identity${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? {} : response.json<Record<string, unknown>>(),
  };
}

function ask(headers: Headers, form: Headers = {}) {
  return post('/oauth2/v2/token', { grant_type: 'client_credentials', ...form }, headers);
}

async function tokenOf(headers: Headers): Promise<string> {
  return String((await ask(headers)).body['access_token']);
}

function accessWith(token: string, headers: Headers) {
  return identity.call('GET', '/api/v1/acl', { token, headers });
}

/** Another process on the same store. */
function anotherProcess(certificates: CertificateTrust, { service }: Pick<Identity, 'service'> = identity.identity) {
  const { store, world } = identity;
  return createServer({ services: [service], store, world, telemetry: silentTelemetry(), certificates });
}

describe('a token request with client credentials', () => {
  it('gives a service a token for its certificate, for an hour', async () => {
    const answer = await ask(compute);
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(answer.body).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.stringMatching(/^[\w-]{43,}$/) as string,
    });
  });

  it('stores nothing that could be used as a token', async () => {
    const token = await tokenOf(compute);
    const { items } = await identity.store.list(OAuth2Artifact, {});
    expect(items.map(({ spec }) => spec.model)).toEqual(['ClientCredentials']);
    expect(JSON.stringify(items)).not.toContain(token);
  });

  const clients = [
    {},
    { client_id: 'unikorn-compute' },
    { client_id: 'cli' },
    { client_id: 'token-exchange' },
    { client_id: 'console', client_secret: 'console-secret' },
  ];
  const basic = { authorization: `Basic ${Buffer.from('console:console-secret').toString('base64')}` };

  it.each([
    ['no certificate', {}],
    ['a certificate that was not verified', unverified],
    ['a certificate whose verification is not mentioned', mentioned],
    ['a certificate that cannot be read', { ...compute, 'ssl-client-cert': 'garbage' }],
  ])('with %s is a bad request, whatever client is named', async (_what, headers) => {
    for (const form of clients) {
      const answer = await ask(headers, form);
      expect(answer).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } });
      expect(answer.body).toEqual({
        error: 'invalid_request',
        error_description: 'client_credentials needs the client certificate of a service',
      });
    }
    expect(await ask({ ...headers, ...basic })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('with an unknown certificate is refused, whatever client is named', async () => {
    for (const form of clients) {
      const answer = await ask(stranger, form);
      expect(answer).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } });
      expect(answer.body).toEqual({ error: 'invalid_client', error_description: expect.any(String) as string });
    }
    expect(await ask({ ...stranger, ...basic })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('depends on the certificate and not on the named client', async () => {
    const { body } = await ask(region, { client_id: 'unikorn-compute', client_secret: 'guess' });
    expect(await post('/oauth2/v2/userinfo', { access_token: String(body['access_token']) }, region)).toMatchObject({
      status: 200,
      body: { sub: 'unikorn-region' },
    });
  });

  it('is refused by a process that trusts no terminator', async () => {
    const server = await anotherProcess('none');
    expect(await post('/oauth2/v2/token', { grant_type: 'client_credentials' }, compute, server)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    await server.close();
  });

  it('cannot be confused with an application: none may have the name of a service', async () => {
    const clients = [{ id: 'unikorn-compute', secret: 'x', redirectUris: [] }];
    await expect(startIdentity({ configuration: { clients } })).rejects.toThrow(
      'the client unikorn-compute has the name of a service',
    );
  });

  it('is the only grant a service has', async () => {
    expect(
      await post(
        '/oauth2/v2/token',
        { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'unikorn-compute' },
        compute,
      ),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe("a service's token", () => {
  it('has the permissions of the certificate', async () => {
    const principal = encodePrincipal({ actor: 'jane@example.com' });
    const byCertificate = await identity.call('GET', '/api/v1/acl', {
      headers: { ...compute, 'x-principal': principal },
    });
    const byToken = await accessWith(await tokenOf(compute), compute);
    expect(byToken).toMatchObject({ status: 200, body: { global: serviceRights().get('unikorn-compute') } });
    expect(byToken.body).toEqual(byCertificate.body);
  });

  it('is for the service itself: principal and impersonation headers are ignored', async () => {
    const token = await tokenOf(compute);
    const headers = {
      ...compute,
      'x-principal': encodePrincipal({ actor: 'jane@example.com', type: 'user' }),
      'x-impersonate': 'true',
    };
    expect((await accessWith(token, headers)).body).toEqual((await accessWith(token, compute)).body);
    expect(await identity.call('GET', '/api/v1/acl/principal', { token, headers })).toMatchObject({ status: 400 });
    const caller = await identity.identity.authenticator.authenticate(
      { type: 'token', token, certificateThumbprint: thumbprint },
      { organizationId: 'o' },
    );
    const principal = { actor: 'unikorn-compute', type: 'system', organizationIds: [], organizationId: 'o' };
    expect(caller).toEqual({
      subject: 'unikorn-compute',
      accountType: 'system',
      impersonating: false,
      principal,
      expiresAt: identity.world.now() + 3600_000,
    });
  });

  it.each([
    ['without a certificate', {}],
    ["with another service's certificate", region],
    ['with another certificate of the same name', renewed],
    ['with its certificate unverified', unverified],
    ['with its certificate, verification not mentioned', mentioned],
  ])('%s is refused everywhere', async (_how, headers) => {
    const token = await tokenOf(compute);
    expect(await accessWith(token, headers)).toMatchObject({ status: 401, body: { error: 'access_denied' } });
    expect(await post('/oauth2/v2/userinfo', { access_token: token }, headers)).toMatchObject({
      status: 401,
      body: { error: 'access_denied' },
    });
    expect(await post('/oauth2/v2/token', { ...exchangeForm, subject_token: token }, headers)).toMatchObject({
      status: 401,
      body: { error: 'access_denied' },
    });
    expect((await accessWith(token, compute)).status).toBe(200);
  });

  it('is refused by a process that trusts no terminator', async () => {
    const token = await tokenOf(compute);
    const replay = async (certificates: CertificateTrust) => {
      const server = await anotherProcess(certificates);
      const headers = { ...compute, authorization: `Bearer ${token}` };
      const answers = [
        await server.inject({ url: '/identity/oauth2/v2/userinfo', headers }),
        await server.inject({ url: '/identity/api/v1/acl', headers }),
      ];
      const exchanged = await post(
        '/oauth2/v2/token',
        { ...exchangeForm, subject_token: token, x_certificate_thumbprint: thumbprint },
        compute,
        server,
      );
      await server.close();
      return [...answers.map(({ statusCode }) => statusCode), exchanged.status];
    };
    expect(await replay('forwarded')).toEqual([200, 200, 200]);
    expect(await replay('none')).toEqual([401, 401, 401]);
  });

  it('ends after an hour', async () => {
    const token = await tokenOf(compute);
    await identity.world.advance(3600_000 - 1);
    expect((await accessWith(token, compute)).status).toBe(200);
    await identity.world.advance(1);
    expect((await accessWith(token, compute)).status).toBe(401);
    expect((await post('/oauth2/v2/userinfo', { access_token: token }, compute)).status).toBe(401);
  });

  it('is not valid after the service is removed from the configuration', async () => {
    const token = await tokenOf(compute);
    const { store, world } = identity;
    const configuration = { services: { 'unikorn-region': 'region-service' } };
    const server = await anotherProcess(
      'forwarded',
      createIdentity({
        store,
        world,
        telemetry: silentTelemetry(),
        caches: new Caches({ store, world, telemetry: silentTelemetry() }),
        processName: 'other',
        version: '0.0.0',
        issuer: 'https://cloud.example.com/identity',
        encryptionKey: testEncryptionKey,
        configuration,
      }),
    );
    expect((await post('/oauth2/v2/userinfo', { access_token: token }, compute, server)).status).toBe(401);
    await server.close();
  });

  it('is described by userinfo as one of the system', async () => {
    const token = await tokenOf(compute);
    const body = { sub: 'unikorn-compute', 'https://unikorn-cloud.org/authz': { acctype: 'system', orgIds: [] } };
    expect((await post('/oauth2/v2/userinfo', { access_token: token }, compute)).body).toEqual(body);
    expect((await identity.call('GET', '/oauth2/v2/userinfo', { token, headers: compute })).body).toEqual(body);
  });

  it('is revoked by the service it belongs to, and by no other', async () => {
    const token = await tokenOf(compute);
    expect((await post('/oauth2/v2/revocation', { token, client_id: 'unikorn-region' }, region)).status).toBe(200);
    expect(await post('/oauth2/v2/revocation', { token, client_id: 'unikorn-compute' }, region)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await post('/oauth2/v2/revocation', { token, client_id: 'unikorn-compute' }, {})).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await accessWith(token, compute)).status).toBe(200);
    expect((await post('/oauth2/v2/revocation', { token, client_id: 'unikorn-compute' }, compute)).status).toBe(200);
    expect((await accessWith(token, compute)).status).toBe(401);
  });
});

describe("exchanging a service's token", () => {
  it('gives a passport of the type system for every organization', async () => {
    const organizationId = await identity.found.organization();
    const answer = await post(
      '/oauth2/v2/token',
      { ...exchangeForm, subject_token: await tokenOf(compute), x_organization_id: organizationId },
      compute,
    );
    expect(answer.status).toBe(200);
    expect(decodeJwt(String(answer.body['access_token']))).toMatchObject({
      sub: 'unikorn-compute',
      acctype: 'system',
      org_ids: [],
      org_id: organizationId,
    });
  });

  it('accepts a reported certificate from services, and from no other caller', async () => {
    const form = { ...exchangeForm, subject_token: await tokenOf(compute), x_certificate_thumbprint: thumbprint };
    expect((await post('/oauth2/v2/token', form, region)).status).toBe(200);
    expect((await post('/oauth2/v2/token', { ...form, x_certificate_thumbprint: 'another' }, region)).status).toBe(401);
    for (const headers of [{}, stranger, unverified])
      expect((await post('/oauth2/v2/token', form, headers)).status).toBe(401);
  });
});
