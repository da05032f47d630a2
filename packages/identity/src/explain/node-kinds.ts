/**
 * The kinds of nodes in the explanation of a project. A holder is something in the project that keeps it from being
 * removed.
 */
export const projectNodeKinds = ['organization', 'project', 'holder'] as const;
export type ProjectNodeKind = (typeof projectNodeKinds)[number];
