import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addressesOf,
  checkInside,
  checkReservations,
  containsAddress,
  containsPrefix,
  defaultReservations,
  effectiveReservations,
  firstOf,
  formatAddress,
  formatPrefix,
  imageSources,
  layOut,
  overlap,
  parseAddress,
  parsePrefix,
  rangeSize,
  requireAddress,
  requireNetworkPrefix,
  requirePrefix,
  sizeOf,
  type AddressRange,
  type Prefix,
} from './index.ts';

const addresses = fc.nat({ max: 2 ** 32 - 1 });
const prefixes = (longest = 32): fc.Arbitrary<Prefix> =>
  fc
    .record({ address: addresses, length: fc.integer({ min: 0, max: longest }) })
    .map(({ address, length }) => ({ base: address - (address % sizeOf(length)), length }));
const shown = (range: AddressRange | undefined) =>
  range && `${formatAddress(range.first)}-${formatAddress(range.last)}`;

describe('addresses and prefixes', () => {
  it('the written form is read back the same', () => {
    fc.assert(
      fc.property(addresses, prefixes(), (address, prefix) => {
        expect(parseAddress(formatAddress(address))).toBe(address);
        expect(parsePrefix(formatPrefix(prefix))).toEqual(prefix);
      }),
    );
  });

  it('bits beyond the length are dropped', () => {
    expect(parsePrefix('10.1.2.3/24')).toEqual(parsePrefix('10.1.2.0/24'));
    expect(parsePrefix('255.255.255.255/0')).toEqual({ base: 0, length: 0 });
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0/24',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/024',
    '10.0.0.0/-1',
    '010.0.0.0/8',
    '256.0.0.0/8',
    'fd00::/8',
    '::ffff:10.0.0.0/8',
    ' 10.0.0.0/8',
    '10.0.0.0/8\n',
  ])('%j is not a prefix', (text) => {
    expect(parsePrefix(text)).toBeUndefined();
    expect(() => requirePrefix('spec.prefix', text)).toThrow('spec.prefix: must be an IPv4 prefix');
  });

  it('prefixes overlap exactly when they share an address', () => {
    fc.assert(
      fc.property(prefixes(), prefixes(), (one, other) => {
        const [a, b] = [addressesOf(one), addressesOf(other)];
        expect(overlap(one, other)).toBe(a.first <= b.last && b.first <= a.last);
        expect(containsPrefix(one, other)).toBe(a.first <= b.first && b.last <= a.last);
      }),
    );
  });

  it('a prefix contains its own addresses and not the neighbours', () => {
    fc.assert(
      fc.property(prefixes(), (prefix) => {
        const { first, last } = addressesOf(prefix);
        expect([first - 1, first, last, last + 1].map((address) => containsAddress(prefix, address))).toEqual([
          false,
          true,
          true,
          false,
        ]);
      }),
    );
  });

  it('the first addresses of a range never leave it', () => {
    fc.assert(
      fc.property(prefixes(), fc.integer({ min: 1, max: 1000 }), (prefix, count) => {
        const range = addressesOf(prefix);
        const taken = firstOf(range, count);
        expect(taken.first).toBe(range.first);
        expect(rangeSize(taken)).toBe(Math.min(count, rangeSize(range)));
      }),
    );
  });
});

describe('the layout of a network', () => {
  it('a /24 with defaults is divided as documented', () => {
    const layout = layOut(requireNetworkPrefix('spec.prefix', '192.168.7.0/24'), effectiveReservations(undefined));
    expect(formatAddress(layout.gateway)).toBe('192.168.7.1');
    expect(shown(layout.storage)).toBe('192.168.7.16-192.168.7.127');
    expect(shown(layout.servers)).toBe('192.168.7.128-192.168.7.254');
  });

  it('explicit values are not completed by defaults', () => {
    const layout = layOut(
      requireNetworkPrefix('spec.prefix', '10.0.0.0/16'),
      effectiveReservations({ prefixLength: 26 }),
    );
    expect(shown(layout.storage)).toBe('10.0.0.2-10.0.0.63');
  });

  it('the provider may use all reserved addresses', () => {
    expect(
      layOut(requireNetworkPrefix('spec.prefix', '10.0.0.0/16'), { prefixLength: 28, providerReservedPrefixLength: 28 })
        .storage,
    ).toBeUndefined();
  });

  it('its parts never overlap, are always within the prefix, and every accepted network has addresses for servers', () => {
    const networks = prefixes(24).chain((prefix) =>
      fc.integer({ min: prefix.length + 1, max: 30 }).chain((prefixLength) =>
        fc.record({
          prefix: fc.constant(prefix),
          reservations: fc.record({
            prefixLength: fc.constant(prefixLength),
            providerReservedPrefixLength: fc.option(fc.integer({ min: prefixLength, max: 30 }), { nil: undefined }),
          }),
        }),
      ),
    );
    fc.assert(
      fc.property(networks, ({ prefix, reservations }) => {
        checkReservations('spec.reservations', prefix, reservations);
        const { gateway, storage, servers } = layOut(prefix, reservations);
        const { first, last } = addressesOf(prefix);
        const ends = [
          first,
          gateway,
          ...(storage ? [storage.first, storage.last] : []),
          servers.first,
          servers.last,
          last,
        ];
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        expect(gateway).toBeLessThan(storage?.first ?? servers.first);
        expect(storage?.last ?? gateway).toBeLessThan(servers.first);
        expect(rangeSize(servers)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the request of a caller', () => {
  const prefix = requireNetworkPrefix('spec.prefix', '10.0.0.0/20');

  it('a network longer than /24 is a bad request', () => {
    expect(() => requireNetworkPrefix('spec.prefix', '10.0.0.0/25')).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'spec.prefix: must be /24 or shorter' }),
    );
  });

  it('an invalid address is a bad request', () => {
    expect(requireAddress('spec.dnsNameservers[0]', '1.1.1.1')).toBe(0x01010101);
    expect(() => requireAddress('spec.dnsNameservers[0]', 'fd00::1')).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('reservations must leave room for servers and contain the addresses of the provider', () => {
    expect(() => {
      checkReservations('spec.reservations', prefix, defaultReservations);
    }).not.toThrow();
    expect(() => {
      checkReservations('spec.reservations', prefix, { prefixLength: 20 });
    }).toThrow('spec.reservations.prefixLength: must be greater than 20');
    expect(() => {
      checkReservations('spec.reservations', prefix, { prefixLength: 25, providerReservedPrefixLength: 24 });
    }).toThrow('must be at least 25');
  });

  it('an address outside the network cannot be used in it', () => {
    expect(() => {
      checkInside('spec.vipAddress', prefix, requireAddress('spec.vipAddress', '10.0.15.255'));
    }).not.toThrow();
    expect(() => {
      checkInside('spec.vipAddress', prefix, requireAddress('spec.vipAddress', '10.0.16.0'));
    }).toThrow(
      expect.objectContaining({
        code: 'unprocessable_content',
        message: "spec.vipAddress: 10.0.16.0 is not in the network's prefix 10.0.0.0/20",
      }),
    );
  });
});

it('images come from public addresses, and from the private prefixes that are named', () => {
  const addresses = ['93.184.216.34', '10.20.255.255', '10.21.0.0', '127.0.0.1', '::1', '::ffff:10.20.0.1', 'nonsense'];
  expect(addresses.filter(imageSources())).toEqual(['93.184.216.34']);
  expect(addresses.filter(imageSources(['10.20.0.0/16']))).toEqual(['93.184.216.34', '10.20.255.255']);
});
