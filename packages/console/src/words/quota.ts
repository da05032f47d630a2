/** Texts of this noun. */
export const quotaWords = {} as const;
