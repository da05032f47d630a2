import { isIPv4 } from 'node:net';

/** An IPv4 address as a number, so that ranges are plain arithmetic. */
export type Address = number;

/** Both ends included. */
export interface AddressRange {
  readonly first: Address;
  readonly last: Address;
}

/**
 * Undefined for anything but four decimal octets. A leading zero is refused, because some programs read it as octal.
 */
export function parseAddress(text: string): Address | undefined {
  if (!isIPv4(text)) return undefined;
  return text.split('.').reduce((address, octet) => address * 256 + Number(octet), 0);
}

export function formatAddress(address: Address): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

export function rangeSize({ first, last }: AddressRange): number {
  return last - first + 1;
}

/** The first addresses of a range, as many as there are up to `count`. */
export function firstOf(range: AddressRange, count: number): AddressRange {
  return { first: range.first, last: range.first + Math.min(count, rangeSize(range)) - 1 };
}
