import { isPublicAddress } from '@unikorn/core/outbound';

import { parseAddress } from './address.ts';
import { containsAddress, parsePrefix } from './prefix.ts';

/**
 * From which addresses a region may read images: from public ones, and from the private prefixes that its operator
 * names.
 *
 * @example imageSources(['10.20.0.0/16'])('10.20.0.7') // true
 */
export function imageSources(privatePrefixes: readonly string[] = []): (address: string) => boolean {
  const prefixes = privatePrefixes.flatMap((text) => parsePrefix(text) ?? []);
  return (text) => {
    const address = parseAddress(text);
    const isNamed = address !== undefined && prefixes.some((prefix) => containsAddress(prefix, address));
    return isNamed || isPublicAddress(text);
  };
}
