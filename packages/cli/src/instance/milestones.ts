/** The states that `watch --until` accepts. */
export const milestones = ['provisioned', 'gone'] as const;
export type Milestone = (typeof milestones)[number];
