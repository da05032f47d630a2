import { labels } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { accountIdOf } from '../oauth2/account.ts';
import { Artifacts } from '../oauth2/artifacts.ts';
import { Sealer } from '../oauth2/sealing.ts';
import { normaliseSubject, OrganizationUser, userIdOf } from '../kinds/index.ts';

/** The encryption key of services in tests. */
export const testEncryptionKey = new Uint8Array(32).fill(7);

const lifetime_s = 365 * 24 * 3600;

/**
 * Returns the access token of a user without a login. The user accepts every invitation, as users do on the login page.
 *
 * @example const token = await signIn({ store, world }, 'alice@example.com');
 */
export async function signIn(
  { store, world }: { readonly store: Store; readonly world: World },
  subject: string,
): Promise<string> {
  const artifacts = new Artifacts({ store, world, sealer: new Sealer(testEncryptionKey) });
  const accountId = normaliseSubject(subject);
  for (const { metadata, spec } of (
    await store.list(OrganizationUser, { selector: matching({ [labels.user]: userIdOf(subject) }) })
  ).items) {
    if (spec.acceptance === 'open')
      await modify(store, OrganizationUser, metadata.name, (member) => ({
        ...member,
        spec: { ...member.spec, acceptance: 'accepted' as const },
      }));
  }
  return issue(artifacts, accountId);
}

/** The same for a login for which an organization vouches, through its own provider. */
export function signInVouched(
  { store, world }: { readonly store: Store; readonly world: World },
  subject: string,
  organizationId: string,
): Promise<string> {
  return issue(
    new Artifacts({ store, world, sealer: new Sealer(testEncryptionKey) }),
    accountIdOf({ subject, vouchedBy: organizationId }),
  );
}

async function issue(artifacts: Artifacts, accountId: string): Promise<string> {
  const grantId = `grant-of-${accountId}`;
  const token = `token-of-${accountId}`;
  await artifacts.save('Grant', grantId, { accountId }, lifetime_s);
  await artifacts.save('AccessToken', token, { accountId, grantId }, lifetime_s);
  return token;
}
