import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

export const WantedNetwork = Type.Object({
  id: Type.String(),
  /** IPv4 in CIDR form. */
  prefix: Type.String(),
  /**
   * The lengths of the prefixes that are reserved at the start: for all reserved addresses, and the provider's part of
   * them.
   */
  reservations: Type.Object({
    prefixLength: Type.Integer(),
    providerReservedPrefixLength: Type.Optional(Type.Integer()),
  }),
  dnsNameservers: Type.Array(Type.String()),
  routes: Type.Array(Type.Object({ prefix: Type.String(), nextHop: Type.String() })),
});
export type WantedNetwork = DeepReadonly<Static<typeof WantedNetwork>>;

export interface AddressRange {
  readonly startIP: string;
  readonly endIP: string;
}

export interface ObservedNetwork {
  readonly networkId: string;
  readonly subnetId: string;
  readonly gatewayIP: string;
  /** Set if it is a VLAN of a physical network. */
  readonly vlanId?: number;
  /** The addresses for file storage; absent if none are reserved. */
  readonly storageRange?: AddressRange;
}

export type Networks = Provision<ResourceReference, WantedNetwork, ObservedNetwork>;
