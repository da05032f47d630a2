import type { Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { Artifacts } from '../oauth2/artifacts.ts';
import { Sealer } from '../oauth2/sealing.ts';
import { normaliseSubject } from '../kinds/index.ts';

/** The key that services in tests seal with. */
export const testEncryptionKey = new Uint8Array(32).fill(7);

const lifetime_s = 365 * 24 * 3600;

/** Gives a person the access token a login would have ended with, without the login. */
export async function signIn({ store, world }: { readonly store: Store; readonly world: World }, subject: string): Promise<string> {
  const artifacts = new Artifacts({ store, world, sealer: new Sealer(testEncryptionKey) });
  const accountId = normaliseSubject(subject);
  const grantId = `grant-of-${accountId}`;
  const token = `token-of-${accountId}`;
  await artifacts.save('Grant', grantId, { accountId }, lifetime_s);
  await artifacts.save('AccessToken', token, { accountId, grantId }, lifetime_s);
  return token;
}
