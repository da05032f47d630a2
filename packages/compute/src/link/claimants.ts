import { labels } from '@unikorn/core/resource';
import { labelOf, placementOf } from '@unikorn/identity/client';
import type { RegionClient } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';
import type { RegionWatches } from '../watches.ts';
import { linkedInstance, linkTag } from './tag.ts';

/** The ids of all servers that name an instance as theirs. */
export type Claimants = (instance: Pick<ComputeInstance, 'metadata'>) => Promise<readonly string[]>;

/**
 * Asks region for the servers of the instance's network. For requests, which any process can answer without a watch.
 */
export function listedClaimants(regionClient: Pick<RegionClient, 'servers'>): Claimants {
  return async ({ metadata }) => {
    const { organizationId, projectId } = placementOf(metadata);
    const filter = {
      organizationID: [organizationId],
      projectID: [projectId],
      networkID: [labelOf(metadata, labels.network)],
      tag: [`${linkTag}=${metadata.name}`],
    };
    const servers = await regionClient.servers(asService(metadata), filter);
    return servers.map(({ metadata: { id } }) => id);
  };
}

/** Looks them up in the watched servers; the cost does not depend on their number. For the controller. */
export function watchedClaimants({ servers }: Pick<RegionWatches, 'servers'>): Claimants {
  const byInstance = servers.index(({ metadata: { tags } }) => valuesOf(linkedInstance(tags)));
  return ({ metadata: { name } }) => Promise.resolve(byInstance.names(name));
}

function valuesOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
