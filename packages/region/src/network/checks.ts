import { Problem } from '@unikorn/core/errors';

import { formatAddress, parseAddress, type Address } from './address.ts';
import { containsAddress, formatPrefix, overlap, parsePrefix, type Prefix } from './prefix.ts';
import type { Reservations } from './reservations.ts';

/** The smallest network that can be created: the default reservations use half of it. */
export const longestNetworkPrefix = 24;

/** Parses a value of a request, or refuses it with the name of its field. */
export function requirePrefix(field: string, text: string): Prefix {
  const prefix = parsePrefix(text);
  if (!prefix) throw new Problem('invalid_request', `${field}: must be an IPv4 prefix such as 10.0.0.0/24`);
  return prefix;
}

/** The same for the prefix of a network: host bits show that the caller meant an address or another length. */
export function requireExactPrefix(field: string, text: string): Prefix {
  const prefix = requirePrefix(field, text);
  const meant = formatPrefix(prefix);
  if (meant !== text)
    throw new Problem('invalid_request', `${field}: ${text} has host bits set; did you mean ${meant}?`);
  return prefix;
}

export function requireAddress(field: string, text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Problem('invalid_request', `${field}: must be an IPv4 address such as 10.0.0.1`);
  return address;
}

/** Addresses with a special meaning: this host, link-local, multicast, and reserved ranges. */
const unusable = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'] as const;

/** The prefix of a new network. */
export function requireNetworkPrefix(field: string, text: string): Prefix {
  const prefix = requireExactPrefix(field, text);
  const special = unusable.find((other) => overlap(prefix, requirePrefix(field, other)));
  if (special)
    throw new Problem(
      'invalid_request',
      `${field}: must not overlap ${special}, which is not routable; choose a private prefix such as 10.0.0.0/24`,
    );
  if (prefix.length > longestNetworkPrefix)
    throw new Problem('invalid_request', `${field}: must be /${longestNetworkPrefix} or shorter`);
  return prefix;
}

/** Refuses reservations that leave no addresses for servers, or that give the provider more than is reserved. */
export function checkReservations(
  field: string,
  prefix: Prefix,
  { prefixLength, providerReservedPrefixLength = prefixLength }: Reservations,
): void {
  if (prefixLength <= prefix.length) {
    throw new Problem(
      'unprocessable_content',
      `${field}.prefixLength: must be greater than ${prefix.length}, the length of the network's own prefix`,
    );
  }
  if (providerReservedPrefixLength < prefixLength) {
    throw new Problem(
      'unprocessable_content',
      `${field}.providerReservedPrefixLength: must be at least ${prefixLength}, the length of the reserved prefix`,
    );
  }
}

/** Refuses an address outside the network. */
export function checkInside(field: string, prefix: Prefix, address: Address): void {
  if (!containsAddress(prefix, address))
    throw new Problem(
      'unprocessable_content',
      `${field}: ${formatAddress(address)} is not in the network's prefix ${formatPrefix(prefix)}`,
    );
}
