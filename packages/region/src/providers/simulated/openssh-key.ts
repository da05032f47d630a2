import { createPrivateKey, createPublicKey } from 'node:crypto';

/** The PKCS #8 header before the 32 bytes of an Ed25519 key. */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The length of the SPKI header before the bytes of its public key. */
const spkiHeaderLength = 12;
/** Without a cipher, the private part is padded to blocks of this size. */
const blockSize = 8;

/** An Ed25519 key in OpenSSH's own format: every version of it reads that, and few read PKCS #8. */
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
