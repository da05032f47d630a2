import { hkdfSync } from 'node:crypto';

import { Problem } from '../errors/index.ts';

const keyBytes = 32;

/**
 * A key for one purpose, derived from the encryption key that is kept outside the store. What is sealed for one purpose
 * cannot be opened for another. A purpose names its owner first, such as `identity cookies`.
 */
export function derivedKey(encryptionKey: Uint8Array, purpose: string): Uint8Array {
  if (encryptionKey.length !== keyBytes)
    throw new Problem('storage_unusable', `the encryption key must have ${keyBytes} bytes`);
  return new Uint8Array(hkdfSync('sha256', encryptionKey, '', `unikorn ${purpose}`, keyBytes));
}
