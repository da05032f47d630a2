import type { Group, GroupWrite, User } from '@unikorn/sdk';

type Subject = NonNullable<Group['spec']['subjects']>[number];
type Members = Pick<GroupWrite['spec'], 'subjects' | 'userIDs'>;

/** The subjects of a group that are not people of the organization, such as those of another login provider. */
export function foreignSubjects({ spec }: Group, users: readonly User[]): readonly Subject[] {
  const own = new Set(users.map((user) => `${user.status.issuer ?? ''} ${user.spec.subject}`));
  return (spec.subjects ?? []).filter(({ id, issuer }) => !own.has(`${issuer} ${id}`));
}

/**
 * The members of a group as the API takes them. It takes user ids or subjects, not both, so foreign subjects need the
 * form of subjects for all.
 */
export function membersOf(users: readonly User[], userIDs: readonly string[], foreign: readonly Subject[]): Members {
  if (foreign.length === 0) return { userIDs: [...userIDs] };
  const chosen = users.filter(({ metadata }) => userIDs.includes(metadata.id));
  return {
    subjects: [...foreign, ...chosen.map(({ spec, status }) => ({ id: spec.subject, issuer: status.issuer ?? '' }))],
  };
}

/** People, foreign subjects and service accounts. */
export function memberCount({ spec }: Group): number {
  return Math.max(spec.subjects?.length ?? 0, spec.userIDs?.length ?? 0) + spec.serviceAccountIDs.length;
}
