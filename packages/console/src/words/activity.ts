/** Texts of this noun. */
export const activityWords = {} as const;
