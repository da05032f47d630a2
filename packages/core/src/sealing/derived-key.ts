import { hkdfSync } from 'node:crypto';

import { Problem } from '../errors/index.ts';

const keyBytes = 32;

/**
 * A key for one purpose, derived from the encryption key that is kept outside the store. Data that is sealed for one
 * purpose cannot be opened with the key of another. A purpose begins with its owner, such as `identity cookies`.
 *
 * @example const key = derivedKey(encryptionKey, 'identity cookies');
 */
export function derivedKey(encryptionKey: Uint8Array, purpose: string): Uint8Array {
  if (encryptionKey.length !== keyBytes)
    throw new Problem('storage_unusable', `the encryption key must have ${keyBytes} bytes`);
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', `unikorn ${purpose}`, keyBytes));
}
