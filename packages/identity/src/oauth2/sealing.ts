import { hkdfSync } from 'node:crypto';

import { compactDecrypt, CompactEncrypt } from 'jose';

import { Problem } from '@unikorn/core/errors';

/** What is sealed for one purpose cannot be opened for another. */
export type Purpose =
  | 'artifacts'
  | 'signing-keys'
  | 'provider-secrets'
  | 'cookies'
  | 'login-continuations'
  | 'browser-state'
  | 'user-codes';

const keyBytes = 32;

/**
 * Encrypts what must be stored and read again, with keys derived from one that is kept outside the store: a copy of the
 * store alone opens nothing.
 */
export class Sealer {
  readonly #encryptionKey: Uint8Array;
  readonly #keys = new Map<Purpose, Uint8Array>();

  constructor(encryptionKey: Uint8Array) {
    if (encryptionKey.length !== keyBytes)
      throw new Problem('storage_unusable', `the encryption key must have ${keyBytes} bytes`);
    this.#encryptionKey = encryptionKey;
  }

  /** The key of one purpose, for those who need one rather than a sealed text. */
  keyFor(purpose: Purpose): Uint8Array {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const derived = new Uint8Array(
      hkdfSync('sha256', this.#encryptionKey, '', `unikorn identity ${purpose}`, keyBytes),
    );
    this.#keys.set(purpose, derived);
    return derived;
  }

  seal(purpose: Purpose, text: string): Promise<string> {
    return new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.keyFor(purpose));
  }

  /** Undefined when it was sealed with another key or for another purpose, or was tampered with. */
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
