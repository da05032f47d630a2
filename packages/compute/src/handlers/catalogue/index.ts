import { allowsOrganization, demand } from '@unikorn/core/access';
import type { OnBehalf } from '@unikorn/core/calls';
import { route, type Request, type Route } from '@unikorn/core/http';
import { Flavors, Images, Regions } from '@unikorn/region/client';

import { OrganizationPath, OrganizationRegionPath } from '../../api/common.ts';
import type { ComputeContext } from '../../context.ts';
import { asCaller } from '../../on-behalf.ts';
import { endpoints } from '../endpoints.ts';
import { isForInstances, isOffered, isOnOffer } from './offer.ts';

const common = { method: 'GET', tags: ['Catalogue'], security: 'bearer' } as const;
const regionsPath = '/api/v1/organizations/{organizationID}/regions';

type InOrganization = Pick<Request<{ readonly organizationID: string }>, 'acl' | 'caller' | 'params'>;

/**
 * Refuses callers who may not read this endpoint in the organization. Other callers ask region with their own
 * permissions.
 */
function readerOf(
  { acl, caller, params: { organizationID: organizationId } }: InOrganization,
  endpoint: string,
): OnBehalf {
  demand(allowsOrganization(acl, endpoint, 'read', organizationId), endpoint, 'read');
  return asCaller(caller, { organizationId });
}

/** The regions, flavors and images for instances. */
export function catalogueRoutes({ regionClient }: Pick<ComputeContext, 'regionClient'>): readonly Route[] {
  return [
    route({
      ...common,
      path: regionsPath,
      operationId: 'listRegions',
      summary: 'List the regions that can run instances',
      params: OrganizationPath,
      responses: { 200: Regions },
      handler: async (request) => {
        const regions = await regionClient.regions(readerOf(request, endpoints.regions), request.params.organizationID);
        return { status: 200, body: regions.filter(isForInstances) };
      },
    }),
    route({
      ...common,
      path: `${regionsPath}/{regionID}/flavors`,
      operationId: 'listFlavors',
      summary: 'List the flavors of instances in a region',
      params: OrganizationRegionPath,
      responses: { 200: Flavors },
      handler: async (request) => {
        const flavors = await regionClient.flavors(
          readerOf(request, endpoints.flavors),
          request.params.organizationID,
          request.params.regionID,
        );
        return { status: 200, body: flavors.filter(isOffered) };
      },
    }),
    route({
      ...common,
      path: `${regionsPath}/{regionID}/images`,
      operationId: 'listImages',
      summary: 'List the images that instances in a region can use',
      params: OrganizationRegionPath,
      responses: { 200: Images },
      handler: async (request) => {
        const images = await regionClient.images(
          readerOf(request, endpoints.images),
          request.params.organizationID,
          request.params.regionID,
        );
        return { status: 200, body: images.filter(isOnOffer) };
      },
    }),
  ];
}
