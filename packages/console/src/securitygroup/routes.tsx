/** The pages of this noun. */
export const securityGroupRoutes = [] as const;
