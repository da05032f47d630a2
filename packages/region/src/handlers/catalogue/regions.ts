import type { Static } from 'typebox';

import { allowsGlobal } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import {
  collectionRoute,
  readItemRoute,
  route,
  type Item,
  type Request,
  type Route,
  type View,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';

import { OrganizationPath, OrganizationRegionPath, RegionPath } from '../../api/common.ts';
import { RegionDetailRead, RegionRead, Regions } from '../../api/regions.ts';
import type { RegionContext } from '../../context.ts';
import { Region } from '../../kinds/index.ts';
import { isVisibleRegion, type Secrets } from '../../regions/index.ts';
import { endpoints } from '../endpoints.ts';
import { allowsAnywhere, demandInOrganization, regionInOrganization } from '../reach.ts';
import { presentRegion } from './present.ts';

const common = { tags: ['Regions'], security: 'bearer' } as const;
const organizationPath = '/api/v1/organizations/{organizationID}/regions';

/**
 * A single region: every caller who may read regions anywhere may read it, and callers with global rights may change
 * it.
 */
export const regionItem: Item<typeof Region> = {
  kind: Region,
  param: 'regionID',
  endpoint: endpoints.regions,
  hidden: (region, { acl }) => !isVisibleRegion(region, acl),
  access: {
    order: 'load first',
    allows: (verb, _region, { acl }) =>
      verb === 'read' ? allowsAnywhere(acl, endpoints.regions, verb) : allowsGlobal(acl, endpoints.regions, verb),
  },
};

/** Every region that the caller may see, in all organizations. */
function visibleRegions({ acl }: Pick<Request, 'acl'>): View<typeof Region> {
  return { selector: [], visible: (region) => isVisibleRegion(region, acl) };
}

export function regionReadRoutes({ secrets }: RegionContext): readonly Route[] {
  return [
    collectionRoute({
      ...common,
      path: organizationPath,
      operationId: 'listOrganizationRegions',
      summary: 'List the regions that you may see',
      hidden: true,
      params: OrganizationPath,
      response: Regions,
      kind: Region,
      view: (request) => {
        demandInOrganization(request, endpoints.regions, 'read');
        return visibleRegions(request);
      },
      present: presentRegion,
    }),
    route({
      ...common,
      method: 'GET',
      path: `${organizationPath}/{regionID}/detail`,
      operationId: 'getOrganizationRegionDetail',
      summary: 'Read a region with its connection',
      hidden: true,
      params: OrganizationRegionPath,
      responses: { 200: RegionDetailRead },
      handler: async (request) => ({
        status: 200,
        body: await presentDetail(await regionInOrganization(request, endpoints.regionDetail, 'read'), secrets),
      }),
    }),
    collectionRoute({
      ...common,
      path: '/api/v2/regions',
      operationId: 'listRegions',
      summary: 'List the regions that you may see',
      response: Regions,
      kind: Region,
      view: (request) =>
        allowsAnywhere(request.acl, endpoints.regions, 'read')
          ? visibleRegions(request)
          : { selector: [], visible: () => false },
      present: presentRegion,
    }),
    readItemRoute({
      ...common,
      path: '/api/v2/regions/{regionID}',
      operationId: 'getRegion',
      summary: 'Read a region',
      params: RegionPath,
      response: RegionRead,
      item: regionItem,
      present: presentRegion,
    }),
  ];
}

async function presentDetail(region: Region, secrets: Secrets): Promise<DeepReadonly<Static<typeof RegionDetailRead>>> {
  const { metadata, spec } = presentRegion(region);
  const { kubernetes } = region.spec;
  if (!kubernetes) return { metadata, spec };
  const kubeconfig = (await secrets.read(kubernetes.kubeConfigSecret))?.['kubeconfig'];
  if (kubeconfig === undefined)
    throw new Problem('server_error', `the kubeconfig of region ${metadata.id} is missing: ask the platform operator`);
  const { domainName } = kubernetes;
  return {
    metadata,
    spec: {
      ...spec,
      kubernetes: {
        kubeconfig: Buffer.from(kubeconfig).toString('base64url'),
        ...defined({ domainName }),
      },
    },
  };
}
