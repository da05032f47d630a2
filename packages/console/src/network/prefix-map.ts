import type { Network } from '@unikorn/sdk';

import { numberOf, sizeOf } from './text.ts';

/** Who may use the addresses of a part of the prefix. */
export type Purpose = 'provider' | 'storage' | 'servers' | 'broadcast';

/** Something that has an address in the network. */
export interface Holder {
  readonly kind: 'gateway' | 'instance' | 'loadBalancer' | 'fileStorage';
  readonly name: string;
  /** Absent for the gateway, which has no page. */
  readonly id?: string;
  /** Absent until it has one. */
  readonly address?: string | undefined;
}

export interface Part {
  readonly purpose: Purpose;
  readonly first: string;
  readonly last: string;
  readonly size: number;
  readonly used: number;
}

/** A square of the picture: one address, or several neighbours in a large prefix. */
export interface Cell {
  readonly first: string;
  readonly last: string;
  readonly purpose: Purpose;
  readonly holders: readonly Holder[];
}

export interface PrefixMap {
  readonly parts: readonly Part[];
  readonly cells: readonly Cell[];
}

/** No prefix has fewer addresses. */
const cellCount = 256;

/** Without a reservation of its own, the provider still has the address of the network and the gateway. */
const providerMinimum = 2;

/** The gateway is always the first address after that of the network. */
export function gatewayOf({ status }: Pick<Network, 'status'>): string {
  return addressAt(status.prefix, 1);
}

/** How a network divides its addresses, and which of them are used. */
export function prefixMapOf({ status }: Pick<Network, 'status'>, holders: readonly Holder[]): PrefixMap {
  const { prefix, reservations } = status;
  const size = sizeOf(prefix);
  const perCell = size / cellCount;
  const reserved = sizeOf(`/${reservations.prefixLength}`);
  const { providerReservedPrefixLength: ofProvider } = reservations;
  const provided = ofProvider === undefined ? providerMinimum : sizeOf(`/${ofProvider}`);
  const ends: readonly (readonly [Purpose, number])[] = [
    ['provider', provided],
    ['storage', Math.max(reserved, provided)],
    ['servers', size - 1],
    ['broadcast', size],
  ];
  const placed = holders.flatMap((holder) =>
    holder.address === undefined ? [] : [{ holder, offset: offsetIn(prefix, holder.address) }],
  );
  const offsets = [...new Set(placed.map(({ offset }) => offset))];
  const byCell = Map.groupBy(placed, ({ offset }) => Math.floor(offset / perCell));
  const parts = ends.map(([purpose, end], index) => ({ purpose, from: ends[index - 1]?.[1] ?? 0, end }));
  /** A square of several addresses is drawn as what most of them are for. */
  const purposeOf = (from: number, to: number) =>
    parts
      .map(({ purpose, from: first, end }) => ({ purpose, shared: Math.min(to, end) - Math.max(from, first) }))
      .reduce((most, each) => (each.shared > most.shared ? each : most)).purpose;
  const span = (from: number, to: number) => ({ first: addressAt(prefix, from), last: addressAt(prefix, to - 1) });
  return {
    parts: parts
      .filter(({ from, end }) => end > from)
      .map(({ purpose, from, end }) => ({
        purpose,
        ...span(from, end),
        size: end - from,
        used: offsets.filter((offset) => offset >= from && offset < end).length,
      })),
    cells: Array.from({ length: cellCount }, (_unused, index) => {
      const [from, to] = [index * perCell, (index + 1) * perCell];
      return {
        ...span(from, to),
        purpose: purposeOf(from, to),
        holders: (byCell.get(index) ?? []).map(({ holder }) => holder),
      };
    }),
  };
}

/** The address from which file storage is mounted, such as that of `10.0.0.16:/exports/data`. */
export function mountAddress(mountSource: string | undefined): string | undefined {
  return /^(\d+(?:\.\d+){3}):/.exec(mountSource ?? '')?.[1];
}

/** In the order of the addresses; those that have none yet come last. */
export function byAddress(a: Holder, b: Holder): number {
  return orderOf(a) - orderOf(b) || a.name.localeCompare(b.name);
}

function orderOf({ address }: Holder): number {
  return address === undefined ? Number.MAX_SAFE_INTEGER : numberOf(address);
}

function offsetIn(prefix: string, address: string): number {
  return numberOf(address) - numberOf(prefix.split('/')[0] ?? '');
}

function addressAt(prefix: string, offset: number): string {
  const value = numberOf(prefix.split('/')[0] ?? '') + offset;
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
}
