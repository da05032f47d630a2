import type { Static } from 'typebox';

import type { DeepReadonly } from '@unikorn/core/kinds';
import { organizationScopedReadMetadata } from '@unikorn/core/resource';

import type { ServiceAccountRead } from '../../api/index.ts';
import { ServiceAccount } from '../../kinds/index.ts';

/** A service account without its token, which cannot be shown again. */
export function presentServiceAccount(
  account: ServiceAccount,
  groupIDs: readonly string[],
): DeepReadonly<Static<typeof ServiceAccountRead>> {
  const { tags, expiry } = account.spec;
  return {
    metadata: organizationScopedReadMetadata(ServiceAccount, account, tags),
    spec: { groupIDs },
    status: { expiry },
  };
}

/** The only response that contains a token. */
export function presentWithToken(
  account: ServiceAccount,
  groupIDs: readonly string[],
  accessToken: string,
): DeepReadonly<Static<typeof ServiceAccountRead>> {
  const shown = presentServiceAccount(account, groupIDs);
  return { ...shown, status: { ...shown.status, accessToken } };
}
