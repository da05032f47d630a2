import { describe, expect, it } from 'vitest';

import { kindWords } from './index.ts';

describe('a kind in words', () => {
  it.each([
    ['Project', 'project'],
    ['OrganizationUser', 'organization user'],
    ['OAuth2Provider', 'oauth2 provider'],
    ['ServiceAccount', 'service account'],
    ['SSHCertificateAuthority', 'ssh certificate authority'],
  ])('%s is "%s"', (kind, words) => {
    expect(kindWords({ kind })).toBe(words);
  });
});
