/** The pages of this noun. */
export const identityRoutes = [] as const;
