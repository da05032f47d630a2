import type { ExternalNetwork, Flavor, VolumeClass } from './catalogue.ts';
import type { FileStorages } from './file-storage.ts';
import type { Identities } from './identity.ts';
import type { Images } from './image.ts';
import type { LoadBalancers } from './load-balancer.ts';
import type { Networks } from './network.ts';
import type { SecurityGroups } from './security-group.ts';
import type { Servers } from './server.ts';

/** What every sort of region can say of itself. */
export interface InventoryProvider {
  flavors(): Promise<readonly Flavor[]>;
  volumeClasses(): Promise<readonly VolumeClass[]>;
}

/**
 * A region that things can be made in. Every call is bounded, may be repeated, and fails with a `ProviderFailure` only;
 * `conformance/` says as tests what else is promised.
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
