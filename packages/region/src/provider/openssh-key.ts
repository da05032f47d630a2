import { createPrivateKey, createPublicKey } from 'node:crypto';

/** The PKCS #8 header before the 32 bytes of an Ed25519 key. */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The length of the SPKI header before the bytes of its public key. */
const spkiHeaderLength = 12;
/** Without a cipher, the private part is padded to blocks of this size. */
const blockSize = 8;
/** In a file without a cipher: after the magic text, "none" twice, an empty text and the number of keys. */
const publicPartOffset = 15 + 8 + 8 + 4 + 4;

/** An Ed25519 key in the OpenSSH format: every version of OpenSSH reads it, and few read PKCS #8. */
export function openSshPrivateKey(seed: Uint8Array): string {
  const type = lengthPrefixed('ssh-ed25519');
  const publicHalf = publicHalfOf(seed);
  const check = seed.subarray(0, 4);
  const secret = Buffer.concat([
    check,
    check,
    type,
    lengthPrefixed(publicHalf),
    lengthPrefixed(Buffer.concat([seed, publicHalf])),
    lengthPrefixed(''),
  ]);
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    lengthPrefixed('none'),
    lengthPrefixed('none'),
    lengthPrefixed(''),
    uint32(1),
    lengthPrefixed(Buffer.concat([type, lengthPrefixed(publicHalf)])),
    lengthPrefixed(padded(secret)),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/**
 * The public half of a private key, as a line of `authorized_keys` without a comment. The key is in OpenSSH's own
 * format, as `openSshPrivateKey` makes it, or in PKCS #8.
 */
export function openSshPublicKey(privateKey: string): string {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(privateKey)?.[1];
  if (body !== undefined) {
    const file = Buffer.from(body, 'base64');
    return `ssh-ed25519 ${file
      .subarray(publicPartOffset + 4)
      .subarray(0, file.readUInt32BE(publicPartOffset))
      .toString('base64')}`;
  }
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(spkiHeaderLength);
  return `ssh-ed25519 ${Buffer.concat([lengthPrefixed('ssh-ed25519'), lengthPrefixed(spki)]).toString('base64')}`;
}

function publicHalfOf(seed: Uint8Array): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiHeaderLength);
}

function padded(secret: Buffer): Buffer {
  const missing = (blockSize - (secret.length % blockSize)) % blockSize;
  return Buffer.concat([secret, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function lengthPrefixed(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
