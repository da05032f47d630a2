import type { TokenVerifier } from '../access/index.ts';
import { sameDigest } from '../digest.ts';
import type { Accounts } from './account.ts';
import type { Artifacts } from './artifacts.ts';

export interface UserTokensOptions {
  readonly artifacts: Artifacts;
  readonly accounts: Accounts;
}

/**
 * Verifies the access tokens of people. Nothing is remembered: a token is good while it, the login it came from, the
 * person and the right of whoever vouched for them stand, in whichever process one of them was ended.
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
  /** The common names of our own services. */
  readonly services: ReadonlySet<string>;
}

/**
 * Verifies the access tokens of our own services, which are good only together with the certificate they were issued
 * to.
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

/** People's tokens come far more often, so services' are looked for only where there is none of a person. */
export function issuedTokenVerifier(users: TokenVerifier, services: TokenVerifier): TokenVerifier {
  return {
    verify: async (token, certificateThumbprint) =>
      (await users.verify(token)) ?? services.verify(token, certificateThumbprint),
  };
}
