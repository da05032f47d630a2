import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import {
  labels,
  projectScopedReadMetadata,
  whileChanging,
  type ProjectScopedReadMetadata,
} from '@unikorn/core/resource';

import type { ServerRead } from '../../api/servers.ts';
import { resolvedSshInjection, Server } from '../../kinds/index.ts';

type Wire = DeepReadonly<Static<typeof ServerRead>>;

/** A server in the API. */
export function presentServer(server: Server): Wire {
  const { spec } = server;
  const networking = networkingOf(spec);
  return {
    metadata: metadataOf(server),
    spec: {
      flavorId: spec.flavorID,
      imageId: spec.image.id,
      ...(Object.keys(networking).length > 0 ? { networking } : {}),
      ...defined({ userData: spec.userData }),
    },
    status: statusOf(server),
  };
}

/** A server is shown as provisioning while it is being rebuilt. */
function metadataOf(server: Server): ProjectScopedReadMetadata {
  const metadata = projectScopedReadMetadata(Server, server, server.spec.tags);
  return server.status?.rebuild !== undefined && metadata.provisioningStatus === 'provisioned'
    ? whileChanging(metadata)
    : metadata;
}

function networkingOf({
  securityGroups,
  publicIPAllocation,
  networks,
}: Server['spec']): NonNullable<Wire['spec']['networking']> {
  const allowedSourceAddresses = networks.flatMap(({ allowedAddressPairs = [] }) =>
    allowedAddressPairs.map(({ cidr }) => cidr),
  );
  return {
    ...(securityGroups?.length ? { securityGroups: securityGroups.map(({ id }) => id) } : {}),
    ...(publicIPAllocation ? { publicIP: publicIPAllocation.enabled } : {}),
    ...(allowedSourceAddresses.length > 0 ? { allowedSourceAddresses } : {}),
  };
}

function statusOf({ metadata, spec, status = {} }: Server): Wire['status'] {
  const { phase, privateIP, publicIP, macAddress, rebootingSince, rebootedAt, diskLostAt } = status;
  return {
    regionId: metadata.labels?.[labels.region] ?? '',
    networkId: metadata.labels?.[labels.network] ?? '',
    ...defined({ sshCertificateAuthorityId: spec.sshCertificateAuthorityID }),
    sshInjection: resolvedSshInjection(spec),
    ...defined({
      infrastructureRef: spec.infrastructureRef,
      powerState: phase,
      privateIP,
      publicIP,
      macAddress,
      rebootingSince,
      rebootedAt,
      diskLostAt,
    }),
  };
}
