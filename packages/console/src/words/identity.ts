/** Texts of this noun. */
export const identityWords = {} as const;
