import type { Kind } from '@unikorn/core/kinds';
import type { Resealing } from '@unikorn/core/sealing';

import { OAuth2Artifact, OAuth2Provider, SigningKey } from '../kinds/index.ts';
import { Sealer, type Purpose } from './sealing.ts';

/** Where identity stores secrets, and for which purpose they are encrypted. */
const secrets: readonly { readonly kind: Kind; readonly property: string; readonly purpose: Purpose }[] = [
  { kind: SigningKey, property: 'sealedPrivateKey', purpose: 'signing-keys' },
  { kind: OAuth2Provider, property: 'sealedClientSecret', purpose: 'provider-secrets' },
  { kind: OAuth2Artifact, property: 'sealed', purpose: 'artifacts' },
];

/**
 * How the secrets of identity are encrypted again after the key was replaced.
 *
 * @example await rekey(store, identityResealing(key, ...earlierKeys));
 */
export function identityResealing(encryptionKey: Uint8Array, ...earlier: readonly Uint8Array[]): readonly Resealing[] {
  const sealer = new Sealer(encryptionKey, ...earlier);
  return secrets.map(({ kind, property, purpose }) => ({
    kind,
    reseal: (text, at, place) => (at === property ? sealer.reseal(purpose, text, place) : Promise.resolve(undefined)),
  }));
}
