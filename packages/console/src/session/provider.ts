import * as oauth from 'oauth4webapi';

import { platform } from '../platform.ts';
import { datedFetch, serverNow } from './server-clock.ts';

const clientId = 'console';
const scope = 'openid email profile';

export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
  /** The mail address of the user. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The secrets of one login. They are of no use without its code. */
export interface Attempt {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** The login of the platform, which has the same origin as the pages. */
export function providerAt(publicUrl: string) {
  const issuer = `${publicUrl}/identity`;
  const server: oauth.AuthorizationServer = {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/v2/authorization`,
    token_endpoint: `${issuer}/oauth2/v2/token`,
    id_token_signing_alg_values_supported: ['ES512', 'ES256', 'RS256'],
  };
  /** The times in a token are by the clock of the server. The clock of the browser may be wrong by days. */
  const clientNow = (): oauth.Client => ({
    client_id: clientId,
    [oauth.clockSkew]: Math.round((serverNow() - platform.now()) / 1000),
  });
  const redirectUri = `${publicUrl}/console/signed-in`;
  // Without encryption only within one machine; the server refuses to start otherwise.
  const insecure = publicUrl.startsWith('http:');

  return {
    attempt: (prefix = ''): Attempt => ({
      verifier: oauth.generateRandomCodeVerifier(),
      state: `${prefix}${oauth.generateRandomState()}`,
      nonce: oauth.generateRandomNonce(),
    }),

    authorizationUrl: async ({ verifier, state, nonce }: Attempt, prompt?: 'none'): Promise<string> => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(prompt === undefined ? {} : { prompt }),
      });
      return `${issuer}/oauth2/v2/authorization?${query.toString()}`;
    },

    /** The tokens for the address that the login returned to. Throws if that contains a refusal. */
    redeem: async (address: URL, { verifier, state, nonce }: Attempt): Promise<Tokens> => {
      const parameters = oauth.validateAuthResponse(server, clientNow(), address, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        clientNow(),
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        { [oauth.allowInsecureRequests]: insecure, [oauth.customFetch]: datedFetch },
      );
      const result = await oauth.processAuthorizationCodeResponse(server, clientNow(), response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      const claims = oauth.getValidatedIdTokenClaims(result);
      return {
        accessToken: result.access_token,
        idToken: result.id_token ?? '',
        subject: claims?.sub ?? '',
        expiresAt: platform.now() + (result.expires_in ?? 0) * 1000,
      };
    },

    logoutUrl: (idToken: string): string => {
      const query = new URLSearchParams({
        id_token_hint: idToken,
        client_id: clientId,
        post_logout_redirect_uri: `${publicUrl}/console/signed-out`,
      });
      return `${issuer}/oauth2/v2/logout?${query.toString()}`;
    },
  };
}

export type Provider = ReturnType<typeof providerAt>;

/** The code of a refusal of the login, such as `login_required`. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof oauth.AuthorizationResponseError ? error.error : undefined;
}
