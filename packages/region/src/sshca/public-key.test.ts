import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';

import { parseAuthorityKey } from './index.ts';
import { publicKeys } from './public-key.fixture.ts';

function refusalOf(text: string): string {
  try {
    return `accepted: ${parseAuthorityKey(text)}`;
  } catch (error) {
    if (isProblem(error, 'unprocessable_content')) return error.message;
    throw error;
  }
}

/** A key line: each field with its length before it. */
function line(algorithm: string, ...fields: readonly (string | Buffer)[]): string {
  const blob = [algorithm, ...fields].map((field) => {
    const bytes = Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return `${algorithm} ${Buffer.concat(blob).toString('base64')}`;
}

describe('a certificate authority', () => {
  it.each(Object.entries(publicKeys))('may be of type %s', (_, key) => {
    expect(parseAuthorityKey(key)).toBe(key);
  });

  it('is trimmed, keeps its comment, and is otherwise in canonical form', () => {
    const key = publicKeys.ed25519;
    expect(parseAuthorityKey(`\n ${key}\t\r\n`)).toBe(key);
    expect(parseAuthorityKey(key.replace(' ', ' \t '))).toBe(key);
    expect(parseAuthorityKey(` ${key} the CA, of Zoë \n`)).toBe(`${key} the CA, of Zoë`);
  });

  it('is the same when it is parsed again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(publicKeys)), fc.stringMatching(/^[ -~]*$/), (key, comment) => {
        const once = parseAuthorityKey(`${key} ${comment}`);
        expect(parseAuthorityKey(once)).toBe(once);
      }),
    );
  });
});

describe('a refused key', () => {
  const key = publicKeys.ed25519;
  const [algorithm, encoded = ''] = key.split(' ');

  it.each([
    ['nothing', ' \n', 'must not be empty'],
    ['two keys', `${key}\n${key}`, 'must be one key in one line'],
    ['a line before the key', `# our CA\n${key}`, 'must be one key in one line'],
    ['a control character', `${key} a\u0007b`, 'must not contain control characters'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n', 'is a private key'],
    ['options', `cert-authority,principals="a b" ${key}`, 'must not have options before the key'],
    [
      'a type that is no authority',
      'ssh-dss AAAAB3NzaC1kc3M=',
      'must be an OpenSSH public key of type ssh-ed25519, ssh-rsa',
    ],
    ['a hardware key', 'sk-ssh-ed25519@openssh.com AAAA', 'must be an OpenSSH public key of type'],
    ['a name of the prototype', 'constructor AAAA', 'must be an OpenSSH public key of type'],
    ['prose', 'my key', 'must be an OpenSSH public key of type'],
    ['no key', 'ssh-ed25519', 'has no key after the name'],
    ['broken base64', `${algorithm} ${encoded.slice(0, -1)}`, 'not complete base64'],
    ['a key cut short', `${algorithm} ${encoded.slice(0, -4)}`, 'incomplete'],
    [
      'a key with something after it',
      `${algorithm} ${Buffer.concat([Buffer.from(encoded, 'base64'), Buffer.from([1])]).toString('base64')}`,
      'extra data after it',
    ],
    ['another type than it claims', `ssh-rsa ${encoded}`, 'does not have the type ssh-rsa'],
    ['an ed25519 key of 31 bytes', line('ssh-ed25519', Buffer.alloc(31, 1)), 'not a valid ssh-ed25519 key'],
    ['a field too many', line('ssh-ed25519', Buffer.alloc(32, 1), 'more'), 'not a valid ssh-ed25519 key'],
    ['a negative modulus', line('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(256, 0xff)), 'not a valid ssh-rsa key'],
    [
      'a padded modulus',
      line('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([Buffer.alloc(2), Buffer.alloc(256, 0xff)])),
      'not a valid ssh-rsa key',
    ],
    [
      'a short rsa key',
      line('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([Buffer.alloc(1), Buffer.alloc(64, 0xff)])),
      'at least 1024 bits',
    ],
    [
      'a curve other than its type',
      line('ecdsa-sha2-nistp256', 'nistp384', Buffer.alloc(65, 4)),
      'not a valid ecdsa-sha2-nistp256 key',
    ],
    [
      'a point off the curve',
      line('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4)),
      'not a valid ecdsa-sha2-nistp256 key',
    ],
  ])('%s', (_, text, reason) => {
    expect(refusalOf(text)).toMatch(/^spec\.publicKey: /);
    expect(refusalOf(text)).toContain(reason);
  });

  it('any text is either stored as a valid line or refused as unprocessable', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `ssh-rsa ${text}`),
          fc.mixedCase(fc.constant(key)),
        ),
        (text) => {
          expect(refusalOf(text)).toMatch(/^(spec\.publicKey: |accepted: ssh-)/);
        },
      ),
    );
  });
});
