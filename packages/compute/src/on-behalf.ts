import { enrichPrincipal, type Caller } from '@unikorn/core/access';
import type { OnBehalf } from '@unikorn/core/calls';
import type { Metadata } from '@unikorn/core/kinds';
import { principalOf, type ProjectScope } from '@unikorn/identity/client';

/**
 * With the rights of whoever asks, cut down to compute's own. A service that asks in its own name has none of a user to
 * lend.
 */
export function asCaller(caller: Caller, scope: Partial<ProjectScope> = {}): OnBehalf {
  return {
    principal: enrichPrincipal(caller.principal, scope),
    impersonate: caller.accountType !== 'system' || caller.impersonating,
  };
}

/** With compute's own rights, in the name of whoever the instance belongs to. */
export function asService(metadata: Pick<Metadata, 'name' | 'labels' | 'annotations'>): OnBehalf {
  return { principal: principalOf(metadata), impersonate: false };
}
