import type { Static } from 'typebox';

import { Problem } from '@unikorn/core/errors';
import type { DeepReadonly } from '@unikorn/core/kinds';

import { localSubjects } from '../../access/index.ts';
import type { GroupWrite } from '../../api/index.ts';
import {
  localIssuer,
  normaliseSubject,
  type Group,
  type OrganizationUser,
  type ServiceAccount,
} from '../../kinds/index.ts';
import { distinct } from '../within.ts';

type WrittenSpec = DeepReadonly<Static<typeof GroupWrite>>['spec'];
type Subject = Group['spec']['subjects'][number];
type Members = Pick<Group['spec'], 'subjects' | 'serviceAccountIDs'>;

/** The possible members of a group of the organization. */
export interface Candidates {
  /** The public URL of this service, which is the issuer of its own users. */
  readonly issuer: string;
  readonly memberships: readonly OrganizationUser[];
  readonly accounts: readonly ServiceAccount[];
}

/** The members in a request. Members that the group already has are not checked again. */
export function resolveMembers(written: WrittenSpec, candidates: Candidates, current?: Group): Members {
  const { subjects = [], userIDs = [] } = written;
  if (subjects.length > 0 && userIDs.length > 0)
    throw new Problem('invalid_request', 'cannot provide both subjects and userIDs');
  const resolved = userIDs.length > 0 ? fromUserIDs(userIDs, candidates) : canonical(subjects, candidates.issuer);
  demandMembers(resolved, candidates, current ? localSubjects(current) : []);
  return {
    subjects: resolved,
    serviceAccountIDs: resolveAccounts(written.serviceAccountIDs, candidates, current?.spec.serviceAccountIDs ?? []),
  };
}

function fromUserIDs(userIDs: readonly string[], { memberships }: Candidates): readonly Subject[] {
  const known = new Map(memberships.map(({ metadata, spec }) => [metadata.name, spec.subject]));
  return distinct(userIDs).map((id) => {
    const subject = known.get(id);
    if (subject === undefined)
      throw new Problem('invalid_request', 'spec.userIDs: names a user that the organization does not have');
    return { id: subject, issuer: localIssuer, email: subject };
  });
}

/**
 * The public URL may change, so the store contains a fixed word for the platform's own users. On the wire, their issuer
 * is the URL in their tokens.
 */
export function presentSubjects(subjects: readonly Subject[], ourIssuer: string): readonly Subject[] {
  return subjects.map((subject) => (subject.issuer === localIssuer ? { ...subject, issuer: ourIssuer } : subject));
}

function canonical(subjects: readonly Subject[], ourIssuer: string): readonly Subject[] {
  const spelled = subjects.map((subject) =>
    subject.issuer === localIssuer || subject.issuer === ourIssuer
      ? { ...subject, id: normaliseSubject(subject.id), issuer: localIssuer }
      : subject,
  );
  return [...new Map(spelled.map((subject) => [`${subject.issuer} ${subject.id}`, subject])).values()];
}

function demandMembers(subjects: readonly Subject[], { memberships }: Candidates, listed: readonly string[]): void {
  const known = new Set([...listed, ...memberships.map(({ spec }) => spec.subject)]);
  const stranger = subjects.some(({ id, issuer }) => issuer === localIssuer && !known.has(id));
  if (stranger) throw new Problem('invalid_request', 'spec.subjects: names a user that the organization does not have');
}

function resolveAccounts(
  written: readonly string[],
  { accounts }: Candidates,
  listed: readonly string[],
): readonly string[] {
  const known = new Set([...listed, ...accounts.map(({ metadata }) => metadata.name)]);
  const ids = distinct(written);
  if (ids.some((id) => !known.has(id)))
    throw new Problem(
      'invalid_request',
      'spec.serviceAccountIDs: names a service account that the organization does not have',
    );
  return ids;
}
