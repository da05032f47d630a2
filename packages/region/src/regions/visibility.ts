import { allowsGlobal, knowsOrganization, type Acl } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import type { Request } from '@unikorn/core/http';
import { getKnown } from '@unikorn/core/store';

import { endpoints } from '../handlers/endpoints.ts';
import { Region } from '../kinds/index.ts';

/**
 * A private region is visible to members of its organizations and to callers with global rights. Any other region is
 * visible to all.
 */
export function isVisibleRegion({ spec }: Region, acl: Acl): boolean {
  const owners = spec.security?.organizations ?? [];
  return (
    owners.length === 0 ||
    allowsGlobal(acl, endpoints.regions, 'read') ||
    owners.some(({ id }) => knowsOrganization(acl, id))
  );
}

/** The region in a request. A region that the caller may not see is treated as missing. */
export async function regionFor({ acl, runtime }: Pick<Request, 'acl' | 'runtime'>, regionId: string): Promise<Region> {
  const region = await getKnown(runtime.store, Region, regionId);
  if (!region || !isVisibleRegion(region, acl)) throw new Problem('not_found', `region ${regionId} does not exist`);
  return region;
}
