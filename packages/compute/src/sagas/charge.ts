import { Type, type Static } from 'typebox';

import { Principal } from '@unikorn/core/access';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { IdentityClient, ResourceCharge } from '@unikorn/identity/client';

import { ComputeInstance } from '../kinds/index.ts';

/** The cost of an instance; recorded when it is written, because the flavor may no longer be known later. */
export const Price = Type.Object({ gpus: Type.Integer({ minimum: 0 }), publicIP: Type.Boolean() });
export type Price = DeepReadonly<Static<typeof Price>>;

/** The instance, its principal and its scope. */
export const Charge = Type.Object({
  id: Type.String(),
  principal: Principal,
  scope: Type.Object({ organizationId: Type.String(), projectId: Type.String() }),
});
export type Charge = DeepReadonly<Static<typeof Charge>>;

export function amountsOf({ gpus, publicIP }: Price): ResourceCharge['amounts'] {
  const committed = (amount: number) => ({ committed: amount, reserved: 0 });
  return { servers: committed(1), gpus: committed(gpus), publicips: committed(publicIP ? 1 : 0) };
}

/** Can be repeated, because a charge is identified by the instance. */
export async function charge(
  identityClient: IdentityClient,
  { id, principal, scope }: Charge,
  price: Price,
): Promise<void> {
  await identityClient.charge(principal, {
    scope,
    resource: { kind: ComputeInstance.id, id },
    amounts: amountsOf(price),
  });
}

export async function release(identityClient: IdentityClient, { id, principal, scope }: Charge): Promise<void> {
  await identityClient.release(principal, scope, { kind: ComputeInstance.id, id });
}
