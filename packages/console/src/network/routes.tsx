/** The pages of this noun. */
export const networkRoutes = [] as const;
