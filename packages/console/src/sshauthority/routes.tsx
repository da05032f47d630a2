/** The pages of this noun. */
export const sshAuthorityRoutes = [] as const;
