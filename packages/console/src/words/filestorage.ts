/** Texts of this noun. */
export const fileStorageWords = {} as const;
