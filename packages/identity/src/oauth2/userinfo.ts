import { readCredentials, type CertificateTrust } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import type { RawRoute, RawShape } from '@unikorn/core/http';
import type { FastifyRequest } from 'fastify';

import type { TokenVerifier, VerifiedToken } from '../access/index.ts';

/** The contract's claim with the type of an account and its organizations. */
const authorizationClaim = 'https://unikorn-cloud.org/authz';

const path = '/oauth2/v2/userinfo';

/** The userinfo claims for the holder of a token. */
export function claimsOf({ subject, accountType, organizationIds }: VerifiedToken): Readonly<Record<string, unknown>> {
  return {
    sub: subject,
    ...(accountType === 'user' ? { email: subject, email_verified: true } : {}),
    [authorizationClaim]: { acctype: accountType, orgIds: organizationIds },
  };
}

/**
 * The contract uses userinfo for all tokens, including those of service accounts, so it is implemented here and not by
 * the OpenID library.
 */
export function userinfoRoutes(tokens: TokenVerifier): readonly RawRoute[] {
  const handler: RawRoute['handler'] = async (request, reply, certificates) => {
    const { token, certificateThumbprint } = presentedToken(request, certificates);
    const holder = await tokens.verify(token, certificateThumbprint);
    if (!holder) throw new Problem('access_denied', 'the token is not valid or has expired');
    void reply
      .header('cache-control', 'no-store')
      .type('application/json')
      .send(JSON.stringify(claimsOf(holder)));
  };
  return [
    { method: 'GET', path, handler },
    { method: 'POST', path, handler },
  ];
}

function presentedToken({ headers, body = '' }: FastifyRequest<RawShape>, certificates: CertificateTrust) {
  const [inForm, ...more] = new URLSearchParams(body).getAll('access_token');
  if (inForm !== undefined && (more.length > 0 || headers.authorization !== undefined))
    throw new Problem('access_denied', 'the access token must be given once');
  const authorization = inForm === undefined ? headers.authorization : `Bearer ${inForm}`;
  const credentials =
    authorization === undefined ? undefined : readCredentials({ ...headers, authorization }, certificates);
  if (credentials?.type !== 'token')
    throw new Problem('access_denied', 'no access token: send the header Authorization with the scheme Bearer');
  return credentials;
}
