import { describe, expect, it } from 'vitest';

import { fingerprintOf, isPrivateKey, keyType } from './fingerprint.ts';

// Made with ssh-keygen, which also printed the fingerprint.
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPGucQ1EVSwciWRrynJwJVdFEGn+inrVPM8OPvvu1kIG test';

describe('a public key', () => {
  it('has a type and the fingerprint that ssh-keygen prints', async () => {
    expect(keyType(publicKey)).toBe('ssh-ed25519');
    expect(await fingerprintOf(publicKey)).toBe('SHA256:+EF8uCVf5Cshovq1HZibkCp09ib8GaUlZNamkNvlw38');
  });

  it.each(['', 'ssh-ed25519', 'ssh-ed25519 §'])('has no fingerprint if it is not one: %j', async (text) => {
    expect(await fingerprintOf(text)).toBe('');
  });

  it('is told from a private one', () => {
    expect(isPrivateKey('-----BEGIN OPENSSH PRIVATE KEY-----')).toBe(true);
    expect(isPrivateKey(publicKey)).toBe(false);
  });
});
