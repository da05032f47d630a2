import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';

import { Problem } from '../errors/index.ts';
import { derivedKey } from './derived-key.ts';

const ivBytes = 12;
const tagBytes = 16;

/** No text begins like this before it is sealed: user data is base64, and everything else is JSON. */
const prefix = 'sealed:v1:';

interface Key {
  /** Identifies the key of a sealed text, and reveals nothing about the key. */
  readonly id: string;
  readonly encryption: Uint8Array;
  readonly variation: Uint8Array;
}

/**
 * Encrypts texts, for the store or for a client that keeps them. The same text in the same place gives the same sealed
 * text, so that writing it again changes nothing. In another place it gives a different one, so that a reader cannot
 * see that two texts are equal.
 *
 * @example new TextSealer(derivedKey(encryptionKey, 'identity artifacts')).seal(text, id)
 */
export class TextSealer {
  readonly #keys: readonly [Key, ...Key[]];

  /** New texts are sealed with the current key. Texts that were sealed with an earlier key can still be opened. */
  constructor(current: Uint8Array, ...earlier: readonly Uint8Array[]) {
    this.#keys = [keyOf(current), ...earlier.map(keyOf)];
  }

  /** `place` is where it is stored, such as the name of the object and the path of the field. */
  seal(text: string, place: string): string {
    const [{ id, encryption, variation }] = this.#keys;
    const iv = createHmac('sha256', variation).update(place).update('\0').update(text).digest().subarray(0, ivBytes);
    const cipher = createCipheriv('aes-256-gcm', encryption, iv);
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${prefix}${id}:${sealed.toString('base64url')}`;
  }

  /** A text that is not sealed is returned unchanged. */
  open(text: string): string {
    if (!this.isSealed(text)) return text;
    const [id = '', body = ''] = text.slice(prefix.length).split(':', 2);
    const key = this.#keys.find((one) => one.id === id);
    if (!key)
      throw new Problem(
        'storage_unusable',
        `the state was encrypted with the key ${id}, which is missing: restore the encryption key that belongs to this state`,
      );
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.encryption, bytes.subarray(0, ivBytes)).setAuthTag(
        bytes.subarray(-tagBytes),
      );
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Problem('storage_unusable', 'encrypted data in the state is damaged: restore a backup', {
        cause,
      });
    }
  }

  isSealed(text: string): boolean {
    return text.startsWith(prefix);
  }

  /** Whether the current key has sealed it. */
  isCurrent(text: string): boolean {
    const [{ id }] = this.#keys;
    return text.startsWith(`${prefix}${id}:`);
  }
}

function keyOf(bytes: Uint8Array): Key {
  const derived = (purpose: string) => derivedKey(bytes, `store ${purpose}`);
  return {
    id: createHash('sha256').update(derived('key id')).digest('hex').slice(0, 8),
    encryption: derived('encryption'),
    variation: derived('variation'),
  };
}
