import type { Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';

import type { NetworkCreate, NetworkUpdate } from '../../api/networks.ts';
import type { Network } from '../../kinds/index.ts';
import { checkReservations, requireAddress, requireExactPrefix, requireNetworkPrefix } from '../../network/index.ts';

type NetworkSpec = SpecOf<typeof Network>;
type Changeable = Pick<NetworkSpec, 'dnsNameservers' | 'routes'>;

/** What a new network is to be like, or a refusal that names the field. Everything is kept as it was sent: clients compare it byte by byte. */
export function newSpec({
  prefix: text,
  reservations,
  ...changeable
}: DeepReadonly<Static<typeof NetworkCreate>>['spec']): NetworkSpec {
  const prefix = requireNetworkPrefix('spec.prefix', text);
  if (reservations) checkReservations('spec.reservations', prefix, reservations);
  return { prefix: text, ...(reservations ? { reservations } : {}), ...changedSpec(changeable) };
}

/**
 * What of a network can be changed. A next hop may lie anywhere: how it is reached is the router's business. A route that is there already stays,
 * also one from the time when its prefix could have host bits.
 */
export function changedSpec(
  { dnsNameservers, routes = [] }: DeepReadonly<Static<typeof NetworkUpdate>>['spec'],
  before: NonNullable<NetworkSpec['routes']> = [],
): Changeable {
  const known = new Set(before.map(({ prefix }) => prefix));
  for (const [index, server] of dnsNameservers.entries()) requireAddress(`spec.dnsNameservers.${index}`, server);
  return {
    dnsNameservers,
    ...(routes.length > 0 ? { routes: routes.map((route, index) => storedRoute(route, index, known)) } : {}),
  };
}

function storedRoute(
  { prefix, nexthop }: { readonly prefix: string; readonly nexthop: string },
  index: number,
  known: ReadonlySet<string>,
) {
  if (!known.has(prefix)) requireExactPrefix(`spec.routes.${index}.prefix`, prefix);
  requireAddress(`spec.routes.${index}.nexthop`, nexthop);
  return { prefix, nextHop: nexthop };
}
