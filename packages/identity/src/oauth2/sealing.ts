import { compactDecrypt, CompactEncrypt } from 'jose';

import { derivedKey } from '@unikorn/core/sealing';

/** Data that is encrypted for one purpose cannot be decrypted for another. */
export type Purpose =
  | 'artifacts'
  | 'signing-keys'
  | 'provider-secrets'
  | 'cookies'
  | 'login-continuations'
  | 'browser-state'
  | 'user-codes';

/**
 * Encrypts data that must be stored and read again. The keys are derived from one key that is kept outside the store,
 * so a copy of the store alone cannot be decrypted.
 */
export class Sealer {
  readonly #encryptionKey: Uint8Array;
  readonly #keys = new Map<Purpose, Uint8Array>();

  constructor(encryptionKey: Uint8Array) {
    this.#encryptionKey = encryptionKey;
    // An invalid key is refused when the service starts, not at the first login.
    this.keyFor('signing-keys');
  }

  /** The key of one purpose, for callers that need a key and not an encrypted text. */
  keyFor(purpose: Purpose): Uint8Array {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const derived = derivedKey(this.#encryptionKey, `identity ${purpose}`);
    this.#keys.set(purpose, derived);
    return derived;
  }

  seal(purpose: Purpose, text: string): Promise<string> {
    return new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.keyFor(purpose));
  }

  /** Undefined if it was encrypted with another key or for another purpose, or was changed. */
  async open(purpose: Purpose, sealed: string): Promise<string | undefined> {
    try {
      const { plaintext } = await compactDecrypt(sealed, this.keyFor(purpose), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return Buffer.from(plaintext).toString();
    } catch {
      return undefined;
    }
  }
}
