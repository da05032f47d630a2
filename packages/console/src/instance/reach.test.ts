import { expect, it } from 'vitest';

import { isAddress, isPort, reaches } from './reach.ts';

const rule = { direction: 'ingress', protocol: 'tcp', port: 443, prefix: '10.0.0.0/24' };

it('only a rule for the direction, protocol, port and address lets a connection in', () => {
  expect(reaches([rule], '10.0.0.5', 443)).toBe(true);
  expect(reaches([rule], '10.0.1.5', 443)).toBe(false);
  expect(reaches([rule], '10.0.0.5', 80)).toBe(false);
  expect(reaches([{ ...rule, direction: 'egress' }], '10.0.0.5', 443)).toBe(false);
  expect(reaches([{ ...rule, protocol: 'udp' }], '10.0.0.5', 443)).toBe(false);
  expect(reaches([], '10.0.0.5', 443)).toBe(false);
});

it('a rule can be for all addresses, all ports, or a range of ports', () => {
  expect(reaches([{ ...rule, prefix: '0.0.0.0/0' }], '203.0.113.9', 443)).toBe(true);
  expect(reaches([{ ...rule, port: 8000, portMax: 8100 }], '10.0.0.5', 8100)).toBe(true);
  expect(reaches([{ direction: 'ingress', protocol: 'any' }], '203.0.113.9', 1)).toBe(true);
});

it('only addresses and ports that exist are judged', () => {
  expect(['10.0.0.5', '255.255.255.255', '10.0.0.256', '10.0.0', '10.0.0.5.6'].map(isAddress)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['1', '443', '65535', '0', '65536', ':443'].map(isPort)).toEqual([true, true, true, false, false, false]);
});
