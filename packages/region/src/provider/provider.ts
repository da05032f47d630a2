import type { ExternalNetwork, Flavor, VolumeClass } from './catalogue.ts';
import type { FileStorages } from './file-storage.ts';
import type { Identities } from './identity.ts';
import type { Images } from './image.ts';
import type { LoadBalancers } from './load-balancer.ts';
import type { Networks } from './network.ts';
import type { SecurityGroups } from './security-group.ts';
import type { Servers } from './server.ts';

/** The catalogue of every type of region. */
export interface InventoryProvider {
  flavors(): Promise<readonly Flavor[]>;
  volumeClasses(): Promise<readonly VolumeClass[]>;
}

/**
 * A region in which resources can be created. Every call has a time limit, may be repeated, and only fails with a
 * `ProviderFailure`. The tests in `conformance/` define the rest of the behaviour.
 *
 * @example
 * const outcome = await provider.networks.ensure(identity, wanted);
 * if (outcome.state === 'present') record(outcome.observed.subnetId);
 */
export interface CloudProvider extends InventoryProvider {
  readonly identities: Identities;
  readonly networks: Networks;
  readonly securityGroups: SecurityGroups;
  readonly servers: Servers;
  readonly loadBalancers: LoadBalancers;
  readonly fileStorages: FileStorages;
  readonly images: Images;
  externalNetworks(): Promise<readonly ExternalNetwork[]>;
}
