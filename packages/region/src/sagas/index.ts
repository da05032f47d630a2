import type { HoldDeps } from '@unikorn/core/references';
import { bind } from '@unikorn/core/saga';

import type { ChargedDeps } from './charged.ts';
import { createNetworkSaga } from './create-network.ts';
import { writeFileStorageSaga } from './write-file-storage.ts';
import { writeLoadBalancerSaga } from './write-load-balancer.ts';

export { settleCharge, type Charged, type ChargedDeps } from './charged.ts';
export { chargedFileStorage, chargedLoadBalancer, chargedNetwork } from './charges.ts';
export type { CreateNetwork } from './create-network.ts';
export type { WriteFileStorage } from './write-file-storage.ts';
export type { WriteLoadBalancer } from './write-load-balancer.ts';
export { createNetworkSaga, writeFileStorageSaga, writeLoadBalancerSaga };

/** The sagas of region, with the dependencies of their steps. */
export function regionSagas(deps: ChargedDeps & HoldDeps) {
  return {
    createNetwork: bind(createNetworkSaga, deps),
    writeLoadBalancer: bind(writeLoadBalancerSaga, deps),
    writeFileStorage: bind(writeFileStorageSaga, deps),
  };
}
