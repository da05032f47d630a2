/** Texts of this noun. */
export const loadBalancerWords = {} as const;
