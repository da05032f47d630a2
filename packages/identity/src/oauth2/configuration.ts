import type { IncomingMessage } from 'node:http';

import {
  interactionPolicy,
  type Configuration,
  type FindAccount,
  type Grant,
  type KoaContextWithOIDC,
} from 'oidc-provider';

import type { ClientCertificate } from '@unikorn/core/access';

import { waits } from '../limits.ts';
import { parseAccountId, type Accounts } from './account.ts';
import { exchangeGrant } from './exchange.ts';
import { signingAlgorithm, type SigningKeys } from './keys.ts';
import { lifetimes } from './lifetimes.ts';
import {
  deviceConfirmationPage,
  deviceDonePage,
  devicePage,
  loggedOutPage,
  logoutPage,
  problemPage,
  type Page,
} from './login/page.ts';
import { loginPath, paths } from './paths.ts';

/** The client of token exchange requests. The caller is authenticated by the presented token, not as a client. */
export const exchangeClient = 'token-exchange';

export interface ProviderContext {
  readonly accounts: Accounts;
  readonly adapter: NonNullable<Configuration['adapter']>;
  readonly cookieKey: string;
  /** The verified certificate of the request. */
  readonly certificateOf: (request: IncomingMessage) => ClientCertificate | undefined;
  /** The prefix of every path. */
  readonly base: string;
}

type PrivateKeys = Awaited<ReturnType<SigningKeys['current']>>;

/** The configuration of the OpenID library. */
export function openIdConfiguration(
  { accounts, adapter, cookieKey, base, certificateOf }: ProviderContext,
  keys: PrivateKeys,
): Configuration {
  return {
    adapter,
    jwks: { keys: keys.map(({ kty = '', ...key }) => ({ ...key, kty })) },
    clients: [
      {
        client_id: exchangeClient,
        token_endpoint_auth_method: 'none',
        grant_types: [exchangeGrant],
        response_types: [],
        redirect_uris: [],
      },
    ],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'tls_client_auth', 'none'],
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    // The web console needs at_hash, which is optional in the code flow. It is declared as a claim of every login.
    claims: { openid: ['sub', 'at_hash'], email: ['email', 'email_verified'], profile: [] },
    // The web console reads the mail address from the ID token.
    conformIdTokenClaims: false,
    routes: paths,
    cookies: {
      keys: [cookieKey],
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: base === '' ? '/' : base },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      ...lifetimes,
      AuthorizationCode: (_ctx, _code, client) =>
        client.applicationType === 'native' ? waits.pastedCode_s : lifetimes.AuthorizationCode,
    },
    pkce: { required: (_ctx, client) => client['clientAuthMethod'] === 'none' },
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Logout then also ends the tokens of the login.
    expiresWithSession: () => true,
    findAccount: accountFinder(accounts),
    loadExistingGrant: grantFor,
    interactions: { policy: loginOnly(), url: (_ctx, { uid }) => `${base}${loginPath}/${uid}` },
    renderError: (ctx, { error, error_description: description }) => {
      show(ctx, problemPage(`The application's request cannot be answered: ${description ?? error}.`));
    },
    discovery: { request_parameter_supported: false },
    features: features(certificateOf),
  };
}

function features(certificateOf: ProviderContext['certificateOf']): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    mTLS: certificateFeature(certificateOf),
    dPoP: { enabled: false },
    deviceFlow: deviceFeature(),
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    userinfo: { enabled: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        const target = ctx.oidc.params?.['post_logout_redirect_uri'];
        show(ctx, logoutPage(form, typeof target === 'string' ? target : undefined));
      },
      postLogoutSuccessSource: (ctx) => {
        show(ctx, loggedOutPage());
      },
    },
  };
}

/** The pages on which users enter the code that another device shows. */
function deviceFeature(): NonNullable<NonNullable<Configuration['features']>['deviceFlow']> {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: () => ({}),
    userCodeInputSource: (ctx, _form, _out, error) => {
      if (error) ctx.status = error.name === 'AbortedError' ? 200 : 403;
      show(
        ctx,
        devicePage({ ...formOf(ctx), ...(error ? { problem: deviceProblems[error.name] ?? deviceProblem } : {}) }),
      );
    },
    userCodeConfirmSource: (ctx, _form, client, _deviceInfo, userCode) => {
      show(
        ctx,
        deviceConfirmationPage({ ...formOf(ctx), userCode, application: client.clientName ?? client.clientId }),
      );
    },
    successSource: (ctx) => {
      show(ctx, deviceDonePage());
    },
  };
}

const deviceProblem = 'The login failed. Start again on the device, and enter the new code.';
const deviceProblems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code that the device shows.',
  NotFoundError: 'This code does not exist. Enter it exactly as the device shows it.',
  ExpiredError: 'The code has expired. Start again on the device.',
  AlreadyUsedError: 'The code was already used. Start again on the device.',
  AbortedError: 'The device was not logged in.',
};

function formOf({ oidc }: KoaContextWithOIDC): { readonly action: string; readonly secret: string } {
  const state: unknown = oidc.session?.['state'];
  const secret: unknown = typeof state === 'object' && state !== null && 'secret' in state ? state.secret : undefined;
  return { action: oidc.urlFor('code_verification'), secret: typeof secret === 'string' ? secret : '' };
}

/** The platform's services are clients by their certificates. */
function certificateFeature(
  certificateOf: ProviderContext['certificateOf'],
): NonNullable<NonNullable<Configuration['features']>['mTLS']> {
  return {
    enabled: true,
    tlsClientAuth: true,
    certificateBoundAccessTokens: true,
    getCertificate: ({ req }) => certificateOf(req)?.x509,
    certificateAuthorized: ({ req }) => certificateOf(req) !== undefined,
    certificateSubjectMatches: ({ req }, _property, commonName) => certificateOf(req)?.commonName === commonName,
  };
}

function show(ctx: KoaContextWithOIDC, { body, headers }: Page): void {
  ctx.set(headers);
  ctx.body = body;
}

/**
 * A user who was suspended or deleted, or whose organization may no longer vouch for them, has no account: their
 * sessions and tokens end.
 */
function accountFinder(accounts: Accounts): FindAccount {
  return async ({ oidc }, accountId) => {
    const holder = await accounts.find(accountId);
    if (!holder) return undefined;
    const { subject: sub } = holder.user.spec;
    // An opaque token is its own identifier. The ID token is signed with its hash instead.
    return {
      accountId,
      claims: () => ({ sub, email: sub, email_verified: true, at_hash: oidc.entities.AccessToken?.jti }),
    };
  };
}

/** All applications belong to the platform, so users are not asked for consent: a login grants the requested scopes. */
function loginOnly(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const checks = policy.get('login')?.checks;
  checks?.add(
    new interactionPolicy.Check(
      'account_gone',
      'this account is no longer allowed to log in',
      ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
    ),
  );
  checks?.add(
    new interactionPolicy.Check(
      'not_silent',
      'the application did not ask for a silent login',
      ({ oidc }) => !mayBeSilent(oidc),
    ),
  );
  checks?.remove('id_token_hint');
  checks?.add(
    new interactionPolicy.Check('id_token_hint', 'another user is logged in than the one in login_hint', ({ oidc }) =>
      isSomebodyElse(oidc),
    ),
  );
  return policy;
}

/**
 * As in the original, an existing session is only used for applications that request it with `prompt=none` or
 * `max_age`. Others get the login page, so that a user who logged out of an application can log in as another user.
 */
function mayBeSilent({ params, prompts, result }: KoaContextWithOIDC['oidc']): boolean {
  return result?.login !== undefined || prompts.has('none') || params?.['max_age'] !== undefined;
}

/** An ID token contains the user, a session contains the account. */
function isSomebodyElse({ session, entities: { IdTokenHint: hint } }: KoaContextWithOIDC['oidc']): boolean {
  return (
    hint !== undefined &&
    (session?.accountId === undefined || parseAccountId(session.accountId).subject !== hint.payload['sub'])
  );
}

/** One grant per application and browser session; logout ends it. */
async function grantFor({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, session, client, account, requestParamOIDCScopes: scopes } = oidc;
  if (!session || !client || !account) return undefined;
  const clientId = client.clientId;
  const known = await provider.Grant.find(session.grantIdFor(clientId) ?? '');
  const grant =
    known?.accountId === account.accountId && known.clientId === clientId
      ? known
      : new provider.Grant({ accountId: account.accountId, clientId });
  grant.addOIDCScope([...scopes].join(' '));
  await grant.save();
  return grant;
}
