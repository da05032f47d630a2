import { readiness, type Park, type Yield } from '@unikorn/core/controller';
import { findCondition } from '@unikorn/core/resource';

import { Identity } from '../kinds/index.ts';

/**
 * Checks whether a principal can be used. Users do not see the principal, so its problems are shown on the resource
 * that needs it.
 */
export function principalReadiness(
  id: string,
  principal: Identity | undefined,
): Yield<never> | Park<never> | undefined {
  const blocked = readiness(Identity, id, principal);
  return blocked && { ...blocked, message: principalMessage(principal) };
}

function principalMessage(principal: Identity | undefined): string {
  const available = findCondition(principal?.status?.conditions, 'Available');
  return available && available.status !== 'True' ? available.message : 'the cloud is being prepared for the network';
}
