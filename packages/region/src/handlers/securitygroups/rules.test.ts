import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '@unikorn/core/defined';
import { admit } from '@unikorn/core/kinds';

import { SecurityGroup } from '../../kinds/index.ts';
import { formatAddress } from '../../network/index.ts';
import { providerRule } from '../../provisioners/security-group.ts';
import { storedRules, wireRule, type WireRule } from './rules.ts';

const ports = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 65_535 }).map((port) => ({ port })),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 65_535 }), { minLength: 2, maxLength: 2 })
    .map((pair) => ({ port: Math.min(...pair), portMax: Math.max(...pair) })),
);
const prefixes = fc.oneof(
  fc.constant({}),
  fc
    .record({ address: fc.nat({ max: 2 ** 32 - 1 }), length: fc.integer({ min: 0, max: 32 }) })
    .map(({ address, length }) => ({ prefix: `${formatAddress(address)}/${length}` })),
);
const direction = fc.constantFrom('ingress' as const, 'egress' as const);
const protocols = fc.oneof(
  fc
    .record({ protocol: fc.constantFrom('tcp' as const, 'udp' as const), ports })
    .map(({ protocol, ports }) => ({ protocol, ...ports })),
  fc.record({ protocol: fc.constantFrom('any' as const, 'icmp' as const, 'vrrp' as const) }),
);
const rules: fc.Arbitrary<WireRule> = fc
  .record({ direction, protocol: protocols, prefix: prefixes })
  .map(({ direction, protocol, prefix }) => ({ direction, ...protocol, ...prefix }));

function refusalOf(rule: object): string {
  try {
    storedRules([
      { direction: 'ingress', protocol: 'tcp' },
      { direction: 'ingress', protocol: 'tcp', ...rule },
    ]);
    return 'accepted';
  } catch (error) {
    return String(error);
  }
}

describe('the rules of a security group', () => {
  it('are read back as they were written, and can be stored', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 20 }), (sent) => {
        const stored = storedRules(sent);
        expect(stored.map(wireRule)).toEqual(sent);
        admit(SecurityGroup, { metadata: { name: 'f0000000-0000-4000-8000-000000000001' }, spec: { rules: stored } });
      }),
    );
  });

  it('mean the same to a provider: one port is a range of one', () => {
    fc.assert(
      fc.property(rules, (sent) => {
        const { direction, protocol, port, portMax = port, prefix } = sent;
        const expected = {
          direction,
          protocol,
          ...(port === undefined ? {} : { ports: { start: port, end: portMax } }),
          ...defined({ cidr: prefix }),
        };
        expect(storedRules([sent]).map(providerRule)).toEqual([expected]);
      }),
    );
  });

  it.each([
    [{ protocol: 'icmp', port: 8 }, 'spec.rules.1.port: is allowed for tcp and udp only'],
    [{ protocol: 'any', portMax: 8 }, 'spec.rules.1.portMax: is allowed for tcp and udp only'],
    [{ portMax: 80 }, 'spec.rules.1.portMax: is the end of a port range: also set port'],
    [{ port: 80, portMax: 80 }, 'spec.rules.1.portMax: must be greater than port'],
    [{ port: 80, portMax: 79 }, 'spec.rules.1.portMax: must be greater than port'],
    [{ prefix: 'fd00::/8' }, 'spec.rules.1.prefix: must be an IPv4 prefix'],
    [{ prefix: '10.0.0.1' }, 'spec.rules.1.prefix: must be an IPv4 prefix'],
    [{ prefix: '010.0.0.0/8' }, 'spec.rules.1.prefix: must be an IPv4 prefix'],
  ])('%j is refused with the path of the field', (rule, message) => {
    expect(refusalOf(rule)).toContain(message);
  });
});
