/** Texts of this noun. */
export const sshAuthorityWords = {} as const;
