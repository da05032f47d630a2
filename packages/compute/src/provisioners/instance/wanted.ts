import { defined } from '@unikorn/core/defined';
import type { SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { labelOf } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import type { ComputeInstance } from '../../kinds/index.ts';
import { linkTag } from '../../link/index.ts';
import { wishOf } from '../../plan/index.ts';

type NewServer = Parameters<RegionClient['createServer']>[1];
type ChangedServer = Parameters<RegionClient['updateServer']>[2];

/** The server to ask region for. Of the instance's tags it gets none: the only one it has says whose it is. */
export function newServer({
  metadata,
  spec,
  status,
}: Pick<ComputeInstance, 'metadata' | 'spec' | 'status'>): NewServer {
  const { sshCertificateAuthorityId } = spec;
  // One that takes the place of another has its address again: clients count on it.
  const privateIP = status?.privateIp;
  return {
    metadata: namingOf(metadata),
    spec: {
      ...specOf(spec),
      networkId: labelOf(metadata, labels.network),
      ...defined({ privateIP, sshCertificateAuthorityId }),
    },
  };
}

/** The same for a server that there is; neither its network nor its authority can change. */
export function changedServer({ metadata, spec }: Pick<ComputeInstance, 'metadata' | 'spec'>): ChangedServer {
  return { metadata: namingOf(metadata), spec: specOf(spec) };
}

function namingOf(metadata: ComputeInstance['metadata']): NewServer['metadata'] {
  return {
    name: labelOf(metadata, labels.name),
    description: `the machine of instance ${metadata.name}`,
    tags: [{ name: linkTag, value: metadata.name }],
  };
}

function specOf(spec: SpecOf<typeof ComputeInstance>): ChangedServer['spec'] {
  const { flavorId, imageId, publicIP, securityGroups, allowedSourceAddresses, userData } = wishOf(spec);
  return {
    flavorId,
    imageId,
    networking: { publicIP, securityGroups, allowedSourceAddresses },
    ...defined({ userData }),
  };
}
