import { Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

import { LoadBalancer, Server, type Network } from '../../kinds/index.ts';
import {
  checkInside,
  effectiveReservations,
  formatAddress,
  layOut,
  requireAddress,
  requirePrefix,
} from '../../network/index.ts';

const field = 'spec.vipAddress';

/** Refuses an address outside the assignable range, or one that is known to be in use. */
export function checkVip(
  { prefix: text, reservations }: Pick<Network['spec'], 'prefix' | 'reservations'>,
  taken: ReadonlySet<string>,
  asked: string,
): void {
  const address = requireAddress(field, asked);
  const prefix = requirePrefix('the prefix of the network', text);
  checkInside(field, prefix, address);
  const { first, last } = layOut(prefix, effectiveReservations(reservations)).servers;
  if (address < first || address > last)
    throw refusal(`${asked} is reserved: choose an address from ${formatAddress(first)} to ${formatAddress(last)}`);
  if (taken.has(asked)) throw refusal(`${asked} is in use: choose another address, or leave it out to get a free one`);
}

function refusal(reason: string): Problem {
  return new Problem('unprocessable_content', `${field}: ${reason}`);
}

/**
 * The addresses of a network that its servers and load balancers have or have requested. A resource that is not
 * provisioned yet may still get another one.
 */
export async function addressesTaken(store: Store, networkId: string): Promise<ReadonlySet<string>> {
  const selector = matching({ [labels.network]: networkId });
  const [servers, balancers] = await Promise.all([
    store.list(Server, { selector, cached: true }),
    store.list(LoadBalancer, { selector, cached: true }),
  ]);
  const addresses = [
    ...servers.items.map(({ status }) => status?.privateIP),
    ...balancers.items.flatMap(({ spec, status }) => [spec.requestedVIPAddress, status?.vipAddress]),
  ];
  return new Set(addresses.filter((address) => address !== undefined));
}
