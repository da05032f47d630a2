/** Texts about SSH authorities. */
export const sshAuthorityWords = {
  title: 'SSH authorities',
  one: 'SSH authority',
  create: 'Add SSH authority',
  filter: 'Filter SSH authorities',
  empty: 'No SSH authorities yet',
  emptyText: 'Instances that trust an SSH authority accept every key that it signed.',
  command: 'npx unikorn sshca create NAME --public-key ca.pub',
  publicKey: 'Public key',
  publicKeyHint: 'The public key of the authority in one line, such as ssh-ed25519 AAAA… Never paste a private key.',
  privateKey: 'This is a private key. Paste the public one, which ends with .pub.',
  fingerprint: 'Fingerprint',
  type: 'Type',
  users: 'Instances that trust it',
  noUsers: 'No instance of this project trusts it.',
  deletes: 'New instances can no longer trust it. This is refused while an instance uses it.',
} as const;
