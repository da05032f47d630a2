/** How far an instance can be followed. */
export const milestones = ['provisioned', 'gone'] as const;
export type Milestone = (typeof milestones)[number];
