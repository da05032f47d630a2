import { labels } from '@unikorn/core/resource';
import { matching, remaining, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { digestOf, sameDigest } from '../digest.ts';
import { ServiceAccount, tokenDigestLabel } from '../kinds/index.ts';
import { limits, waits } from '../limits.ts';
import type { TokenVerifier } from './verifier.ts';

/** Distinguishes these tokens from those of users, and lets secret scanners find a leaked one. */
const prefix = 'uksa_';
const labelDigits = 62;

/** A new token, and the part of it that is stored. */
export interface IssuedToken {
  readonly token: string;
  readonly tokenDigest: string;
  readonly expiry: string;
}

export function issueToken(world: World, lifetime_ms = waits.serviceAccountToken_ms): IssuedToken {
  const token = `${prefix}${Buffer.from(world.randomBytes(32)).toString('base64url')}`;
  return { token, tokenDigest: digestOf(token), expiry: timestamp(world.now() + lifetime_ms) };
}

/** The label by which a service account is found when its token is used. */
export function digestLabels(tokenDigest: string): Readonly<Record<string, string>> {
  return { [tokenDigestLabel]: tokenDigest.slice(0, labelDigits) };
}

/**
 * Reads the store. A rotated or deleted token is refused immediately in the process that changed it, and within half a
 * second in others.
 */
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
 * Caches the account of a digest, because reading an account by name costs a fifth of a search. A digest that no longer
 * belongs to its account is searched again.
 */
const recently = { maxAge_ms: waits.verifiedToken_ms };

function accountFinder(store: Store): (tokenDigest: string) => Promise<ServiceAccount | undefined> {
  const names = new Map<string, string>();
  return async (tokenDigest) => {
    const name = names.get(tokenDigest);
    const known = name === undefined ? undefined : await store.get(ServiceAccount, name, recently);
    if (known?.spec.tokenDigest === tokenDigest) return known;
    const selector = matching(digestLabels(tokenDigest));
    // A token can be used in one process right after it was issued by another one.
    const [found] = await remaining(
      store,
      async (options) => (await store.list(ServiceAccount, { selector, limit: 1, ...options })).items,
    );
    if (names.size >= limits.rememberedTokens) names.clear();
    if (found) names.set(tokenDigest, found.metadata.name);
    else names.delete(tokenDigest);
    return found;
  };
}

/** Tokens of service accounts have a prefix. All other tokens are from the token endpoint. */
export function eitherVerifier(accounts: TokenVerifier, issued: TokenVerifier): TokenVerifier {
  return {
    verify: (token, certificateThumbprint) =>
      (token.startsWith(prefix) ? accounts : issued).verify(token, certificateThumbprint),
  };
}
