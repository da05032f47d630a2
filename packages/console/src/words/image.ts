/** Texts of this noun. */
export const imageWords = {} as const;
