import type { User } from '../../kinds/index.ts';

/** Where a person belongs. */
export interface Standing {
  /** The organizations in which the person is an active member, accepted by them or not. */
  readonly activeIn: readonly string[];
  /** Those whose membership the person has accepted, in whatever state they are there. */
  readonly acceptedIn: readonly string[];
  /** Whether the person has rights over every organization. */
  readonly isPlatformSubject: boolean;
}

/** An organization, the mail domain that it claims, and the one that it has proved to own. */
export interface Claimant {
  readonly id: string;
  readonly domain: string | undefined;
  readonly verifiedDomain: string | undefined;
}

/** The claims of another provider about a user, and our own records of the user. */
export interface Testimony extends Standing {
  readonly email: string;
  readonly emailVerified: boolean;
  /** The person of that address here, if there is one. */
  readonly user: User | undefined;
  /** Absent when the deployment itself trusts the provider; else the organization that does, and its domain. */
  readonly organization?: Claimant;
}

export type Verdict =
  { readonly type: 'accepted'; readonly user: User } | { readonly type: 'refused'; readonly reason: string };

const unknown = 'this account is unknown, or is not allowed to log in: ask an administrator of your organization';

/** Whether the testimony is enough to log a person in. */
export function judge({ email, emailVerified, user, organization, ...standing }: Testimony): Verdict {
  if (!emailVerified) return { type: 'refused', reason: 'your login provider has not verified your email address' };
  if (user?.spec.state !== 'active') return { type: 'refused', reason: unknown };
  if (organization === undefined) return { type: 'accepted', user };
  const ownDomain = domainOf(email) === organization.domain?.toLowerCase();
  return ownDomain && mayVouch(organization, email, standing)
    ? { type: 'accepted', user }
    : { type: 'refused', reason: unknown };
}

/**
 * Whether an organization may speak for a person. It adds members and claims a domain as it likes, so its word counts
 * only for people who have not accepted a membership elsewhere: otherwise one tenant could log in as the people of
 * another. What others claim without the person, such as adding them, does not count, or they could lock out the people
 * of this one. An organization that owns the domain of the address speaks for all of its members there. Nobody speaks
 * for the platform's people.
 */
export function mayVouch(
  { id, verifiedDomain }: Claimant,
  email: string,
  { activeIn, acceptedIn, isPlatformSubject }: Standing,
): boolean {
  const isOwner = verifiedDomain !== undefined && domainOf(email) === verifiedDomain.toLowerCase();
  return activeIn.includes(id) && (isOwner || acceptedIn.every((other) => other === id)) && !isPlatformSubject;
}

/** The part of an address behind the last `@`; empty when it has none. */
export function domainOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 0 ? '' : email.slice(at + 1).toLowerCase();
}
