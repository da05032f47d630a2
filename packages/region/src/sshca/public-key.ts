import { Problem } from '@unikorn/core/errors';

import { algorithms, readKey } from './algorithms.ts';
import { readFields } from './wire.ts';

/** The default minimum of OpenSSH for RSA keys; a guest would silently ignore a shorter one. */
const leastRsaBits = 1024;

/**
 * The public key of a certificate authority as it is stored: trimmed, and validated so that a guest's SSH server
 * accepts it. Anything but one plain OpenSSH public key is refused.
 *
 * @example parseAuthorityKey(' ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA… ca@example.com\n')
 */
export function parseAuthorityKey(text: string): string {
  const trimmed = text.trim();
  refuseWhatIsNoLine(trimmed);
  const [algorithm = '', encoded, ...comment] = trimmed.split(/[ \t]+/);
  refuseAlgorithm(algorithm, trimmed);
  if (encoded === undefined) throw refusal('has no key after the name of the algorithm');
  checkKey(algorithm, encoded);
  return comment.length > 0 ? trimmed : `${algorithm} ${encoded}`;
}

function refusal(reason: string): Problem {
  return new Problem('unprocessable_content', `spec.publicKey: ${reason}`);
}

function refuseWhatIsNoLine(text: string): void {
  if (text === '') throw refusal('must not be empty');
  if (text.includes('PRIVATE KEY-----'))
    throw refusal('is a private key: send the public key, and replace this private key, because it is now disclosed');
  if (/[\r\n]/.test(text)) throw refusal('must be one key in one line');
  if (/[^\P{Cc}\t]/u.test(text)) throw refusal('must not contain control characters');
}

function refuseAlgorithm(algorithm: string, text: string): void {
  if (algorithms.includes(algorithm)) return;
  if (algorithms.some((known) => text.includes(`${known} AAAA`))) throw refusal('must not have options before the key');
  throw refusal(`must be an OpenSSH public key of type ${algorithms.join(', ')}`);
}

function checkKey(algorithm: string, encoded: string): void {
  const blob = Buffer.from(encoded, 'base64');
  if (blob.toString('base64') !== encoded) throw refusal('the key is not complete base64: copy the whole line');
  const [name, ...fields] = readFields(blob) ?? [];
  if (name === undefined) throw refusal('the key is incomplete or has extra data after it: copy the whole line');
  if (name.toString('latin1') !== algorithm)
    throw refusal(`the key does not have the type ${algorithm} that its text names`);
  const key = readKey(algorithm, fields);
  if (!key) throw refusal(`the key is not a valid ${algorithm} key`);
  const { modulusLength = leastRsaBits } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < leastRsaBits) throw refusal(`an RSA key must have at least ${leastRsaBits} bits`);
}
