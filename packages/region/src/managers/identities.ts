import { Controller, type Runnable } from '@unikorn/core/controller';

import type { RegionContext } from '../context.ts';
import { Identity } from '../kinds/index.ts';
import { identityProvisioner } from '../provisioners/identity.ts';

/** Principals wait for nothing of ours; one that is being deleted is woken by the store when its network is gone. */
export function identityControllers(context: RegionContext): readonly Runnable[] {
  return [new Controller({ name: 'identities', kind: Identity, provisioner: identityProvisioner(context) }, context)];
}
