import type { Principal } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import type { Kind, Resource } from '@unikorn/core/kinds';
import type { Store } from '@unikorn/core/store';

import type { ProjectScope } from '../quota/index.ts';
import type { IdentityClient, ResourceCharge } from './identity-client.ts';

/** A charged resource, with its principal and scope. */
export interface Charge {
  readonly id: string;
  readonly principal: Principal;
  readonly scope: ProjectScope;
}

export interface SettleDeps {
  readonly store: Store;
  readonly identityClient: IdentityClient;
}

/**
 * Makes the charge match the stored object: the undo of any charge. While the object is being deleted, this waits: its
 * controller may or may not have released the charge already, and a later charge would never be released.
 *
 * @example undo: ({ input }) => settleCharge(deps, { kind: Network, amounts: () => ({ networks: { committed: 1, reserved: 0 } }) }, input)
 */
export async function settleCharge<K extends Kind>(
  { store, identityClient }: SettleDeps,
  { kind, amounts }: { readonly kind: K; readonly amounts: (object: Resource<K>) => ResourceCharge['amounts'] },
  { id, principal, scope }: Charge,
): Promise<void> {
  const look = (): Promise<Resource<K> | undefined> => store.get(kind, id);
  const stored = await look();
  if (stored?.metadata.deletionTimestamp !== undefined)
    throw new Problem('conflict', 'it is still being deleted; its quota is settled after the deletion');
  const resource = { kind: kind.id, id };
  if (stored) await identityClient.charge(principal, { scope, resource, amounts: amounts(stored) });
  else await identityClient.release(principal, scope, resource);
  const now = await look();
  if (now?.metadata.uid !== stored?.metadata.uid || now?.metadata.generation !== stored?.metadata.generation)
    throw new Problem('conflict', 'it changed while its quota was being settled');
}
