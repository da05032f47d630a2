import { SignJWT } from 'jose';
import { errors } from 'oidc-provider';

import type { ClientCertificate } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { idParser } from '@unikorn/core/resource';
import type { World } from '@unikorn/core/world';

import type { TokenVerifier, VerifiedToken } from '../access/index.ts';
import { distinct } from '../handlers/within.ts';
import { limits, waits } from '../limits.ts';
import { signingAlgorithm, type SigningKeys } from './keys.ts';
import type { NamedScope, OutOfScope, Realm } from './realm.ts';

export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const exchangeParameters = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
  'actor_token_type',
  'audience',
  'resource',
  'scope',
  'x_organization_id',
  'x_project_id',
  'x_certificate_thumbprint',
] as const;

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const passportType = 'urn:nscale:params:oauth:token-type:passport';

/** The name of the scope in the error message. */
const scopeNames: Readonly<Record<OutOfScope, string>> = { organization: 'x_organization_id', project: 'x_project_id' };

type Parameters = Readonly<Record<string, unknown>>;

export interface ExchangeRequest {
  readonly subjectToken: string;
  /** The audience of the passport, and every resource in the request. */
  readonly audience: readonly string[];
  readonly scope?: NamedScope;
}

const organizationId = idParser<'organization'>();
const projectId = idParser<'project'>();

function text(parameters: Parameters, name: (typeof exchangeParameters)[number]): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Parses a token exchange, or fails with the wrong parameter. Clients compare these texts, so they must match the
 * contract.
 */
export function parseExchange(parameters: Parameters): ExchangeRequest {
  const subjectToken = text(parameters, 'subject_token');
  const type = text(parameters, 'subject_token_type');
  const requested = text(parameters, 'requested_token_type') ?? passportType;
  if (subjectToken === undefined) throw new errors.InvalidRequest('subject_token must be specified');
  if (type === undefined) throw new errors.InvalidRequest('subject_token_type must be specified');
  if (type !== accessTokenType) throw new errors.InvalidRequest('subject_token_type is not supported');
  if (requested !== passportType) throw new errors.InvalidRequest('requested_token_type is not supported');
  if (parameters['actor_token'] !== undefined || parameters['actor_token_type'] !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported: services name their principal in a header');
  const audience = text(parameters, 'audience');
  const scope = parseScope(text(parameters, 'x_organization_id'), text(parameters, 'x_project_id'));
  return {
    subjectToken,
    audience: distinct([...(audience === undefined ? [] : [audience]), ...resourcesOf(parameters['resource'])]),
    ...defined({ scope }),
  };
}

/** The services that the passport is for (RFC 8707). The parameter may be repeated. */
function resourcesOf(value: unknown): readonly string[] {
  const resources = [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  if (resources.length > limits.passportResources)
    throw new errors.InvalidRequest(`resource may be given at most ${limits.passportResources} times`);
  return resources.map((resource) => {
    if (!/^[a-z][a-z\d+.-]*:[^\s]+$/i.test(resource) || !URL.canParse(resource))
      throw new errors.InvalidRequest('resource must be an absolute URI');
    if (resource.includes('#')) throw new errors.InvalidRequest('resource must not have a fragment');
    return resource;
  });
}

function parseScope(organization: string | undefined, project: string | undefined): NamedScope | undefined {
  if (organization === undefined && project === undefined) return undefined;
  if (organization === undefined) throw new errors.InvalidRequest('x_organization_id must be specified');
  const parsed = organizationId(organization);
  if (parsed === undefined) throw new errors.InvalidRequest('x_organization_id must be a UUID');
  if (project === undefined) return { organizationId: parsed };
  const within = projectId(project);
  if (within === undefined) throw new errors.InvalidRequest('x_project_id must be a UUID');
  return { organizationId: parsed, projectId: within };
}

/** The claims of a passport; times are in seconds. */
export function passportClaims(
  holder: VerifiedToken,
  { scope, audience }: ExchangeRequest,
  now: number,
): Readonly<Record<string, unknown>> & { readonly iat: number; readonly exp: number } {
  const iat = Math.floor(now / 1000);
  const ends = holder.expiresAt === undefined ? Infinity : Math.floor(holder.expiresAt / 1000);
  return {
    typ: 'passport',
    iss: 'uni-identity',
    source: 'uni',
    sub: holder.subject,
    acctype: holder.accountType,
    ...(holder.accountType === 'user' ? { email: holder.subject } : {}),
    org_ids: holder.organizationIds,
    ...(scope === undefined ? {} : { org_id: scope.organizationId }),
    ...(scope?.projectId === undefined ? {} : { project_id: scope.projectId }),
    ...audienceClaim(audience),
    iat,
    exp: Math.min(iat + waits.passport_s, ends),
  };
}

/** One value is written as a text, several as a list (RFC 7519). */
function audienceClaim(audience: readonly string[]): { readonly aud?: string | readonly string[] } {
  const [first, ...more] = audience;
  if (first === undefined) return {};
  return { aud: more.length === 0 ? first : audience };
}

export interface ExchangeContext {
  readonly tokens: TokenVerifier;
  /** The common names of the platform's services. */
  readonly services: ReadonlySet<string>;
  readonly realm: Realm;
  readonly keys: SigningKeys;
  readonly world: World;
}

/**
 * Exchanges a token of this platform for a passport: short-lived, signed, and limited to the scope of the next call.
 */
export async function exchange(
  { tokens, services, realm, keys, world }: ExchangeContext,
  parameters: Parameters,
  certificate?: ClientCertificate,
): Promise<object> {
  const request = parseExchange(parameters);
  const holder = await tokens.verify(request.subjectToken, presentedWith(parameters, services, certificate));
  if (!holder)
    throw Object.assign(new errors.AccessDenied('token validation failed'), { status: 401, statusCode: 401 });
  const missing = request.scope && (await realm.outOfScope(holder, request.scope));
  if (missing) throw new errors.InvalidScope(`${missing} not in scope`, scopeNames[missing]);
  const claims = passportClaims(holder, request, world.now());
  return {
    access_token: await sign(keys, world, claims),
    issued_token_type: passportType,
    token_type: 'Bearer',
    expires_in: claims.exp - claims.iat,
  };
}

/**
 * The certificate that the subject token was presented with: the one of this request, or the one that a service of the
 * platform reports from its caller. A passport grants no access, so a service gains nothing by a false report.
 */
function presentedWith(
  parameters: Parameters,
  services: ReadonlySet<string>,
  certificate: ClientCertificate | undefined,
): string | undefined {
  const seen = text(parameters, 'x_certificate_thumbprint');
  if (seen === undefined) return certificate?.thumbprint;
  return certificate && services.has(certificate.commonName) ? seen : undefined;
}

async function sign(keys: SigningKeys, world: World, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const [key] = await keys.current();
  if (!key) throw new Error('there is no signing key');
  return new SignJWT({ ...claims, jti: world.uuid() })
    .setProtectedHeader({ alg: signingAlgorithm, kid: key.kid })
    .sign(key);
}
