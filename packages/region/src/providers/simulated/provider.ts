import type { CloudProvider, ProjectReference } from '../../provider/index.ts';
import { defaultCatalogue, type Catalogue } from './catalogue.ts';
import { openCloud, type SimulatedRegion } from './cloud.ts';
import { FileStorageSort } from './file-storages.ts';
import { SimulatedIdentities } from './identities.ts';
import { SimulatedImages } from './images.ts';
import { LoadBalancerSort } from './load-balancers.ts';
import { NetworkSort } from './networks.ts';
import { SimulatedProvision, tenancyOf, type Tenancy } from './provision.ts';
import { SecurityGroupSort } from './security-groups.ts';
import { SimulatedServers } from './server-verbs.ts';
import { ServerSort } from './servers.ts';

const byProject: Tenancy<ProjectReference> = {
  tenantOf: ({ projectId }) => projectId,
  isRealised: () => Promise.resolve(true),
};

/**
 * A cloud that only exists in a store, which must have the `simulatedKinds`. Nothing runs in the background: the state
 * of a resource is computed from the stored data and the time, so it is correct after a restart and in another process.
 *
 * @example const provider = simulatedProvider({ store, world, regionId });
 */
export function simulatedProvider(region: SimulatedRegion, catalogue: Catalogue = defaultCatalogue): CloudProvider {
  const cloud = openCloud(region, catalogue);
  const identities = new SimulatedIdentities(cloud);
  const tenancy = tenancyOf(identities);
  const images = new SimulatedImages(cloud);
  const networks = new NetworkSort(cloud);
  const groups = new SecurityGroupSort(cloud);
  const servers = new ServerSort(cloud, { networks, groups, images });
  return {
    identities,
    images,
    networks: new SimulatedProvision(cloud, tenancy, networks),
    securityGroups: new SimulatedProvision(cloud, tenancy, groups),
    servers: new SimulatedServers(cloud, tenancy, servers, images),
    loadBalancers: new SimulatedProvision(cloud, tenancy, new LoadBalancerSort(cloud, networks, servers)),
    fileStorages: new SimulatedProvision(cloud, byProject, new FileStorageSort(cloud)),
    flavors: () => cloud.gate.pass(() => Promise.resolve(catalogue.flavors)),
    volumeClasses: () => cloud.gate.pass(() => Promise.resolve(catalogue.volumeClasses)),
    externalNetworks: () =>
      cloud.gate.pass(() => Promise.resolve(catalogue.externalNetworks.map(({ id, name }) => ({ id, name })))),
  };
}
