import type { User } from '../../kinds/index.ts';

/** The memberships of a user. */
export interface Standing {
  /** The organizations in which the user is an active member, accepted or not. */
  readonly activeIn: readonly string[];
  /** The organizations whose membership the user has accepted, in any state. */
  readonly acceptedIn: readonly string[];
  /** Whether the user has platform-wide roles. */
  readonly isPlatformSubject: boolean;
}

/** An organization, the mail domain that it claims, and the one that it has verified. */
export interface Claimant {
  readonly id: string;
  readonly domain: string | undefined;
  readonly verifiedDomain: string | undefined;
}

/** The claims of an external provider about a user, and the platform's own data about the user. */
export interface Testimony extends Standing {
  readonly email: string;
  readonly emailVerified: boolean;
  /** The user with this mail address on this platform, if any. */
  readonly user: User | undefined;
  /** Absent for a provider of the platform; otherwise the organization of the provider, and its domain. */
  readonly organization?: Claimant;
}

export type Verdict =
  { readonly type: 'accepted'; readonly user: User } | { readonly type: 'refused'; readonly reason: string };

const unknown = 'this account is unknown, or is not allowed to log in: ask an administrator of your organization';

/** Whether the claims are enough to log the user in. */
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
 * Whether an organization may vouch for a user. An organization can add members and claim a domain without proof, so it
 * may vouch only for users who have not accepted a membership elsewhere. Otherwise one tenant could log in as the users
 * of another. Memberships that the user has not accepted do not count, because other tenants could use them to lock
 * users out. An organization that has verified the domain of the address may vouch for all its members with that
 * domain. No organization may vouch for users with platform-wide roles.
 */
export function mayVouch(
  { id, verifiedDomain }: Claimant,
  email: string,
  { activeIn, acceptedIn, isPlatformSubject }: Standing,
): boolean {
  const isOwner = verifiedDomain !== undefined && domainOf(email) === verifiedDomain.toLowerCase();
  return activeIn.includes(id) && (isOwner || acceptedIn.every((other) => other === id)) && !isPlatformSubject;
}

/** The part of an address after the last `@`; empty without one. */
export function domainOf(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 0 ? '' : email.slice(at + 1).toLowerCase();
}
