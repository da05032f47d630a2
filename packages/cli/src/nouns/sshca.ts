import type { SshCertificateAuthority } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const sshca: Noun<SshCertificateAuthority> = {
  name: 'sshca',
  plural: 'sshcas',
  aliases: ['sshcertificateauthority', 'sshcertificateauthorities'],
  description: 'an SSH certificate authority whose certificates can log in to instances',
  service: 'region',
  path: '/api/v2/sshcertificateauthorities',
  idParameter: 'sshCertificateAuthorityID',
  verbs: ['get', 'watch', 'explain', 'create', 'delete'],
  scope: ['organization', 'project'],
  history: true,
  columns: [{ header: 'PUBLIC-KEY', value: ({ spec }) => spec.publicKey, wide: true }],
  fields: [
    {
      flag: 'public-key',
      path: 'spec.publicKey',
      type: 'file',
      on: 'create',
      required: true,
      description: 'file with the public key of the authority',
    },
  ],
  examples: { create: 'create staff --public-key ca.pub' },
};
