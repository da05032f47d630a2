import type { Request } from '@unikorn/core/http';
import { labels, provisioningStatus } from '@unikorn/core/resource';
import type { ProjectScope } from '@unikorn/identity/client';

import { Network, type FileStorage } from '../../kinds/index.ts';
import { firstOf, formatAddress, parseAddress } from '../../network/index.ts';
import { labelOf, placementOf } from '../../placement.ts';
import { networkFor } from '../project-resources.ts';
import { named, refused } from './fields.ts';

export type Attachment = NonNullable<FileStorage['spec']['attachments']>[number];

/** The scope and region that networks must share with the storage, and the number of addresses that serve it. */
export interface Home {
  readonly scope: ProjectScope;
  readonly regionId: string;
  readonly parallelism: number;
}

/** The attachments to the networks in a request. Existing attachments are kept, whatever the state of their network. */
export async function attachmentsFor(
  request: Pick<Request, 'acl' | 'caller' | 'runtime'>,
  home: Home,
  networkIds: readonly string[],
  attached: readonly Attachment[] = [],
): Promise<readonly Attachment[]> {
  return Promise.all(
    networkIds.map(async (networkId, index) => {
      const at = `spec.attachments.networkIds.${index}`;
      if (networkIds.indexOf(networkId) < index) throw refused(at, 'must not be named twice');
      return (
        attached.find(({ networkID }) => networkID === networkId) ??
        attachmentTo(await named(at, () => networkFor(request, networkId)), home, at)
      );
    }),
  );
}

/** The addresses of file storage in a network: the first addresses of the range that is reserved for storage. */
export function attachmentTo(network: Network, { scope, regionId, parallelism }: Home, at: string): Attachment {
  const { metadata, status } = network;
  const { organizationId, projectId } = placementOf(metadata);
  if (organizationId !== scope.organizationId || projectId !== scope.projectId)
    throw refused(at, 'must be a network of the same project');
  if (labelOf(metadata, labels.region) !== regionId) throw refused(at, 'must be a network of the same region');
  if (metadata.deletionTimestamp !== undefined) throw refused(at, 'is being deleted');
  if (provisioningStatus(network, Network.realisation) !== 'provisioned')
    throw refused(at, 'is not provisioned yet; try again when it is');
  const { vlanId, storageRange } = status?.provider ?? {};
  const [first, last] = [parseAddress(storageRange?.startIP ?? ''), parseAddress(storageRange?.endIP ?? '')];
  if (vlanId === undefined || first === undefined || last === undefined || first > last)
    throw refused(at, 'has no addresses reserved for storage');
  const serving = firstOf({ first, last }, parallelism);
  return {
    networkID: metadata.name,
    segmentationID: vlanId,
    ipRange: { startIP: formatAddress(serving.first), endIP: formatAddress(serving.last) },
  };
}
