import { imageSources } from '../../network/index.ts';
import type { CloudProvider } from '../../provider/index.ts';
import { flavorsOf, volumeClassesOf } from './catalogue.ts';
import { cinder, nova } from './client/index.ts';
import { chooseExternalNetwork, externalNetworks } from './external-networks.ts';
import { noFileStorages } from './file-storages.ts';
import { OpenstackIdentities } from './identities.ts';
import { OpenstackImages } from './images.ts';
import { OpenstackLoadBalancers } from './load-balancers.ts';
import { networkSettings } from './network-settings.ts';
import { OpenstackNetworks } from './networks.ts';
import type { OpenstackRegion } from './region.ts';
import { OpenstackSecurityGroups } from './security-groups.ts';
import { OpenstackServers } from './servers.ts';
import { Snapshots } from './snapshots.ts';
import { Uploads } from './uploads.ts';

/**
 * A region of the platform in an OpenStack cloud. The store must know the `openstackKinds`, and seal their secrets.
 *
 * @example const provider = openstackProvider(new OpenstackRegion({ regionId, store, world, telemetry, settings, secret }));
 */
export function openstackProvider(region: OpenstackRegion): CloudProvider {
  const { store, world, regionId, settings } = region;
  const identities = new OpenstackIdentities(region);
  const { managers, users } = identities;
  const network = networkSettings(settings.network);
  const projects = {
    region: () => region.region(),
    manager: (projectId: string) => region.manager(projectId),
  };
  const images = new OpenstackImages({
    ...projects,
    uploads: new Uploads({
      store,
      world,
      regionId,
      region: projects.region,
      allows: imageSources(settings.image?.privateSources),
    }),
    snapshots: new Snapshots({ store, world, regionId, ...projects }),
    signingKey: settings.image?.selector?.signingKey,
    projectsOf: (organizationId) => identities.projectsOf(organizationId),
    released: (identityId) => identities.releaseProject(identityId),
  });
  return {
    identities,
    images,
    networks: new OpenstackNetworks({ store, world, regionId, tenants: managers, settings: () => network }),
    securityGroups: new OpenstackSecurityGroups({ tenants: managers }),
    servers: new OpenstackServers({
      world,
      users,
      managers,
      region: () => region.region(),
      images,
      externalNetworkId: (session) => chooseExternalNetwork(session, network),
      compute: settings.compute,
    }),
    loadBalancers: new OpenstackLoadBalancers({
      world,
      tenants: users,
      externalNetworkId: ({ session }) => chooseExternalNetwork(session, network),
    }),
    fileStorages: noFileStorages,
    flavors: async () => flavorsOf(await nova.listFlavors(await region.region()), settings.compute?.flavors),
    volumeClasses: async () => {
      const session = await region.region();
      // A cloud without Cinder has no volumes.
      if (!(await session.services()).includes('block-storage')) return [];
      return volumeClassesOf(await cinder.listVolumeTypes(session), settings.blockStorage?.volumeClasses);
    },
    externalNetworks: async () => externalNetworks(await region.region(), network),
  };
}
