import { enrichPrincipal, type Caller } from '@unikorn/core/access';
import type { OnBehalf } from '@unikorn/core/calls';
import type { Metadata } from '@unikorn/core/kinds';
import { principalOf, type ProjectScope } from '@unikorn/identity/client';

/**
 * With the permissions of the caller, limited to those of compute. A service that calls in its own name has no user
 * whose permissions could be used.
 */
export function asCaller(caller: Caller, scope: Partial<ProjectScope> = {}): OnBehalf {
  return {
    principal: enrichPrincipal(caller.principal, scope),
    impersonate: caller.accountType !== 'system' || caller.impersonating,
  };
}

/** With compute's own permissions, in the name of the principal of the instance. */
export function asService(metadata: Pick<Metadata, 'name' | 'labels' | 'annotations'>): OnBehalf {
  return { principal: principalOf(metadata), impersonate: false };
}
