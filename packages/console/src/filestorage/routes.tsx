/** The pages of this noun. */
export const fileStorageRoutes = [] as const;
