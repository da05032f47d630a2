import { compactDecrypt } from 'jose';

import { isProblem } from '@unikorn/core/errors';
import { derivedKey, TextSealer } from '@unikorn/core/sealing';

/** Data that is encrypted for one purpose cannot be decrypted for another. */
export type Purpose =
  | 'artifacts'
  | 'signing-keys'
  | 'provider-secrets'
  | 'cookies'
  | 'login-continuations'
  | 'browser-state'
  | 'user-codes'
  | 'attempts';

/**
 * Encrypts data that must be stored and read again, with a key for each purpose. The keys are derived from one key that
 * is kept outside the store, so a copy of the store alone cannot be decrypted. Clients get some of these texts in
 * cookies and forms, but they only return them: the format is not part of the wire contract.
 */
export class Sealer {
  readonly #encryptionKey: Uint8Array;
  readonly #earlier: readonly Sealer[];
  readonly #keys = new Map<Purpose, { readonly key: Uint8Array; readonly sealer: TextSealer }>();

  /** New data is encrypted with the current key. Data that was encrypted with an earlier key can still be decrypted. */
  constructor(encryptionKey: Uint8Array, ...earlier: readonly Uint8Array[]) {
    this.#encryptionKey = encryptionKey;
    this.#earlier = earlier.map((key) => new Sealer(key));
    // An invalid key is refused when the service starts, not at the first login.
    this.keyFor('signing-keys');
  }

  /** The key of one purpose, for callers that need a key and not an encrypted text. */
  keyFor(purpose: Purpose): Uint8Array {
    return this.#for(purpose).key;
  }

  /** `place` is where it is stored, such as the id of the object. The same text in the same place stays the same. */
  seal(purpose: Purpose, text: string, place: string): string {
    return this.#for(purpose).sealer.seal(text, place);
  }

  /** Undefined if it was encrypted with an unknown key or for another purpose, or was changed. */
  async open(purpose: Purpose, sealed: string): Promise<string | undefined> {
    for (const { key, sealer } of [this, ...this.#earlier].map((each) => each.#for(purpose))) {
      const opened = sealer.isSealed(sealed) ? openWith(sealer, sealed) : await openFormer(key, sealed);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  /** The text under the current key; undefined if it has that key already, or cannot be decrypted. */
  async reseal(purpose: Purpose, sealed: string, place: string): Promise<string | undefined> {
    if (this.#for(purpose).sealer.isCurrent(sealed)) return undefined;
    const text = await this.open(purpose, sealed);
    return text === undefined ? undefined : this.seal(purpose, text, place);
  }

  #for(purpose: Purpose) {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const key = derivedKey(this.#encryptionKey, `identity ${purpose}`);
    const made = { key, sealer: new TextSealer(key) };
    this.#keys.set(purpose, made);
    return made;
  }
}

function openWith(sealer: TextSealer, sealed: string): string | undefined {
  try {
    return sealer.open(sealed);
  } catch (error) {
    if (isProblem(error, 'storage_unusable')) return undefined;
    throw error;
  }
}

/** Earlier versions stored compact JWE. */
async function openFormer(key: Uint8Array, sealed: string): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return Buffer.from(plaintext).toString();
  } catch {
    return undefined;
  }
}
