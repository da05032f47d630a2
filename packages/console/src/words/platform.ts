/** Texts of this noun. */
export const platformWords = {} as const;
