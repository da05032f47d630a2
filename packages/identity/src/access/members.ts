import { localIssuer, normaliseSubject, type Group } from '../kinds/index.ts';

/** A user or a service account in the member list of a group. */
export type Member =
  { readonly type: 'user'; readonly subject: string } | { readonly type: 'serviceAccount'; readonly id: string };

type Spec = Group['spec'];

/**
 * The users in a group that log in here. Subjects of other issuers are kept, but no token of this platform can contain
 * them.
 */
export function localSubjects({ spec }: Group): readonly string[] {
  return spec.subjects.filter(({ issuer }) => issuer === localIssuer).map(({ id }) => normaliseSubject(id));
}

export function holdsMember(group: Group, member: Member): boolean {
  return member.type === 'user'
    ? localSubjects(group).includes(member.subject)
    : group.spec.serviceAccountIDs.includes(member.id);
}

export function withMember(group: Group, member: Member): Spec {
  const { spec } = group;
  if (holdsMember(group, member)) return spec;
  if (member.type === 'serviceAccount') return { ...spec, serviceAccountIDs: [...spec.serviceAccountIDs, member.id] };
  return { ...spec, subjects: [...spec.subjects, { id: member.subject, issuer: localIssuer, email: member.subject }] };
}

export function withoutMember({ spec }: Group, member: Member): Spec {
  if (member.type === 'serviceAccount')
    return { ...spec, serviceAccountIDs: spec.serviceAccountIDs.filter((id) => id !== member.id) };
  return {
    ...spec,
    subjects: spec.subjects.filter(
      ({ id, issuer }) => issuer !== localIssuer || normaliseSubject(id) !== member.subject,
    ),
  };
}

/** The groups of each member, sorted by group. */
export function groupsByMember(groups: readonly Group[]): (member: Member) => readonly string[] {
  const users = new Map<string, string[]>();
  const accounts = new Map<string, string[]>();
  for (const group of groups) {
    for (const subject of localSubjects(group)) listed(users, subject).push(group.metadata.name);
    for (const id of group.spec.serviceAccountIDs) listed(accounts, id).push(group.metadata.name);
  }
  return (member) => (member.type === 'user' ? users.get(member.subject) : accounts.get(member.id)) ?? [];
}

function listed(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key) ?? [];
  map.set(key, known);
  return known;
}
