import type { Static } from 'typebox';

import type { DeepReadonly, SpecOf } from '@unikorn/core/kinds';

import type { NetworkCreate, NetworkUpdate } from '../../api/networks.ts';
import type { Network } from '../../kinds/index.ts';
import { checkReservations, requireAddress, requireExactPrefix, requireNetworkPrefix } from '../../network/index.ts';

type NetworkSpec = SpecOf<typeof Network>;
type Changeable = Pick<NetworkSpec, 'dnsNameservers' | 'routes'>;

/**
 * The spec of a new network. An error names the field. Values are stored as they were sent, because clients compare
 * them byte by byte.
 */
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
 * The part of a network that can be changed. A next hop can be any address, because the router decides how to reach it.
 * An existing route stays, even one whose prefix has host bits, which earlier versions allowed.
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
