import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';
import type { Tag } from '@unikorn/core/resource';

import type { InstanceCreate, InstanceUpdate } from '../../api/instances.ts';
import type { ComputeInstance } from '../../kinds/index.ts';

export type CreateBody = DeepReadonly<Static<typeof InstanceCreate>>;
export type UpdateBody = DeepReadonly<Static<typeof InstanceUpdate>>;
export type Spec = SpecOf<typeof ComputeInstance>;

/** What a request asks for, as it is stored; what it leaves out is not there. */
export function storedSpec(
  {
    flavorId,
    imageId,
    networking,
    sshCertificateAuthorityId,
    userData,
    deletionProtection,
    afterRebuild,
  }: UpdateBody['spec'],
  tags: { readonly tags?: readonly Tag[] },
): Spec {
  return {
    ...tags,
    flavorId,
    imageId,
    ...(networking === undefined ? {} : { networking: storedNetworking(networking) }),
    ...defined({ sshCertificateAuthorityId }),
    ...(userData ? { userData } : {}),
    ...defined({ deletionProtection, afterRebuild }),
  };
}

function storedNetworking({
  publicIP,
  securityGroups,
  allowedSourceAddresses,
}: NonNullable<UpdateBody['spec']['networking']>): NonNullable<Spec['networking']> {
  return {
    ...defined({ publicIp: publicIP, securityGroupIDs: securityGroups, allowedSourceAddresses }),
  };
}

/** What an update keeps that does not speak of it: what operators set, and what clients of the contract do not know. */
export function keptSpec({ pause, deletionProtection, afterRebuild }: Spec): Partial<Spec> {
  return {
    ...defined({ pause, deletionProtection, afterRebuild }),
  };
}
