import type { User } from '../../kinds/index.ts';

/** Where a person belongs. */
export interface Standing {
  /** The organizations in which the person is an active member. */
  readonly activeIn: readonly string[];
  /** Those in which they are a member in whatever state. */
  readonly memberOf: readonly string[];
  /** Whether the person has rights over every organization. */
  readonly isPlatformSubject: boolean;
}

/** What another provider says about somebody, and what we know of them. */
export interface Testimony extends Standing {
  readonly email: string;
  readonly emailVerified: boolean;
  /** The person of that address here, if there is one. */
  readonly user: User | undefined;
  /** Absent when the deployment itself trusts the provider; else the organization that does, and its domain. */
  readonly organization?: { readonly id: string; readonly domain: string | undefined };
}

export type Verdict = { readonly type: 'accepted'; readonly user: User } | { readonly type: 'refused'; readonly reason: string };

const unknown = 'the account that you logged in with is not known here, or may not log in: ask an administrator of your organization';

/** Whether the testimony is enough to log a person in. */
export function judge({ email, emailVerified, user, organization, ...standing }: Testimony): Verdict {
  if (!emailVerified) return { type: 'refused', reason: 'your login provider has not verified your email address' };
  if (user?.spec.state !== 'active') return { type: 'refused', reason: unknown };
  if (organization === undefined) return { type: 'accepted', user };
  const ownDomain = organization.domain !== undefined && domainOf(email) === organization.domain.toLowerCase();
  return ownDomain && mayVouch(organization.id, standing) ? { type: 'accepted', user } : { type: 'refused', reason: unknown };
}

/**
 * Whether an organization's own provider may speak for a person. The organization chooses provider and domain itself, so
 * its word counts only for people who belong to it and to nobody else: otherwise one tenant could log in as the people of
 * another, or of the platform. Somebody whom another has suspended or only invited is its person all the same.
 */
export function mayVouch(organizationId: string, { activeIn, memberOf, isPlatformSubject }: Standing): boolean {
  return activeIn.includes(organizationId) && memberOf.every((id) => id === organizationId) && !isPlatformSubject;
}

/** The part of an address behind the last `@`; empty when it has none. */
export function domainOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 0 ? '' : email.slice(at + 1).toLowerCase();
}
