/** The pages of this noun. */
export const imageRoutes = [] as const;
