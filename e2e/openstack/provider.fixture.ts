import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { inject } from 'vitest';

import type { ProviderUnderTest } from '../../packages/region/src/provider/conformance/index.ts';
import type { CloudProvider } from '../../packages/region/src/provider/index.ts';
import { externalNetworks } from '../../packages/region/src/providers/openstack/external-networks.ts';
import { noFileStorages } from '../../packages/region/src/providers/openstack/file-storages.ts';
import {
  OpenstackIdentities,
  OpenstackIdentity,
  openstackKinds,
  OpenstackRegion,
} from '../../packages/region/src/providers/openstack/index.ts';
import { networkSettings } from '../../packages/region/src/providers/openstack/network-settings.ts';
import { OpenstackNetworks } from '../../packages/region/src/providers/openstack/networks.ts';
import { OpenstackSecurityGroups } from '../../packages/region/src/providers/openstack/security-groups.ts';
import { access, asAdministrator } from './cloud.fixture.ts';
import { removeProject } from './sweep.fixture.ts';

/** A region in the cloud under test, with a store of its own. */
export async function openRegion() {
  const world = systemWorld;
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const regionId = world.uuid();
  const secret = await regionSecret();
  const opened: OpenstackRegion[] = [];
  return {
    /** As a process that has just started. */
    provider: () => {
      const region = new OpenstackRegion({
        regionId,
        store,
        world,
        telemetry: silentTelemetry(),
        settings: {
          endpoint: access.authUrl,
          regionName: access.region,
          network: { externalNetworks: { selector: { tags: [access.externalNetworkTag] } } },
        },
        secret: () => Promise.resolve(secret),
      });
      opened.push(region);
      return providerOf(region);
    },
    /** Removes what is left in the cloud where it lives on, and closes all connections. */
    close: async () => {
      for (const region of opened) await region.close();
      if (inject('cloudIsShared')) {
        const call = await asAdministrator();
        for (const { spec } of (await store.list(OpenstackIdentity)).items)
          if (spec.projectID !== undefined) await removeProject(call, spec.projectID);
      }
      await store.close();
    },
  };
}

/** The parts of the provider that there are. The suite is told which ones are missing. */
function providerOf(region: OpenstackRegion): CloudProvider {
  const identities = new OpenstackIdentities(region);
  const missing = new Proxy(Object.create(null), {
    get: (_, name) => () => Promise.reject(new Error(`the OpenStack provider has no ${String(name)} yet`)),
  });
  const settings = () => networkSettings(region.settings.network);
  const tenants = identities.managers;
  return {
    identities,
    networks: new OpenstackNetworks({ store: region.store, regionId: region.regionId, tenants, settings }),
    securityGroups: new OpenstackSecurityGroups({ tenants }),
    fileStorages: noFileStorages,
    servers: missing,
    loadBalancers: missing,
    images: missing,
    flavors: missing.flavors,
    volumeClasses: missing.volumeClasses,
    externalNetworks: async () => externalNetworks(await region.region(), settings()),
  };
}

/** The credentials of a region, as its secret has them. */
export async function regionSecret(): Promise<Readonly<Record<string, string>>> {
  const call = await asAdministrator();
  const { user, domain, project } = access.regionUser;
  const [{ id: domainId }] = (await call('identity', 'GET', `/domains?name=${domain}`)).domains;
  const inDomain = `domain_id=${domainId}`;
  const [{ id: userId }] = (await call('identity', 'GET', `/users?name=${user}&${inDomain}`)).users;
  const [{ id: projectId }] = (await call('identity', 'GET', `/projects?name=${project}&${inDomain}`)).projects;
  return { 'domain-id': domainId, 'project-id': projectId, 'user-id': userId, password: access.password };
}

/** The provider as the conformance suite wants it. Time is real, and so is everything else. */
export async function underTest(region: Awaited<ReturnType<typeof openRegion>>): Promise<ProviderUnderTest> {
  const call = await asAdministrator();
  const flavor = (await call('compute', 'GET', '/flavors')).flavors.find(
    ({ name }: { name: string }) => name === 'm1.tiny',
  );
  const image = async (name: string) => (await call('image', 'GET', `/v2/images?name=${name}`)).images[0].id as string;
  return {
    provider: region.provider(),
    restarted: () => region.provider(),
    materials: {
      flavorId: flavor.id,
      imageId: await image('debian-12'),
      otherImageId: await image('ubuntu-24.04'),
      imageUri: 'http://127.0.0.1/image.raw',
    },
    several: 3,
    freshId: () => systemWorld.uuid(),
    run: (answer) => answer,
    pause: () => systemWorld.sleep(1000),
    // A process that dies after the last call of the cloud and before it could remember anything.
    lose: async (ask) => {
      await ask(region.provider()).catch(() => undefined);
    },
    close: () => Promise.resolve(),
  };
}
