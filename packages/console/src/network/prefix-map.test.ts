import { describe, expect, it } from 'vitest';

import { byAddress, gatewayOf, mountAddress, prefixMapOf, type Holder } from './prefix-map.ts';

function network(prefix: string, reservations: { prefixLength: number; providerReservedPrefixLength?: number }) {
  return { status: { regionId: '', prefix, reservations } };
}

const usual = network('10.0.0.0/24', { prefixLength: 25, providerReservedPrefixLength: 28 });
const holder = (name: string, address: string): Holder => ({ kind: 'instance', name, id: name, address });

describe('the map of a prefix', () => {
  it('has the parts of the network, with what is used and free in each', () => {
    const { parts } = prefixMapOf(usual, [
      { kind: 'gateway', name: 'gateway', address: gatewayOf(usual) },
      { ...holder('shared', '10.0.0.16'), kind: 'fileStorage' },
      holder('web-1', '10.0.0.128'),
      holder('web-2', '10.0.0.254'),
      { kind: 'instance', name: 'new', id: 'new' },
    ]);
    expect(parts.map(({ purpose, first, last, size, used }) => [purpose, first, last, size, used])).toEqual([
      ['provider', '10.0.0.0', '10.0.0.15', 16, 1],
      ['storage', '10.0.0.16', '10.0.0.127', 112, 1],
      ['servers', '10.0.0.128', '10.0.0.254', 127, 2],
      ['broadcast', '10.0.0.255', '10.0.0.255', 1, 0],
    ]);
  });

  it('shows every address of a small prefix', () => {
    const { cells } = prefixMapOf(usual, [holder('web-1', '10.0.0.130')]);
    expect(cells).toHaveLength(256);
    expect(cells[130]).toEqual({
      first: '10.0.0.130',
      last: '10.0.0.130',
      purpose: 'servers',
      holders: [holder('web-1', '10.0.0.130')],
    });
    expect([cells[15]?.purpose, cells[16]?.purpose, cells[255]?.purpose]).toEqual(['provider', 'storage', 'broadcast']);
  });

  it('puts neighbours of a large prefix into one square, which is for what most of them are for', () => {
    const large = network('10.0.0.0/16', { prefixLength: 25, providerReservedPrefixLength: 28 });
    const { cells, parts } = prefixMapOf(large, [holder('a', '10.0.3.1'), holder('b', '10.0.3.9')]);
    expect(cells[3]).toMatchObject({ first: '10.0.3.0', last: '10.0.3.255', purpose: 'servers' });
    expect(cells[3]?.holders.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(cells[255]?.purpose).toBe('servers');
    expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(65_536);
  });

  it('leaves two addresses for the provider if nothing is reserved for it, and none for storage if all is', () => {
    const parts = (length: number, ofProvider?: number) =>
      prefixMapOf(
        network('10.0.0.0/24', {
          prefixLength: length,
          ...(ofProvider === undefined ? {} : { providerReservedPrefixLength: ofProvider }),
        }),
        [],
      ).parts.map(({ purpose, size }) => [purpose, size]);
    expect(parts(28)).toEqual([
      ['provider', 2],
      ['storage', 14],
      ['servers', 239],
      ['broadcast', 1],
    ]);
    expect(parts(28, 28).map(([purpose]) => purpose)).toEqual(['provider', 'servers', 'broadcast']);
  });
});

it('the addresses in use are listed in their order, and those without one last', () => {
  const names = [{ kind: 'instance', name: 'new' } as const, holder('b', '10.0.0.20'), holder('a', '10.0.0.3')]
    .toSorted(byAddress)
    .map(({ name }) => name);
  expect(names).toEqual(['a', 'b', 'new']);
});

it('the address of file storage is that from which it is mounted', () => {
  expect([mountAddress('10.0.0.16:/exports/a'), mountAddress('files.example.com:/a'), mountAddress(undefined)]).toEqual(
    ['10.0.0.16', undefined, undefined],
  );
});
