/** Texts of this noun. */
export const securityGroupWords = {} as const;
