/**
 * The kinds of nodes in the explanation of a project. A holder is a resource in the project that prevents its removal.
 */
export const projectNodeKinds = ['organization', 'project', 'holder'] as const;
export type ProjectNodeKind = (typeof projectNodeKinds)[number];
