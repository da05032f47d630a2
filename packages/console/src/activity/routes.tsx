/** The pages of this noun. */
export const activityRoutes = [] as const;
