import { allowsGlobal, allowsOrganization, demand, type Acl, type Operation } from '@unikorn/core/access';
import type { Request } from '@unikorn/core/http';

import type { Region } from '../kinds/index.ts';
import { regionFor } from '../regions/index.ts';

type InOrganization = Pick<Request<{ readonly organizationID: string }, never, never>, 'acl' | 'params'>;
type InRegion = Pick<Request<{ readonly regionID: string }, never, never>, 'acl' | 'params' | 'runtime'>;

/** Refuses a caller without this right in the organization of the path, whether or not the organization exists. */
export function demandInOrganization({ acl, params }: InOrganization, endpoint: string, verb: Operation): void {
  demand(allowsOrganization(acl, endpoint, verb, params.organizationID), endpoint, verb);
}

/** Whether the caller has this right globally or in at least one organization. That is enough for public resources. */
export function allowsAnywhere(acl: Acl, endpoint: string, verb: Operation): boolean {
  return (
    allowsGlobal(acl, endpoint, verb) ||
    (acl.organizations ?? []).some(({ id }) => allowsOrganization(acl, endpoint, verb, id))
  );
}

/** The region of a path that also names an organization: access is checked before the region is loaded. */
export async function regionInOrganization(
  request: InOrganization & InRegion,
  endpoint: string,
  verb: Operation,
): Promise<Region> {
  demandInOrganization(request, endpoint, verb);
  return regionFor(request, request.params.regionID);
}

/** The region of a path that names nothing else: it is loaded before access is checked. */
export async function regionForReading(request: InRegion, endpoint: string): Promise<Region> {
  const region = await regionFor(request, request.params.regionID);
  demand(allowsAnywhere(request.acl, endpoint, 'read'), endpoint, 'read');
  return region;
}
