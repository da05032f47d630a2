import {
  intersectAccess,
  noAccess,
  serviceCaller,
  tokenCaller,
  type Acl,
  type Authenticator,
  type Caller,
} from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';

import { normaliseSubject } from '../kinds/index.ts';
import type { AclSubject } from './acl.ts';
import type { Role } from './roles.ts';
import type { Tenancy } from './tenancy.ts';
import type { TokenVerifier } from './verifier.ts';

export interface AuthenticatorOptions {
  readonly tokens: TokenVerifier;
  /** The roles of the platform's services, by the common name of their certificates. */
  readonly services: ReadonlyMap<string, Role>;
  readonly tenancy: Tenancy;
}

/** Determines the caller and their permissions, directly from identity's data. */
export function identityAuthenticator({ tokens, services, tenancy }: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(credentials, scope) {
      if (credentials.type === 'certificate') {
        roleOf(services, credentials.commonName);
        return serviceCaller(credentials);
      }
      const holder = await tokens.verify(credentials.token, credentials.certificateThumbprint);
      if (!holder) throw new Problem('access_denied', 'the token is not valid or has expired');
      return tokenCaller(holder, scope);
    },
    async access(caller) {
      // The permissions of a service in its own name depend only on its role.
      if (caller.accountType !== 'system' || caller.impersonating) await tenancy.whenReady();
      return accessOf(caller, services, tenancy);
    },
  };
}

function roleOf(services: ReadonlyMap<string, Role>, commonName: string): Role {
  const role = services.get(commonName);
  if (!role) throw new Problem('access_denied', 'the client certificate does not belong to a service of this platform');
  return role;
}

function accessOf(caller: Caller, services: ReadonlyMap<string, Role>, tenancy: Tenancy): Acl {
  if (caller.accountType === 'anonymous') return noAccess;
  // Only in the organizations that the token is valid for. The user may have gained others since the token was issued.
  if (caller.accountType !== 'system')
    return tenancy.aclOf(subjectOf(caller.accountType, caller.subject), caller.principal.organizationIds ?? []);
  const { global } = roleOf(services, caller.subject).scopes;
  return caller.impersonating
    ? intersectAccess(tenancy.aclOf(impersonated(caller), caller.principal.organizationIds), global)
    : { global };
}

/** Services have no permissions that they could lend, so only users and service accounts can be impersonated. */
function impersonated({ principal: { type, actor } }: Caller): AclSubject {
  if (actor === undefined || (type !== 'user' && type !== 'service'))
    throw new Problem(
      'forbidden',
      'only a user or a service account can be impersonated: set its type and actor in X-Principal',
    );
  return subjectOf(type, actor);
}

/** The subject whose permissions a caller has; undefined for a service that acts in its own name. */
export function actingSubject(caller: Caller): AclSubject | undefined {
  if (caller.accountType === 'system') return caller.impersonating ? impersonated(caller) : undefined;
  return caller.accountType === 'anonymous' ? undefined : subjectOf(caller.accountType, caller.subject);
}

function subjectOf(type: 'user' | 'service', subject: string): AclSubject {
  return type === 'user' ? { type, subject: normaliseSubject(subject) } : { type, serviceAccountId: subject };
}
