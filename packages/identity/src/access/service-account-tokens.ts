import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { digestOf, sameDigest } from '../digest.ts';
import { ServiceAccount, tokenDigestLabel } from '../kinds/index.ts';
import { limits, waits } from '../limits.ts';
import type { TokenVerifier } from './verifier.ts';

/** Tells our tokens from those of users, and lets scanners find one that leaked. */
const prefix = 'uksa_';
const labelDigits = 62;

/** A new token, and what is kept of it. */
export interface IssuedToken {
  readonly token: string;
  readonly tokenDigest: string;
  readonly expiry: string;
}

export function issueToken(world: World, lifetime_ms = waits.serviceAccountToken_ms): IssuedToken {
  const token = `${prefix}${Buffer.from(world.randomBytes(32)).toString('base64url')}`;
  return { token, tokenDigest: digestOf(token), expiry: timestamp(world.now() + lifetime_ms) };
}

/** The label by which a service account is found when its token is presented. */
export function digestLabels(tokenDigest: string): Readonly<Record<string, string>> {
  return { [tokenDigestLabel]: tokenDigest.slice(0, labelDigits) };
}

/** Reads what is stored, so that a rotated or deleted token is refused from that moment, in every process. */
export function serviceAccountVerifier({
  store,
  world,
}: {
  readonly store: Store;
  readonly world: World;
}): TokenVerifier {
  const find = accountFinder(store);
  return {
    async verify(token) {
      const tokenDigest = digestOf(token);
      const account = await find(tokenDigest);
      if (
        !account ||
        !sameDigest(account.spec.tokenDigest, tokenDigest) ||
        account.metadata.deletionTimestamp !== undefined
      )
        return undefined;
      const { name, labels: label } = account.metadata;
      const expiresAt = Date.parse(account.spec.expiry);
      const organizationId = label?.[labels.organization];
      if (organizationId === undefined || !(world.now() < expiresAt)) return undefined;
      return {
        subject: name,
        accountType: 'service',
        serviceAccountId: name,
        organizationIds: [organizationId],
        expiresAt,
      };
    },
  };
}

/**
 * Remembers whose a digest was, because to read one account by name costs a fifth of a search for it; a digest that is
 * no longer theirs is searched for.
 */
function accountFinder(store: Store): (tokenDigest: string) => Promise<ServiceAccount | undefined> {
  const names = new Map<string, string>();
  return async (tokenDigest) => {
    const name = names.get(tokenDigest);
    const known = name === undefined ? undefined : await store.get(ServiceAccount, name);
    if (known?.spec.tokenDigest === tokenDigest) return known;
    const { items } = await store.list(ServiceAccount, { selector: matching(digestLabels(tokenDigest)), limit: 1 });
    const [found] = items;
    if (names.size >= limits.rememberedTokens) names.clear();
    if (found) names.set(tokenDigest, found.metadata.name);
    else names.delete(tokenDigest);
    return found;
  };
}

/** Service accounts' tokens are known by their prefix; everything else came from the token endpoint. */
export function eitherVerifier(accounts: TokenVerifier, issued: TokenVerifier): TokenVerifier {
  return {
    verify: (token, certificateThumbprint) =>
      (token.startsWith(prefix) ? accounts : issued).verify(token, certificateThumbprint),
  };
}
