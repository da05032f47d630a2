import type { TokenVerifier, UserDirectory } from '../access/index.ts';
import type { Artifacts } from './artifacts.ts';
import type { Realm } from './realm.ts';

export interface UserTokensOptions {
  readonly artifacts: Artifacts;
  readonly users: UserDirectory;
  readonly realm: Pick<Realm, 'organizationIds'>;
}

/**
 * Verifies the access tokens of people. Nothing is remembered: a token is good while it, the login it came from and the
 * person stand, in whichever process one of them was ended.
 */
export function userTokenVerifier({ artifacts, users, realm }: UserTokensOptions): TokenVerifier {
  return {
    async verify(token) {
      const artifact = await artifacts.look('AccessToken', token);
      if (artifact?.spec.subject === undefined) return undefined;
      const [granted, user] = await Promise.all([artifacts.isGranted(artifact), users.find(artifact.spec.subject)]);
      if (!granted || user?.spec.state !== 'active' || user.metadata.deletionTimestamp !== undefined) return undefined;
      const { subject } = user.spec;
      return { subject, accountType: 'user', userId: user.metadata.name, organizationIds: await realm.organizationIds(subject), expiresAt: Date.parse(artifact.spec.expiry) };
    },
  };
}
