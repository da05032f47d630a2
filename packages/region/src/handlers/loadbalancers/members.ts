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

/** Refuses what cannot be a member, by the name of its field. */
export type CheckMember = (field: string, text: string) => void;

/**
 * A balancer sends to machines of its own network and to nothing else: not to itself, not to the cloud's own services,
 * not to anybody's network. The addresses of `kept` are members already. They stay, also from the time when a member
 * could be anything.
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
