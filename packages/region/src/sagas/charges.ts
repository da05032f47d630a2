import type { Amount } from '@unikorn/identity/client';

import { FileStorage, LoadBalancer, Network } from '../kinds/index.ts';
import type { Charged } from './charged.ts';

function committed(amount: number): Amount {
  return { committed: amount, reserved: 0 };
}

/** The quota usage of each charged kind. */
export const chargedNetwork: Charged<typeof Network> = { kind: Network, amounts: () => ({ networks: committed(1) }) };

export const chargedLoadBalancer: Charged<typeof LoadBalancer> = {
  kind: LoadBalancer,
  amounts: ({ publicIP }) => ({ loadbalancers: committed(1), ...(publicIP ? { publicips: committed(1) } : {}) }),
};

export const chargedFileStorage: Charged<typeof FileStorage> = {
  kind: FileStorage,
  amounts: ({ size }) => ({ filestorage: committed(size) }),
};
