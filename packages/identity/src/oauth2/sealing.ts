import { compactDecrypt, CompactEncrypt } from 'jose';

import { derivedKey } from '@unikorn/core/sealing';

/** What is sealed for one purpose cannot be opened for another. */
export type Purpose =
  | 'artifacts'
  | 'signing-keys'
  | 'provider-secrets'
  | 'cookies'
  | 'login-continuations'
  | 'browser-state'
  | 'user-codes';

/**
 * Encrypts what must be stored and read again, with keys derived from one that is kept outside the store: a copy of the
 * store alone opens nothing.
 */
export class Sealer {
  readonly #encryptionKey: Uint8Array;
  readonly #keys = new Map<Purpose, Uint8Array>();

  constructor(encryptionKey: Uint8Array) {
    this.#encryptionKey = encryptionKey;
    // A key that cannot be used is refused when the service starts, not at the first login.
    this.keyFor('signing-keys');
  }

  /** The key of one purpose, for those who need one rather than a sealed text. */
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
