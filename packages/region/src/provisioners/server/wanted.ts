import { defined } from '@unikorn/core/defined';
import { labels } from '@unikorn/core/resource';

import { resolvedSshInjection, type Server } from '../../kinds/index.ts';
import { labelOf, placementOf } from '../../placement.ts';
import type { WantedServer } from '../../provider/index.ts';
import { serverReference } from '../../servers/index.ts';
import { guestUserData } from '../../userdata/index.ts';

/** The wanted server for a provider; the key is that of the certificate authority of the server. */
export function wantedServer(
  { metadata, spec }: Pick<Server, 'metadata' | 'spec'>,
  authorityKey: string | undefined,
): WantedServer {
  const [network] = spec.networks;
  const userData = guestUserData({
    authorityKey,
    ...(spec.userData === undefined ? {} : { userData: Buffer.from(spec.userData, 'base64') }),
  });
  return {
    ...serverReference({ metadata }),
    flavorId: spec.flavorID,
    imageId: spec.image.id,
    networkId: labelOf(metadata, labels.network),
    ...(network?.address === undefined ? {} : { privateIP: network.address }),
    securityGroupIds: (spec.securityGroups ?? []).map(({ id }) => id),
    publicIP: spec.publicIPAllocation?.enabled ? 'wanted' : 'unwanted',
    allowedAddressPairs: network?.allowedAddressPairs ?? [],
    keyPair: resolvedSshInjection(spec) === 'identityKeypair' ? 'identity' : 'none',
    ...(userData === undefined ? {} : { userData: Buffer.from(userData).toString('base64') }),
    ...defined({ infrastructureRef: spec.infrastructureRef }),
    metadata: guestMetadata({ metadata, spec }),
  };
}

/** A service tag of a server that its guest can read: `<service>.<domain>/<name>`. */
const serviceTag = /^([a-z0-9-]+)\.[a-z0-9.-]+\/([a-z0-9-]+)$/;

/** The metadata that a guest can read; tags never override the values of the platform. */
function guestMetadata({ metadata, spec }: Pick<Server, 'metadata' | 'spec'>): Readonly<Record<string, string>> {
  const { organizationId, projectId } = placementOf(metadata);
  const regionId = labelOf(metadata, labels.region);
  const tags = (spec.tags ?? []).flatMap(({ name, value }) => {
    const [, service, key] = serviceTag.exec(name) ?? [];
    return service === undefined || key === undefined
      ? []
      : [[`${service}:${key.replaceAll('-', '_')}`, value] as const];
  });
  return {
    ...Object.fromEntries(tags),
    serverID: metadata.name,
    organizationID: organizationId,
    projectID: projectId,
    regionID: regionId,
    'region:server_id': metadata.name,
    'region:region_id': regionId,
    'identity:organization_id': organizationId,
    'identity:project_id': projectId,
  };
}
