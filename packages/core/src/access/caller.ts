import { defined } from '../defined.ts';
import type { Author, Scope } from '../resource/index.ts';
import type { Acl } from './acl.ts';
import type { Credentials } from './credentials.ts';
import type { Principal } from './principal.ts';

/** Who sent a request, and for whom. */
export interface Caller {
  /** The token's subject; for a service the common name of its certificate. */
  readonly subject: string;
  /** `user` is a person, `service` a service account of an organization, `system` one of our own services. */
  readonly accountType: 'user' | 'service' | 'system' | 'anonymous';
  readonly principal: Principal;
  /** A service that acts with the rights of its principal's actor, cut down to its own. */
  readonly impersonating: boolean;
  /** When the credentials end, in milliseconds since the epoch; long-lived answers end with them. */
  readonly expiresAt?: number;
}

/** Nobody: the caller of operations that need no token. */
export const anonymous: Caller = { subject: '', accountType: 'anonymous', principal: {}, impersonating: false };

/**
 * How a service learns who calls and what they may do; identity implements it. Both fail with `access_denied` when the
 * credentials are not (or no longer) good, and with `forbidden` when they do not reach into the scope.
 */
export interface Authenticator {
  /** The scope is what the path names; the principal of a user is made from it. */
  authenticate(credentials: Credentials, scope: Scope): Promise<Caller>;
  access(caller: Caller, scope: Scope): Promise<Acl>;
}

/** The claims of a verified token about its holder. */
export interface TokenHolder {
  readonly subject: string;
  readonly accountType: 'user' | 'service' | 'system';
  readonly organizationIds: readonly string[];
  readonly expiresAt?: number;
}

/** Whoever holds a token, acting for themselves where the path says. */
export function tokenCaller(holder: TokenHolder, scope: Scope): Caller {
  const { subject, accountType, organizationIds, expiresAt } = holder;
  return {
    subject,
    accountType,
    principal: { actor: subject, type: accountType, organizationIds, ...scope },
    impersonating: false,
    ...defined({ expiresAt }),
  };
}

/** One of our own services, acting for the principal it names. */
export function serviceCaller(credentials: Extract<Credentials, { type: 'certificate' }>): Caller {
  return {
    subject: credentials.commonName,
    accountType: 'system',
    principal: credentials.principal,
    impersonating: credentials.impersonate,
  };
}

/** The principal with the scope a handler has found out, unless the call already names an organization to charge. */
export function enrichPrincipal(principal: Principal, scope: Scope): Principal {
  return principal.organizationId ? principal : { ...principal, ...scope };
}

/**
 * Whom people hold responsible for what the caller does: the person or account behind it, where a service asks for
 * somebody.
 */
export function personOf({ principal, subject }: Caller): string {
  return principal.actor ?? subject;
}

/** Who is written down as the author of what the caller does. */
export function authorOf(caller: Caller, scope: Scope = {}): Author {
  const { actor, organizationId, projectId } = enrichPrincipal(caller.principal, scope);
  return {
    subject: caller.subject,
    principal: {
      ...defined({ actor, organizationId, projectId }),
    },
  };
}
