/** The pages of this noun. */
export const platformRoutes = [] as const;
