import type { Static } from 'typebox';

import { allowsGlobal, authorOf, demand } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import { actionsRoute, itemRoute, madeBefore, objectIdFor, route, type Route } from '@unikorn/core/http';
import { kindWords, type DeepReadonly } from '@unikorn/core/kinds';
import { labels, modifiedMetadata, newMetadata } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { RegionPath } from '../../api/common.ts';
import { RegionChecks, RegionRead, RegionSettings, RegionWrite } from '../../api/regions.ts';
import type { RegionContext } from '../../context.ts';
import { FileStorage, Identity, Network, Region } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import { asked } from '../../regions/index.ts';
import { endpoints } from '../endpoints.ts';
import { storedTags } from '../project-resources.ts';
import { assertOpenstackSettings } from './openstack-settings.ts';
import { presentRegion } from './present.ts';
import { regionItem } from './regions.ts';

const common = { tags: ['Regions'], security: 'bearer' } as const;
const collection = '/api/v2/regions';
const path = `${collection}/{regionID}` as const;

type Wanted = DeepReadonly<Static<typeof RegionWrite>>['spec'];

/** Routes for platform operators to add and change regions. */
export function regionOperationRoutes({ providers }: Pick<RegionContext, 'providers'>): readonly Route[] {
  const routes = [
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createRegion',
      summary: 'Add a region to the platform',
      body: RegionWrite,
      responses: { 201: RegionRead },
      idempotency: 'replay',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        demand(allowsGlobal(acl, endpoints.regions, 'create'), endpoints.regions, 'create');
        const made = await madeBefore(request, Region);
        if (made) return { status: 201, body: presentRegion(made) };
        const spec = { ...storedTags(body.metadata.tags, caller), ...regionSpec(body.spec) };
        if (!providers.supports(spec.provider))
          throw new Problem(
            'unprocessable_content',
            `spec.type: regions of the type ${spec.provider} are not supported here`,
          );
        const metadata = newMetadata(objectIdFor(request), body.metadata, {}, authorOf(caller));
        const region = await runtime.store.create(Region, { metadata, spec });
        return { status: 201, body: presentRegion(region) };
      },
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateRegion',
      actions: ['update'],
      summary: 'Change the connection and the organizations of a region; settings that are left out stay unchanged',
      params: RegionPath,
      body: RegionWrite,
      responses: { 202: RegionRead },
      item: regionItem,
      verb: 'update',
      handler: async ({ body, caller, runtime }, { metadata, spec }) => {
        if (body.spec.type !== spec.provider)
          throw new Problem(
            'unprocessable_content',
            `spec.type: is ${spec.provider} and cannot be changed; add another region instead`,
          );
        const region = await runtime.store.update(Region, {
          metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), runtime.world.now()),
          spec: {
            ...storedTags(body.metadata.tags, caller),
            ...regionSpec({ ...settingsOf(spec), ...body.spec }),
            ...defined({ pause: spec.pause }),
          },
        });
        return { status: 202, body: presentRegion(region) };
      },
    }),
    itemRoute({
      ...common,
      method: 'GET',
      path: `${path}/settings`,
      operationId: 'getRegionSettings',
      summary: 'Read the connection and the organizations of a region',
      params: RegionPath,
      responses: { 200: RegionSettings },
      item: regionItem,
      verb: 'update',
      handler: (_request, region) => ({
        status: 200,
        body: { metadata: presentRegion(region).metadata, spec: settingsOf(region.spec) },
      }),
    }),
    itemRoute({
      ...common,
      method: 'POST',
      path: `${path}/check`,
      operationId: 'checkRegion',
      summary: 'Try everything that a region needs from its cloud; nothing is left there',
      params: RegionPath,
      responses: { 200: RegionChecks },
      item: regionItem,
      verb: 'update',
      actions: ['check'],
      check: (region) => {
        providers.assertCheckable(region);
      },
      handler: async (_request, region) => ({ status: 200, body: await asked(() => providers.check(region)) }),
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteRegion',
      summary: 'Remove a region; it must be empty',
      params: RegionPath,
      responses: { 202: null },
      item: regionItem,
      verb: 'delete',
      actions: ['delete'],
      check: ({ metadata }, { runtime: { store } }) => refuseWhileInhabited(store, metadata.name),
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(Region, name, { preconditions: { uid } });
        providers.forget(name);
        return { status: 202 };
      },
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listRegionActions',
    params: RegionPath,
    item: regionItem,
    words: 'a region',
    routes,
  });
  return [...routes, actions];
}

/** A region in the form that its operators write. */
function settingsOf({ provider: type, security, openstack, kubernetes, simulated }: Region['spec']): Wanted {
  const organizationIds = security?.organizations?.map(({ id }) => id);
  return {
    type,
    ...(organizationIds ? { organizationIds } : {}),
    ...(openstack ? { openstack } : {}),
    ...(kubernetes ? { kubernetes } : {}),
    ...(simulated ? { simulated } : {}),
  };
}

/**
 * The settings of a region's type must be given, and those of other types must not. For a simulated region they are
 * optional.
 */
function regionSpec({ type, organizationIds, openstack, kubernetes, simulated }: Wanted): Region['spec'] {
  const settings = { openstack, kubernetes };
  for (const other of ['openstack', 'kubernetes'] as const) {
    if (other === type && !settings[other])
      throw new Problem('unprocessable_content', `spec.${other}: must be given for a region of the type ${type}`);
    if (other !== type && settings[other])
      throw new Problem('unprocessable_content', `spec.${other}: must be left out for a region of the type ${type}`);
  }
  if (type !== 'simulated' && simulated)
    throw new Problem('unprocessable_content', `spec.simulated: must be left out for a region of the type ${type}`);
  if (openstack) assertOpenstackSettings(openstack);
  return {
    provider: type,
    ...(organizationIds?.length ? { security: { organizations: organizationIds.map((id) => ({ id })) } } : {}),
    ...(openstack ? { openstack } : {}),
    ...(kubernetes ? { kubernetes } : {}),
    ...(simulated ? { simulated } : {}),
  };
}

/**
 * Resources that could no longer be reached without their region, not even to delete them. Visible resources come
 * first.
 */
const inhabitants = [Network, FileStorage, Identity] as const;
async function refuseWhileInhabited(store: Store, regionId: string): Promise<void> {
  for (const kind of inhabitants) {
    const { items } = await store.list(kind, {
      selector: matching({ [labels.region]: regionId }),
      limit: limits.inhabitantsShown,
    });
    if (items.length === 0) continue;
    const names = items.map(({ metadata }) => metadata.name).join(', ');
    throw new Problem(
      'in_use',
      `region ${regionId} is in use by ${kindWords(kind)} ${names}: delete these resources first`,
    );
  }
}
