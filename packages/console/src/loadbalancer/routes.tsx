/** The pages of this noun. */
export const loadBalancerRoutes = [] as const;
