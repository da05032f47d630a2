import { defined } from '../defined.ts';
import type { Author, Scope } from '../resource/index.ts';
import type { Acl } from './acl.ts';
import type { Credentials } from './credentials.ts';
import type { Principal } from './principal.ts';

/** The sender of a request, and the principal that it acts for. */
export interface Caller {
  /** The token's subject; for a service the common name of its certificate. */
  readonly subject: string;
  /** `user` is a person, `service` a service account of an organization, `system` one of our own services. */
  readonly accountType: 'user' | 'service' | 'system' | 'anonymous';
  readonly principal: Principal;
  /** Whether a service acts with the rights of its principal's actor, limited to its own rights. */
  readonly impersonating: boolean;
  /** When the credentials expire, in milliseconds since the epoch. Streamed responses end at that time. */
  readonly expiresAt?: number;
}

/** The caller of operations that need no token. */
export const anonymous: Caller = { subject: '', accountType: 'anonymous', principal: {}, impersonating: false };

/**
 * Finds out who calls a service and what they may do. Identity implements it. Both methods fail with `access_denied`
 * when the credentials are invalid or expired, and with `forbidden` when they do not cover the scope.
 */
export interface Authenticator {
  /** The scope comes from the path. The principal of a user is made from it. */
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

/**
 * The caller of a request with a token: its holder acts for itself, in the scope of the path.
 *
 * @example const caller = tokenCaller(await verify(token), { organizationId, projectId });
 */
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

/** One of our own services, which acts for the principal that it names. */
export function serviceCaller(credentials: Extract<Credentials, { type: 'certificate' }>): Caller {
  return {
    subject: credentials.commonName,
    accountType: 'system',
    principal: credentials.principal,
    impersonating: credentials.impersonate,
  };
}

/**
 * Adds the scope that a handler found to the principal, unless the call already names an organization to charge.
 *
 * @example const principal = enrichPrincipal(caller.principal, { organizationId, projectId });
 */
export function enrichPrincipal(principal: Principal, scope: Scope): Principal {
  return principal.organizationId ? principal : { ...principal, ...scope };
}

/**
 * The responsible person or account: when a service calls for a user, this is the user.
 *
 * @example await requestDeletion(runtime, Project, project, { by: personOf(caller), check });
 */
export function personOf({ principal, subject }: Caller): string {
  return principal.actor ?? subject;
}

/**
 * The author that is stored with the changes of the caller.
 *
 * @example newMetadata(id, naming, scope, authorOf(request.caller, scope));
 */
export function authorOf(caller: Caller, scope: Scope = {}): Author {
  const { actor, organizationId, projectId } = enrichPrincipal(caller.principal, scope);
  return {
    subject: caller.subject,
    principal: {
      ...defined({ actor, organizationId, projectId }),
    },
  };
}
