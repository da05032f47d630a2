import { createHash } from 'node:crypto';

import { decodeJwt } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

import {
  Acl,
  encodePrincipal,
  intersectAccess,
  serviceCaller,
  tokenCaller,
  type Authenticator,
  type Caller,
  type Credentials,
  type Endpoint,
  type TokenHolder,
} from '@unikorn/core/access';
import {
  answeredProblem,
  fieldsOf,
  parseJson,
  reaching,
  unavailable,
  type ChannelAnswer,
  type ChannelRequest,
  type HttpChannel,
} from '@unikorn/core/calls';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import { Answers, type Answer } from '@unikorn/core/outbound';
import type { Scope } from '@unikorn/core/resource';
import { traceHeaders } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { limits, waits } from '../limits.ts';

export interface RemoteAuthenticatorOptions {
  /** The connection to identity. */
  readonly channel: HttpChannel;
  readonly world: World;
  /** The platform-wide permissions of each service, by the common name of its certificate. */
  readonly services: ReadonlyMap<string, readonly Endpoint[]>;
}

const passport = Compile(
  Type.Object({
    sub: Type.String(),
    acctype: Type.Union([Type.Literal('user'), Type.Literal('service'), Type.Literal('system')]),
    org_ids: Type.Array(Type.String()),
    exp: Type.Number(),
  }),
);
const acl = Compile(Acl);

/**
 * Asks identity in another process for the caller and their permissions. A request is refused unless identity clearly
 * allows it. If identity cannot be reached, the result is a server error and not a 401, so that clients do not log
 * their users out.
 *
 * @example
 * const authenticator = remoteAuthenticator({ channel: httpChannel({ baseUrl, world, tls }), world, services: serviceRights() });
 */
export function remoteAuthenticator({ world, services, channel }: RemoteAuthenticatorOptions): Authenticator {
  const holders = new Answers<TokenHolder>(world, limits.remoteTokens);
  const access = new Answers<Acl>(world, limits.remoteAccess);
  /** The credentials of a caller. They are also used to request the permissions. */
  const tokens = new WeakMap<Caller, string>();
  const soon = async (answer: Promise<Acl>): Promise<Answer<Acl>> => ({
    value: await answer,
    until: world.now() + waits.remoteAccess_ms,
  });

  return {
    async authenticate(credentials, scope) {
      if (credentials.type === 'certificate') {
        rightsOf(services, credentials.commonName);
        return serviceCaller(credentials);
      }
      const { token, certificateThumbprint } = credentials;
      const key = keyOf('holder', digest(token), certificateThumbprint, scope.organizationId, scope.projectId);
      const exchanged = async () => {
        const { value, until } = await exchange(channel, credentials, scope);
        // The token can be revoked before the exchanged one expires.
        return { value, until: Math.min(until, world.now() + waits.remoteAccess_ms) };
      };
      const caller = tokenCaller(await holders.get(key, exchanged), scope);
      tokens.set(caller, token);
      return caller;
    },
    async access(caller, scope) {
      if (caller.accountType === 'system') {
        const global = rightsOf(services, caller.subject);
        if (!caller.impersonating) return { global };
        const { principal } = caller;
        const user = await access.get(keyOf('impersonated', JSON.stringify(principal)), () =>
          soon(principalAccess(channel, encodePrincipal(principal))),
        );
        return intersectAccess(user, global);
      }
      const token = tokens.get(caller);
      if (token === undefined) throw new Problem('access_denied', 'there is no access token');
      return access.get(keyOf('direct', JSON.stringify(caller.principal), digest(token), scope.organizationId), () =>
        soon(tokenAccess(channel, token, scope)),
      );
    },
  };
}

/** If identity does not answer, this is an error of the server, not of the caller. */
function ask(channel: HttpChannel, request: ChannelRequest): Promise<ChannelAnswer> {
  return reaching('identity', () => channel.send({ ...request, headers: { ...traceHeaders(), ...request.headers } }));
}

function rightsOf(services: ReadonlyMap<string, readonly Endpoint[]>, commonName: string): readonly Endpoint[] {
  const rights = services.get(commonName);
  if (!rights)
    throw new Problem('access_denied', 'the client certificate does not belong to a service of this platform');
  return rights;
}

/** Each part includes its length, so that two different lists never give the same key. */
function keyOf(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => (part === undefined ? '-' : `${part.length}:${part}`)).join('');
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

async function exchange(
  channel: HttpChannel,
  { token, certificateThumbprint }: Extract<Credentials, { type: 'token' }>,
  { organizationId, projectId }: Scope,
): Promise<Answer<TokenHolder>> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    requested_token_type: 'urn:nscale:params:oauth:token-type:passport',
    ...defined({ x_organization_id: organizationId, x_certificate_thumbprint: certificateThumbprint }),
    ...(organizationId === undefined || projectId === undefined ? {} : { x_project_id: projectId }),
  });
  const answer = await ask(channel, {
    method: 'POST',
    path: '/oauth2/v2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    repeatable: false,
  });
  if (answer.status !== 200) throw exchangeProblem(answer);
  const { sub, acctype, org_ids, exp } = claimsOf(answer);
  const holder: TokenHolder = { subject: sub, accountType: acctype, organizationIds: org_ids };
  return { value: holder, until: exp * 1000 - waits.tokenMargin_ms };
}

function exchangeProblem(answer: ChannelAnswer): Problem {
  const { error } = fieldsOf(parseJson(answer.text));
  if (answer.status === 401) return new Problem('access_denied', 'the token is not valid or has expired');
  if (error === 'invalid_scope')
    return new Problem('forbidden', 'your roles do not apply to this organization or project');
  return unavailable(
    'identity',
    new Error(`identity answered ${answer.status} to a token exchange: ${answer.text.slice(0, 500)}`),
  );
}

/** Received from identity over an authenticated connection, so the signature is not checked again. */
function claimsOf(answer: ChannelAnswer) {
  const { access_token: token } = fieldsOf(parseJson(answer.text));
  const claims: unknown = typeof token === 'string' ? decodeJwt(token) : undefined;
  if (!passport.Check(claims))
    throw unavailable('identity', new Error('identity answered a token exchange without a passport'));
  return claims;
}

function tokenAccess(channel: HttpChannel, token: string, { organizationId }: Scope): Promise<Acl> {
  const path =
    organizationId === undefined
      ? '/api/v1/acl'
      : (`/api/v1/organizations/${encodeURIComponent(organizationId)}/acl` as const);
  return readAccess(
    channel,
    path,
    { authorization: `Bearer ${token}` },
    new Problem('access_denied', 'the token is not valid or has expired'),
  );
}

function principalAccess(channel: HttpChannel, principal: string): Promise<Acl> {
  return readAccess(channel, '/api/v1/acl/principal', { 'x-principal': principal, 'x-impersonate': 'true' });
}

async function readAccess(
  channel: HttpChannel,
  path: `/${string}`,
  headers: Readonly<Record<string, string>>,
  denied?: Problem,
): Promise<Acl> {
  const answer = await ask(channel, { method: 'GET', path, headers, repeatable: true });
  if (answer.status === 401 && denied) throw denied;
  if (answer.status !== 200) throw answeredProblem('identity', answer);
  const value = parseJson(answer.text);
  if (!acl.Check(value)) throw unavailable('identity', new Error('identity answered without an access list'));
  return {
    ...(value.global ? { global: value.global } : {}),
    ...(value.organizations ? { organizations: value.organizations } : {}),
  };
}
