import * as openid from 'openid-client';

import { ConnectionError, type Endpoints } from '@unikorn/sdk';

import { addressOf, issuerOf, type LoginTokens } from '../contexts/contexts.ts';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

/** The client id of this program. */
const clientId = 'cli';

/** The OpenID configuration that the control plane publishes. */
export async function discover(endpoints: string | Endpoints): Promise<openid.Configuration> {
  const issuer = new URL(issuerOf(endpoints));
  try {
    return await openid.discovery(
      issuer,
      clientId,
      undefined,
      openid.None(),
      issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {},
    );
  } catch (error) {
    throw discoveryFailure(issuer, addressOf(endpoints), error);
  }
}

function discoveryFailure(issuer: URL, address: string, error: unknown): Error {
  if (error instanceof TypeError) return new ConnectionError(`GET ${issuer.href}`, error);
  const called = error instanceof openid.ClientError ? issuerIn(error.cause) : undefined;
  if (called !== undefined)
    return new Failure(
      'usage',
      `the control plane at ${address} calls itself ${addressOf({ identity: called, region: '', compute: '' })}`,
      'log in with that address: tokens are only valid for it',
    );
  return new Failure(
    'refused',
    `${address} does not answer like a control plane`,
    'is the address right? it is the one before /identity, /region and /compute',
  );
}

function issuerIn(cause: unknown): string | undefined {
  const body: unknown = typeof cause === 'object' && cause !== null && 'body' in cause ? cause.body : undefined;
  return typeof body === 'object' && body !== null && 'issuer' in body && typeof body.issuer === 'string'
    ? body.issuer
    : undefined;
}

type Answer = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/** Converts the granted tokens to the stored form. */
export function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime_s = 0 }: Answer,
  now: Date,
): LoginTokens {
  if (refreshToken === undefined)
    throw new Failure(
      'refused',
      'the control plane gave no refresh token, so the login would end within an hour',
      'ask the platform operator to allow refresh tokens for the client cli',
    );
  return { accessToken, refreshToken, expiresAt: new Date(now.getTime() + lifetime_s * 1000).toISOString() };
}

/** A login attempt: the address of the login page, and how to handle the address that the browser returns to. */
export interface Attempt {
  readonly url: URL;
  /** The tokens for the address that the browser returned to. */
  redeem(returned: URL, now: Date): Promise<LoginTokens>;
}

export async function beginLogin(configuration: openid.Configuration, redirectUri: string): Promise<Attempt> {
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const challenge = {
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  return {
    url: openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: expectedState,
      ...challenge,
    }),
    redeem: async (returned, now) =>
      tokensOf(
        await openid
          .authorizationCodeGrant(configuration, returned, { pkceCodeVerifier, expectedState })
          .catch(loginFailure),
        now,
      ),
  };
}

/** A login attempt on another device: its address and code, and how to wait for it. */
export interface DeviceAttempt {
  readonly url: string;
  readonly code: string;
  readonly lifetime_s: number;
  readonly redeem: (terminal: Pick<Terminal, 'now' | 'signal'>) => Promise<LoginTokens>;
}

export async function beginDeviceLogin(configuration: openid.Configuration): Promise<DeviceAttempt> {
  const begun = await openid
    .initiateDeviceAuthorization(configuration, { scope: 'openid email profile' })
    .catch(loginFailure);
  return {
    url: begun.verification_uri,
    code: begun.user_code,
    lifetime_s: begun.expires_in,
    redeem: async ({ now, signal }) =>
      tokensOf(
        await openid
          .pollDeviceAuthorizationGrant(configuration, begun, undefined, { signal })
          .catch((error: unknown) => deviceFailure(error, signal)),
        now(),
      ),
  };
}

const deviceReasons: Readonly<Record<string, string>> = {
  access_denied: 'the login was refused on the page',
  expired_token: 'the code was not entered in time',
  invalid_grant: 'the code was not entered in time',
};

function deviceFailure(error: unknown, signal: AbortSignal): never {
  if (signal.aborted && signal.reason instanceof Error) throw signal.reason;
  const reason = error instanceof openid.ResponseBodyError ? deviceReasons[error.error] : undefined;
  if (reason !== undefined)
    throw new Failure('forbidden', `the login failed: ${reason}`, 'try again: unikorn login --device');
  if (error instanceof openid.ClientError && error.code === 'OAUTH_TIMEOUT')
    throw new Failure('timedOut', 'the code was not entered in time', 'try again: unikorn login --device');
  return loginFailure(error);
}

function loginFailure(error: unknown): never {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError)
    throw new Failure(
      'forbidden',
      `the login failed: ${error.error_description ?? error.error}`,
      'try again: unikorn login',
    );
  if (error instanceof openid.ClientError)
    throw new Failure(
      'forbidden',
      'the login failed: the address that came back does not belong to this attempt',
      'try again: unikorn login',
    );
  throw error;
}

/** New tokens for a refresh token, which is then used up. Undefined if it was used before or has expired. */
export async function renew(
  configuration: openid.Configuration,
  refreshToken: string,
  now: Date,
): Promise<LoginTokens | undefined> {
  try {
    return tokensOf(await openid.refreshTokenGrant(configuration, refreshToken), now);
  } catch (error) {
    if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}

/** Revokes a refresh token and its access tokens. */
export function revoke(configuration: openid.Configuration, refreshToken: string): Promise<void> {
  return openid.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
}
