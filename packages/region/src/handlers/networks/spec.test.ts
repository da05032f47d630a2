import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isProblem } from '@unikorn/core/errors';
import { admit } from '@unikorn/core/kinds';

import { Network } from '../../kinds/index.ts';
import { formatAddress, formatPrefix, sizeOf } from '../../network/index.ts';
import { changedSpec, newSpec } from './spec.ts';

const place = { organizationId: 'o', projectId: 'p', regionId: 'r' };
const address = fc.oneof(fc.nat(2 ** 32 - 1).map(formatAddress), fc.ipV4Extended(), fc.ipV6(), fc.string());
const prefix = fc
  .tuple(address, fc.oneof(fc.integer({ min: -1, max: 33 }).map(String), fc.string()))
  .map(([base, length]) => `${base}/${length}`);
const length = fc.integer({ min: 0, max: 30 });
const reservations = fc.record(
  { prefixLength: length, providerReservedPrefixLength: length },
  { requiredKeys: ['prefixLength'] },
);
/** Everything that the schema accepts. */
const spec = fc.record(
  {
    prefix,
    reservations,
    dnsNameservers: fc.array(address, { maxLength: 3 }),
    routes: fc.array(fc.record({ prefix, nexthop: address }), { maxLength: 3 }),
  },
  { requiredKeys: ['prefix', 'dnsNameservers'] },
);
const sound = fc.record({
  prefix: fc
    .tuple(fc.nat(2 ** 24 - 1), fc.integer({ min: 8, max: 24 }))
    .map(([base, bits]) => formatPrefix({ base: 10 * 2 ** 24 + base - (base % sizeOf(bits)), length: bits })),
  dnsNameservers: fc.array(fc.nat(2 ** 32 - 1).map(formatAddress), { maxLength: 3 }),
});

describe('the spec of a network', () => {
  it('is refused with the name of a field, or can be stored', () => {
    fc.assert(
      fc.property(spec, (asked) => {
        try {
          admit(Network, {
            metadata: { name: 'f0000000-0000-4000-8000-000000000001' },
            spec: newSpec({ ...place, ...asked }),
          });
        } catch (error) {
          expect(isProblem(error) && error.status < 500).toBe(true);
          expect(String(error)).toMatch(/spec\.(prefix|reservations|dnsNameservers|routes)\b/);
        }
      }),
    );
  });

  it('that is valid is kept, and is the same when it is written again', () => {
    fc.assert(
      fc.property(sound, (asked) => {
        const stored = newSpec({ ...place, ...asked });
        expect(stored.dnsNameservers).toEqual(asked.dnsNameservers);
        expect(newSpec({ ...place, ...stored, routes: [] })).toEqual(stored);
      }),
    );
  });

  it('whose prefix has host bits is refused, with the correct prefix in the message', () => {
    expect(() => newSpec({ ...place, prefix: '10.2.0.5/24', dnsNameservers: [] })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'spec.prefix: 10.2.0.5/24 has host bits set; did you mean 10.2.0.0/24?',
      }),
    );
  });

  it('has no such routes either, except those that it already had', () => {
    const old = { prefix: '192.168.7.1/16', nexthop: '10.0.0.9' };
    const wanted = { dnsNameservers: [], routes: [{ prefix: '172.16.0.0/12', nexthop: '10.0.0.9' }, old] };
    expect(() => changedSpec(wanted)).toThrow(
      'spec.routes.1.prefix: 192.168.7.1/16 has host bits set; did you mean 192.168.0.0/16?',
    );
    expect(changedSpec(wanted, [{ prefix: old.prefix, nextHop: '10.0.0.8' }]).routes).toHaveLength(2);
  });
});
