import { Controller, type Runnable } from '@unikorn/core/controller';

import type { RegionContext } from '../context.ts';
import { Identity } from '../kinds/index.ts';
import { identityProvisioner } from '../provisioners/identity.ts';

/** Principals have no dependencies in region. The store wakes a principal in deletion when its network is removed. */
export function identityControllers(context: RegionContext): readonly Runnable[] {
  return [new Controller({ name: 'identities', kind: Identity, provisioner: identityProvisioner(context) }, context)];
}
