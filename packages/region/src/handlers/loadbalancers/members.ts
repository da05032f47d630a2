import { Problem } from '@unikorn/core/errors';

import type { LoadBalancer, Network } from '../../kinds/index.ts';
import {
  addressesOf,
  checkInside,
  effectiveReservations,
  formatPrefix,
  layOut,
  requireAddress,
  requirePrefix,
} from '../../network/index.ts';

/** Refuses an invalid member, and names its field. */
export type CheckMember = (field: string, text: string) => void;

/**
 * A load balancer only sends to machines in its own network: not to itself, not to services of the cloud, and not to
 * other networks. The addresses in `kept` are already members. They stay, even if they date from a time without this
 * rule.
 */
export function membersOf(
  { prefix: text, reservations }: Pick<Network['spec'], 'prefix' | 'reservations'>,
  kept: LoadBalancer['spec']['listeners'] = [],
): CheckMember {
  const prefix = requirePrefix('the prefix of the network', text);
  const known = new Set(kept.flatMap(({ pool }) => pool.members.map(({ address }) => address)));
  const { first, last } = addressesOf(prefix);
  const { gateway } = layOut(prefix, effectiveReservations(reservations));
  const special = new Map([
    [first, "the network's own address"],
    [last, "the network's broadcast address"],
    [gateway, "the network's gateway"],
  ]);
  return (field, member) => {
    const address = requireAddress(field, member);
    if (known.has(member)) return;
    checkInside(field, prefix, address);
    const meaning = special.get(address);
    if (meaning)
      throw new Problem(
        'unprocessable_content',
        `${field}: ${member} is ${meaning}: use the address of a machine in ${formatPrefix(prefix)}`,
      );
  };
}
