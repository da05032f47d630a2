import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { labels, projectScopedReadMetadata } from '@unikorn/core/resource';

import type { InstanceRead } from '../../api/instances.ts';
import { ComputeInstance } from '../../kinds/index.ts';

type Wire = DeepReadonly<Static<typeof InstanceRead>>;

/** An instance as clients see it. */
export function presentInstance(instance: ComputeInstance): Wire {
  return {
    metadata: projectScopedReadMetadata(ComputeInstance, instance, instance.spec.tags),
    spec: specOf(instance),
    status: statusOf(instance),
  };
}

function specOf({ spec }: ComputeInstance): Wire['spec'] {
  const { flavorId, imageId, sshCertificateAuthorityId, userData, deletionProtection, afterRebuild } = spec;
  return {
    flavorId,
    imageId,
    networking: networkingOf(spec),
    ...defined({ sshCertificateAuthorityId, userData, deletionProtection, afterRebuild }),
  };
}

function networkingOf({
  networking: { publicIp, securityGroupIDs, allowedSourceAddresses } = {},
}: ComputeInstance['spec']): Wire['spec']['networking'] {
  return {
    ...defined({ publicIP: publicIp, securityGroups: securityGroupIDs, allowedSourceAddresses }),
  };
}

function statusOf({ metadata, status = {} }: ComputeInstance): Wire['status'] {
  const {
    powerState,
    privateIp,
    publicIp,
    macAddress,
    rebootingSince,
    rebootedAt,
    observedAt,
    replacement,
    diskLostAt,
  } = status;
  return {
    regionId: metadata.labels?.[labels.region] ?? '',
    networkId: metadata.labels?.[labels.network] ?? '',
    ...defined({
      powerState,
      privateIP: privateIp,
      publicIP: publicIp,
      macAddress,
      rebootingSince,
      rebootedAt,
      observedAt,
      replacement,
      diskLostAt,
    }),
  };
}
