import type { Tag } from '@unikorn/sdk';

/**
 * What of a new instance is not in the address: it may be secret, or too long. It is only in memory. What the user has
 * not written is undefined.
 */
export interface Draft {
  readonly userData: string | undefined;
  readonly description: string;
  readonly tags: readonly Tag[] | undefined;
}

const empty: Draft = { userData: undefined, description: '', tags: undefined };
const drafts = new Map<string, Draft>();

/** The draft of a project, for the way back to it. */
export function draftOf(project: string): Draft {
  return drafts.get(project) ?? empty;
}

export function keepDraft(project: string, changes: Partial<Draft>): void {
  drafts.set(project, { ...draftOf(project), ...changes });
}

/** Whether something would be lost if the page were loaded again. */
export function isWritten({ userData, description, tags }: Draft): boolean {
  return [userData, description, tags].some((each) => each !== undefined && each.length > 0);
}

/** After the instance was created. */
export function dropDraft(project: string): void {
  drafts.delete(project);
}
