import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { isProviderFailure, type IdentityReference } from '../../packages/region/src/provider/index.ts';
import {
  openstackKinds,
  openstackProvider,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import type { OpenstackSettings } from '../../packages/region/src/providers/openstack/settings.ts';
import { access } from './cloud.fixture.ts';
import type { Caller } from './cloud/caller.ts';
import type { Extra } from './cloud/site.ts';
import { regionSecret } from './provider.fixture.ts';

/** A region with settings of its own, and an identity that is not made yet. */
export async function openRegionWith(settings: Partial<OpenstackSettings>) {
  const world = systemWorld;
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const secret = await regionSecret();
  const region = new OpenstackRegion({
    regionId: world.uuid(),
    store,
    world,
    telemetry: silentTelemetry(),
    settings: {
      endpoint: access.authUrl,
      regionName: access.region,
      network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
      ...settings,
    },
    secret: () => Promise.resolve(secret),
  });
  const identity: IdentityReference = { id: world.uuid(), organizationId: world.uuid(), projectId: world.uuid() };
  return {
    region,
    provider: openstackProvider(region),
    identity,
    close: async () => {
      await region.close();
      await store.close();
    },
  };
}

/** As a controller does: again and again while the cloud is too busy to answer in time. */
export async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isProviderFailure(error, 'transient', 'unavailable')) throw error;
      await systemWorld.sleep(1000);
    }
  }
}

/** A cloud has some services only if they are asked for when it is started. */
export async function requireService(call: Caller, type: string, extra: Extra): Promise<void> {
  const { services } = await call('identity', 'GET', `/services?type=${type}`);
  if (services.length === 0)
    throw new Error(`This suite needs a cloud with ${extra}. Start it with: up --with ${extra} <folder>`);
}
