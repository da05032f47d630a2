import { expect, it } from 'vitest';

import { openSshPrivateKey, openSshPublicKey } from './openssh-key.ts';

// RFC 8032, 7.1, test 1.
const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const publicHalf = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

it('is what ssh-keygen writes for the same key', () => {
  // The public half of the seed stands in the file twice.
  const [first, ...lines] = openSshPrivateKey(seed).trimEnd().split('\n');
  expect([first, lines.pop()]).toEqual(['-----BEGIN OPENSSH PRIVATE KEY-----', '-----END OPENSSH PRIVATE KEY-----']);
  const file = Buffer.from(lines.join(''), 'base64').toString('hex');
  expect(file).toBe(
    [
      '6f70656e7373682d6b65792d763100',
      '000000046e6f6e65000000046e6f6e650000000000000001',
      `000000330000000b7373682d6564323535313900000020${publicHalf}`,
      `00000088${'9d61b19d'.repeat(2)}0000000b7373682d6564323535313900000020${publicHalf}00000040${seed.toString('hex')}${publicHalf}00000000`,
      '0102030405',
    ].join(''),
  );
});

it('has a public half, which is the same for both formats of the private one', () => {
  const expected = `ssh-ed25519 ${Buffer.from(`0000000b7373682d6564323535313900000020${publicHalf}`, 'hex').toString('base64')}`;
  expect(openSshPublicKey(openSshPrivateKey(seed))).toBe(expected);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]).toString('base64');
  expect(openSshPublicKey(`-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`)).toBe(expected);
});
