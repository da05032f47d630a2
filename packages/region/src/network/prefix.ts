import { formatAddress, parseAddress, type Address, type AddressRange } from './address.ts';

/** An IPv4 network: its first address and the length of its prefix. */
export interface Prefix {
  readonly base: Address;
  readonly length: number;
}

const addressBits = 32;

/** Number of addresses in a prefix of that length. */
export function sizeOf(length: number): number {
  return 2 ** (addressBits - length);
}

/**
 * Undefined for anything but an IPv4 address, a slash and a length. Host bits are dropped, as routers do.
 *
 * @example parsePrefix('10.1.2.3/24') // 10.1.2.0/24
 */
export function parsePrefix(text: string): Prefix | undefined {
  const [, addressText = '', lengthText = ''] = /^([0-9.]+)\/(0|[1-9][0-9]?)$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  const length = Number(lengthText);
  if (address === undefined || length > addressBits) return undefined;
  return { base: address - (address % sizeOf(length)), length };
}

export function formatPrefix({ base, length }: Prefix): string {
  return `${formatAddress(base)}/${length}`;
}

export function addressesOf({ base, length }: Prefix): AddressRange {
  return { first: base, last: base + sizeOf(length) - 1 };
}

export function containsAddress(prefix: Prefix, address: Address): boolean {
  const { first, last } = addressesOf(prefix);
  return first <= address && address <= last;
}

export function containsPrefix(outer: Prefix, inner: Prefix): boolean {
  return outer.length <= inner.length && containsAddress(outer, inner.base);
}

/** Two prefixes overlap only if one contains the other. */
export function overlap(one: Prefix, other: Prefix): boolean {
  return containsPrefix(one, other) || containsPrefix(other, one);
}
