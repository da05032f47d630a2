import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { admit } from '@unikorn/core/kinds';

import { LoadBalancer } from '../../kinds/index.ts';
import { formatAddress } from '../../network/index.ts';
import { checkFrozen, storedListeners, wireListener, type WireListener } from './listeners.ts';
import { membersOf } from './members.ts';

const port = fc.integer({ min: 1, max: 65_535 });
const address = fc.nat({ max: 2 ** 32 - 1 }).map(formatAddress);
const threshold = fc.integer({ min: 1, max: 10 });
const seconds = fc.integer({ min: 1, max: 300 });
const option = { requiredKeys: [] };

const pools = fc.record(
  {
    members: fc.array(fc.record({ address, port }), { maxLength: 5 }),
    proxyProtocolV2: fc.boolean(),
    healthCheck: fc.record(
      { intervalSeconds: seconds, timeoutSeconds: seconds, healthyThreshold: threshold, unhealthyThreshold: threshold },
      option,
    ),
  },
  { requiredKeys: ['members'] },
);
const listeners: fc.Arbitrary<WireListener> = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'web', 'dns-1'),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    port: fc.oneof(port, fc.constantFrom(53, 80)),
    allowedCidrs: fc.array(
      address.map((text) => `${text}/24`),
      { maxLength: 3 },
    ),
    idleTimeoutSeconds: fc.integer({ min: 1, max: 86_400 }),
    pool: pools,
  },
  { requiredKeys: ['name', 'protocol', 'port', 'pool'] },
);

/** In a network with all addresses. */
const stored = (sent: readonly WireListener[]) => storedListeners(sent, membersOf({ prefix: '0.0.0.0/0' }));

function outcomeOf<T>(attempt: () => T): T | string {
  try {
    return attempt();
  } catch (error) {
    return String(error);
  }
}

const member = { address: '10.0.0.130', port: 8080 };
const web: WireListener = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
const dns: WireListener = { name: 'dns', protocol: 'udp', port: 53, pool: { members: [] } };

describe('the listeners of a load balancer', () => {
  it('are refused with the path of the field, or can be stored and are read back completely', () => {
    fc.assert(
      fc.property(fc.array(listeners, { minLength: 1, maxLength: 4 }), (sent) => {
        const kept = outcomeOf(() => stored(sent));
        if (typeof kept === 'string') {
          expect(kept).toMatch(/spec\.listeners\.\d+\./);
          return;
        }
        admit(LoadBalancer, {
          metadata: { name: 'f0000000-0000-4000-8000-000000000001' },
          spec: { publicIP: false, listeners: kept },
        });
        const read = kept.map(wireListener);
        expect(read).toMatchObject(sent);
        expect(stored(read)).toEqual(kept);
      }),
    );
  });

  it('have an idle timeout of a minute and no proxy protocol unless they say so; a udp listener keeps its timeout unset', () => {
    expect(stored([web, dns])).toEqual([
      { name: 'web', protocol: 'tcp', port: 80, idleTimeoutSeconds: 60, pool: { proxyProtocolV2: false, members: [] } },
      { name: 'dns', protocol: 'udp', port: 53, pool: { proxyProtocolV2: false, members: [] } },
    ]);
  });

  it('are checked every ten seconds if they have a health check', () => {
    expect(stored([{ ...web, pool: { members: [], healthCheck: { healthyThreshold: 3 } } }])).toMatchObject([
      { pool: { healthCheck: { intervalSeconds: 10, timeoutSeconds: 5, healthyThreshold: 3, unhealthyThreshold: 2 } } },
    ]);
  });

  it.each<[string, readonly WireListener[], string]>([
    ['two of one name', [web, { ...dns, name: 'web' }], 'spec.listeners.1.name: listener 0 has the same name'],
    [
      'two on one port',
      [dns, web, { ...web, name: 'other' }],
      'spec.listeners.2.port: listener 1 has the same protocol and port',
    ],
    [
      'a member twice',
      [{ ...web, pool: { members: [member, { ...member, port: 1 }, member] } }],
      'spec.listeners.0.pool.members.2: is the same as member 0',
    ],
    [
      'a member that is no address',
      [{ ...web, pool: { members: [{ ...member, address: '10.0.0' }] } }],
      'spec.listeners.0.pool.members.0.address: must be an IPv4 address',
    ],
    [
      'an octet with a leading zero',
      [{ ...web, allowedCidrs: ['10.0.0.0/8', '010.0.0.0/8'] }],
      'spec.listeners.0.allowedCidrs.1: must be an IPv4 prefix',
    ],
    [
      'an idle timeout for udp',
      [{ ...dns, idleTimeoutSeconds: 60 }],
      'spec.listeners.0.idleTimeoutSeconds: is allowed for tcp listeners only',
    ],
    [
      'the proxy protocol for udp',
      [{ ...dns, pool: { members: [], proxyProtocolV2: true } }],
      'spec.listeners.0.pool.proxyProtocolV2: is allowed for tcp listeners only',
    ],
    [
      'a check that outlasts its interval',
      [{ ...web, pool: { members: [], healthCheck: { intervalSeconds: 5 } } }],
      'spec.listeners.0.pool.healthCheck.timeoutSeconds: 5 is not less than the interval of 5 seconds',
    ],
  ])('%s is refused with the path of the field', (_what, sent, message) => {
    expect(outcomeOf(() => stored(sent))).toContain(message);
  });

  it('may share a port over different protocols', () => {
    expect(stored([web, { ...dns, port: 80 }])).toHaveLength(2);
  });

  it.each<[string, Partial<WireListener>]>([
    ['protocol', { protocol: 'udp' }],
    ['port', { port: 81 }],
    ['pool.proxyProtocolV2', { pool: { members: [], proxyProtocolV2: true } }],
  ])('keep their %s while they keep their name', (field, change) => {
    const after = stored([dns, { ...web, ...change }]);
    expect(
      outcomeOf(() => {
        checkFrozen(stored([web]), after);
      }),
    ).toContain(`spec.listeners.1.${field}: cannot be changed for listener web`);
  });

  it('may be renamed, reordered, and changed in everything else', () => {
    const before = stored([web, dns]);
    checkFrozen(
      before,
      stored([
        { ...dns, pool: { members: [member], healthCheck: {} } },
        { ...web, name: 'site', allowedCidrs: ['0.0.0.0/0'] },
      ]),
    );
  });
});

describe('the members of a load balancer', () => {
  const network = { prefix: '10.0.0.0/24' };
  const named = (address: string) => [{ ...web, pool: { members: [{ address, port: 80 }] } }];
  const refusal = (address: string) => outcomeOf(() => storedListeners(named(address), membersOf(network)));

  it.each(['127.0.0.1', '169.254.169.254', '0.0.0.0', '255.255.255.255', '10.0.1.1', '8.8.8.8'])(
    'cannot be %s, which is not in its network',
    (address) => {
      expect(refusal(address)).toContain(
        `spec.listeners.0.pool.members.0.address: ${address} is not in the network's prefix 10.0.0.0/24`,
      );
    },
  );

  it.each([
    ['10.0.0.0', 'own address'],
    ['10.0.0.255', 'broadcast address'],
    ['10.0.0.1', 'gateway'],
  ])('cannot be %s, the %s of its network', (address, meaning) => {
    expect(refusal(address)).toContain(
      `${address} is the network's ${meaning}: use the address of a machine in 10.0.0.0/24`,
    );
  });

  it.each(['10.0.0.2', '10.0.0.130', '10.0.0.254'])('can be %s', (address) => {
    expect(refusal(address)).toMatchObject([{ pool: { members: [{ address }] } }]);
  });

  it('can be any address if they are members already', () => {
    const before = stored(named('8.8.8.8'));
    const both = [{ ...web, pool: { members: ['8.8.8.8', '10.0.0.9'].map((address) => ({ address, port: 80 })) } }];
    expect(outcomeOf(() => storedListeners(both, membersOf(network, before)))).toMatchObject([
      { pool: { members: [{ address: '8.8.8.8' }, { address: '10.0.0.9' }] } },
    ]);
    expect(outcomeOf(() => storedListeners(named('8.8.4.4'), membersOf(network, before)))).toContain(
      '8.8.4.4 is not in',
    );
  });
});
