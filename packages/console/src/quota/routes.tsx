/** The pages of this noun. */
export const quotaRoutes = [] as const;
