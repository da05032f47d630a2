import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatAddress, parseAddress } from '../../network/index.ts';
import { checkVip } from './vip.ts';

const network = { prefix: '10.0.0.0/24' };

function refusalOf(
  asked: string,
  taken: readonly string[] = [],
  spec: Parameters<typeof checkVip>[0] = network,
): string | undefined {
  try {
    checkVip(spec, new Set(taken), asked);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

describe('a requested address', () => {
  it.each([
    ['10.0.1.130', "is not in the network's prefix 10.0.0.0/24"],
    ['10.0.0.0', 'is reserved'],
    ['10.0.0.1', 'is reserved'],
    ['10.0.0.127', 'is reserved: choose an address from 10.0.0.128 to 10.0.0.254'],
    ['10.0.0.255', 'is reserved'],
    ['10.0.0.200', 'is in use: choose another address'],
  ])('%s is refused with the reason', (asked, message) => {
    expect(refusalOf(asked, ['10.0.0.200'])).toContain(`spec.vipAddress: ${asked} ${message}`);
  });

  it('is granted if the network can allocate it and it is free', () => {
    const free = Array.from({ length: 127 }, (_, host) => `10.0.0.${128 + host}`);
    expect(free.filter((asked) => refusalOf(asked) !== undefined)).toEqual([]);
  });

  it('is checked against the reservations of its network', () => {
    const spec = { prefix: '10.0.0.0/16', reservations: { prefixLength: 17 } };
    const first = parseAddress('10.0.0.0') ?? 0;
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 16 - 1 }), (host) => {
        expect(refusalOf(formatAddress(first + host), [], spec) === undefined).toBe(
          host >= 2 ** 15 && host < 2 ** 16 - 1,
        );
      }),
    );
  });
});
