import type { TokenVerifier } from '../access/index.ts';
import { sameDigest } from '../digest.ts';
import type { Accounts } from './account.ts';
import type { Artifacts } from './artifacts.ts';

export interface UserTokensOptions {
  readonly artifacts: Artifacts;
  readonly accounts: Accounts;
}

/**
 * Verifies the access tokens of users. Nothing is cached: a token is valid only while the token, its login, the user,
 * and the right of the vouching organization are valid, whichever process ended one of them.
 */
export function userTokenVerifier({ artifacts, accounts }: UserTokensOptions): TokenVerifier {
  return {
    async verify(token) {
      const artifact = await artifacts.look('AccessToken', token);
      if (artifact?.spec.subject === undefined) return undefined;
      const [granted, holder] = await Promise.all([
        artifacts.isGranted(artifact),
        accounts.find(artifact.spec.subject),
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
      const artifact = await artifacts.look('ClientCredentials', token);
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
