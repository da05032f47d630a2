import type { TokenVerifier } from '../access/index.ts';
import { sameDigest } from '../digest.ts';
import { waits } from '../limits.ts';
import type { Accounts } from './account.ts';
import type { Artifacts } from './artifacts.ts';

export interface UserTokensOptions {
  readonly artifacts: Artifacts;
  readonly accounts: Accounts;
}

/** A burst of requests with one token reads it once. */
const recently = { maxAge_ms: waits.verifiedToken_ms };

/**
 * Verifies the access tokens of users. A token is valid only while the token, its login, the user, and the right of the
 * vouching organization are valid. If another process ended one of them, this is noticed within half a second.
 */
export function userTokenVerifier({ artifacts, accounts }: UserTokensOptions): TokenVerifier {
  return {
    async verify(token) {
      const artifact = await artifacts.look('AccessToken', token, recently);
      if (artifact?.spec.subject === undefined) return undefined;
      const [granted, holder] = await Promise.all([
        artifacts.isGranted(artifact, recently),
        accounts.find(artifact.spec.subject, recently),
      ]);
      if (!granted || !holder) return undefined;
      const { user, organizationIds } = holder;
      return {
        subject: user.spec.subject,
        accountType: 'user',
        userId: user.metadata.name,
        organizationIds,
        expiresAt: Date.parse(artifact.spec.expiry),
      };
    },
  };
}

export interface ServiceTokensOptions {
  readonly artifacts: Artifacts;
  /** The common names of the platform's services. */
  readonly services: ReadonlySet<string>;
}

/**
 * Verifies the access tokens of the platform's services. They are valid only together with the certificate that they
 * were issued to.
 */
export function serviceTokenVerifier({ artifacts, services }: ServiceTokensOptions): TokenVerifier {
  return {
    async verify(token, certificateThumbprint) {
      if (certificateThumbprint === undefined) return undefined;
      const artifact = await artifacts.look('ClientCredentials', token, recently);
      const { clientId: subject, 'x5t#S256': bound } = (artifact && (await artifacts.open(artifact))) ?? {};
      if (!artifact || subject === undefined || bound === undefined) return undefined;
      if (!services.has(subject) || !sameDigest(bound, certificateThumbprint)) return undefined;
      return { subject, accountType: 'system', organizationIds: [], expiresAt: Date.parse(artifact.spec.expiry) };
    },
  };
}

/** Tokens of users are far more frequent, so a token is looked up as a service token only if it is not a user token. */
export function issuedTokenVerifier(users: TokenVerifier, services: TokenVerifier): TokenVerifier {
  return {
    verify: async (token, certificateThumbprint) =>
      (await users.verify(token)) ?? services.verify(token, certificateThumbprint),
  };
}
