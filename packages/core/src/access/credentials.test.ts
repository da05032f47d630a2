import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { isProblem } from '../errors/index.ts';
import { forwardedCertificate } from './certificate.fixture.ts';
import {
  authorOf,
  clientCertificate,
  encodePrincipal,
  enrichPrincipal,
  parsePrincipal,
  readCredentials,
  serviceCaller,
  tokenCaller,
} from './index.ts';

const principal = {
  actor: 'ann@example.com',
  organizationId: 'o',
  projectId: 'p',
  organizationIds: ['o'],
  type: 'user',
};
const service = {
  'ssl-client-cert': forwardedCertificate,
  'ssl-client-verify': 'SUCCESS',
  'x-principal': encodePrincipal(principal),
};

/** As `openssl x509 -fingerprint -sha256` says it, in base64url. */
const thumbprint = 'Pt3Po2KxV9Kxf662PQXIFI7YGL8r63u2i7kU11EaTsY';

const denied = expect.toSatisfy((error: unknown) => isProblem(error, 'access_denied')) as Error;

describe('a bearer token', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER abc'])('%s is accepted', (authorization) => {
    expect(readCredentials({ authorization }, 'none')).toEqual({ type: 'token', token: 'abc' });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer  a', 'Basic abc', 'abc', `Bearer ${'x'.repeat(10_000)}`])(
    '%j is refused',
    (authorization) => {
      expect(() => readCredentials({ authorization }, 'forwarded')).toThrow(denied);
    },
  );

  it('decides who the caller is: only the thumbprint of a certificate is kept, and the principal header is ignored', () => {
    expect(readCredentials({ ...service, authorization: 'Bearer abc' }, 'forwarded')).toEqual({
      type: 'token',
      token: 'abc',
      certificateThumbprint: thumbprint,
    });
    expect(() => readCredentials({ ...service, authorization: 'nonsense' }, 'forwarded')).toThrow(denied);
  });

  it.each([
    ['where no terminator is trusted', {}, 'none'],
    ['that was not verified', { 'ssl-client-verify': 'FAILED' }, 'forwarded'],
    ['that is not one', { 'ssl-client-cert': 'garbage' }, 'forwarded'],
  ] as const)('is used alone if there is a certificate %s', (_name, headers, trust) => {
    expect(readCredentials({ ...service, ...headers, authorization: 'Bearer abc' }, trust)).toEqual({
      type: 'token',
      token: 'abc',
    });
    expect(clientCertificate({ ...service, ...headers }, trust)).toBeUndefined();
  });
});

describe('a forwarded certificate', () => {
  it('names the service by its common name, and its principal', () => {
    expect(readCredentials(service, 'forwarded')).toEqual({
      type: 'certificate',
      commonName: 'unikorn-compute',
      principal,
      impersonate: false,
    });
    expect(readCredentials({ ...service, 'x-impersonate': 'true' }, 'forwarded')).toMatchObject({ impersonate: true });
  });

  it('is known by its common name and its SHA-256', () => {
    expect(clientCertificate(service, 'forwarded')).toMatchObject({ commonName: 'unikorn-compute', thumbprint });
  });

  it.each([
    ['where no terminator is trusted', service, 'none'],
    ['that was not verified', { ...service, 'ssl-client-verify': 'FAILED' }, 'forwarded'],
    [
      'whose verification is not mentioned',
      { 'ssl-client-cert': forwardedCertificate, 'x-principal': service['x-principal'] },
      'forwarded',
    ],
    ['without a principal', { 'ssl-client-cert': forwardedCertificate, 'ssl-client-verify': 'SUCCESS' }, 'forwarded'],
    ['that is not one', { ...service, 'ssl-client-cert': 'garbage' }, 'forwarded'],
    ['that is not even encoded', { ...service, 'ssl-client-cert': '%zz' }, 'forwarded'],
    ['that is too large', { ...service, 'ssl-client-cert': 'x'.repeat(20_000) }, 'forwarded'],
    [
      'with impersonation of nobody',
      { ...service, 'x-principal': encodePrincipal({ organizationId: 'o' }), 'x-impersonate': 'true' },
      'forwarded',
    ],
    ['that is missing', { 'ssl-client-verify': 'SUCCESS', 'x-principal': service['x-principal'] }, 'forwarded'],
  ] as const)('%s is refused', (_name, headers, trust) => {
    expect(() => readCredentials(headers, trust)).toThrow(denied);
  });
});

describe('the principal header', () => {
  it('is the same after encoding and parsing', () => {
    const text = fc.string({ maxLength: 20 });
    const any = fc.record(
      {
        organizationId: text,
        organizationIds: fc.array(text, { maxLength: 3 }),
        projectId: text,
        type: text,
        actor: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(any, (value) => {
        expect(parsePrincipal(encodePrincipal(value))).toEqual(value);
      }),
    );
  });

  it.each([
    '',
    'not base64url!',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('{').toString('base64url'),
    Buffer.from('{"actor":1}').toString('base64url'),
    'A'.repeat(9000),
  ])('%j is refused', (header) => {
    expect(() => parsePrincipal(header)).toThrow(
      expect.toSatisfy((error: unknown) => isProblem(error, 'invalid_request')),
    );
  });

  it('drops unknown fields', () => {
    expect(parsePrincipal(Buffer.from('{"actor":"a","admin":true}').toString('base64url'))).toEqual({ actor: 'a' });
  });
});

describe('the author of a change', () => {
  it('is the caller, for the principal, in the resolved scope', () => {
    const user = tokenCaller({ subject: 'ann@example.com', accountType: 'user', organizationIds: ['o'] }, {});
    expect(authorOf(user, { organizationId: 'o', projectId: 'p' })).toEqual({
      subject: 'ann@example.com',
      principal: { actor: 'ann@example.com', organizationId: 'o', projectId: 'p' },
    });
  });

  it('of a service keeps the scope that its principal names', () => {
    const caller = serviceCaller({ type: 'certificate', commonName: 'unikorn-compute', principal, impersonate: false });
    expect(authorOf(caller, { organizationId: 'other' })).toEqual({
      subject: 'unikorn-compute',
      principal: { actor: 'ann@example.com', organizationId: 'o', projectId: 'p' },
    });
    expect(enrichPrincipal({ projectId: 'kept' }, { organizationId: 'o' })).toEqual({
      projectId: 'kept',
      organizationId: 'o',
    });
  });
});
