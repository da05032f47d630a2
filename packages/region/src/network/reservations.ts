import type { AddressRange } from './address.ts';
import { addressesOf, sizeOf, type Prefix } from './prefix.ts';

/** The addresses at the start of the prefix of a network that servers cannot use. */
export interface Reservations {
  /** The prefix length of all reserved addresses. */
  readonly prefixLength: number;
  /** The first part of it, for the provider; the rest is for storage. */
  readonly providerReservedPrefixLength?: number | undefined;
}

/** The default reservations of a network. Applied when they are read, and never stored. */
export const defaultReservations = {
  prefixLength: 25,
  providerReservedPrefixLength: 28,
} as const satisfies Reservations;

export function effectiveReservations(asked: Reservations | undefined): Reservations {
  return asked ?? defaultReservations;
}

/** Who may use which addresses of a network. */
export interface NetworkLayout {
  readonly gateway: number;
  /** For storage attachments; absent if all reserved addresses are the provider's. */
  readonly storage?: AddressRange;
  /** For servers. */
  readonly servers: AddressRange;
}

/** Without its own reservation the provider still has the network's own address and the gateway. */
const providerMinimum = 2;

/**
 * Divides a network's addresses: gateway and provider first, then storage, then servers, and the broadcast address
 * unused.
 *
 * @example layOut({ base, length: 24 }, defaultReservations) // gateway .1, storage .16–.127, servers .128–.254
 */
export function layOut(prefix: Prefix, { prefixLength, providerReservedPrefixLength }: Reservations): NetworkLayout {
  const { first, last } = addressesOf(prefix);
  const servers = { first: first + sizeOf(prefixLength), last: last - 1 };
  const provided = providerReservedPrefixLength === undefined ? providerMinimum : sizeOf(providerReservedPrefixLength);
  const storage = { first: first + provided, last: servers.first - 1 };
  return { gateway: first + 1, servers, ...(storage.first <= storage.last ? { storage } : {}) };
}
