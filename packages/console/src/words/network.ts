/** Texts of this noun. */
export const networkWords = {} as const;
