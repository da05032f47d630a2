import { route, type Route } from '@unikorn/core/http';

import { OrganizationRegionPath, RegionPath } from '../../api/common.ts';
import { ExternalNetworks } from '../../api/externalnetworks.ts';
import { Flavors } from '../../api/flavors.ts';
import type { RegionContext } from '../../context.ts';
import type { Region } from '../../kinds/index.ts';
import { asked } from '../../regions/index.ts';
import { endpoints } from '../endpoints.ts';
import { regionForReading, regionInOrganization } from '../reach.ts';
import { presentFlavors } from './present.ts';

/** Operators seldom change the catalogue of a region. */
export const seldomChanges = 'max-age=86400, private';

const common = { method: 'GET', tags: ['Regions'], security: 'bearer', cacheControl: seldomChanges } as const;
const organizationPath = '/api/v1/organizations/{organizationID}/regions/{regionID}';
const path = '/api/v2/regions/{regionID}';

/** The catalogue of a region, under the path of an organization and under its own path. */
export function inventoryRoutes({ providers }: RegionContext): readonly Route[] {
  const flavors = async (region: Region) =>
    presentFlavors(region)(await asked(() => providers.inventory(region).flavors()));
  const externalNetworks = (region: Region) => asked(() => providers.cloud(region).externalNetworks());
  return [
    route({
      ...common,
      path: `${organizationPath}/flavors`,
      operationId: 'listOrganizationFlavors',
      summary: 'List the flavors of a region',
      hidden: true,
      params: OrganizationRegionPath,
      responses: { 200: Flavors },
      handler: async (request) => ({
        status: 200,
        body: await flavors(await regionInOrganization(request, endpoints.flavors, 'read')),
      }),
    }),
    route({
      ...common,
      path: `${path}/flavors`,
      operationId: 'listFlavors',
      summary: 'List the flavors of a region',
      params: RegionPath,
      responses: { 200: Flavors },
      handler: async (request) => ({
        status: 200,
        body: await flavors(await regionForReading(request, endpoints.flavors)),
      }),
    }),
    route({
      ...common,
      path: `${organizationPath}/externalnetworks`,
      operationId: 'listOrganizationExternalNetworks',
      summary: 'List the external networks of a region',
      hidden: true,
      params: OrganizationRegionPath,
      responses: { 200: ExternalNetworks },
      handler: async (request) => ({
        status: 200,
        body: await externalNetworks(await regionInOrganization(request, endpoints.externalNetworks, 'read')),
      }),
    }),
    route({
      ...common,
      path: `${path}/externalnetworks`,
      operationId: 'listExternalNetworks',
      summary: 'List the external networks of a region',
      params: RegionPath,
      responses: { 200: ExternalNetworks },
      handler: async (request) => ({
        status: 200,
        body: await externalNetworks(await regionForReading(request, endpoints.externalNetworks)),
      }),
    }),
  ];
}
