import { useId } from 'react';

import type { Network } from '@unikorn/sdk';

import { Section } from '../parts/page.tsx';
import { number, words } from '../words/index.ts';
import { gatewayOf, prefixMapOf, type Cell, type Holder, type Purpose } from './prefix-map.ts';

const texts = words.network;
const columns = 32;
const side = 16;

/** Each purpose has a pattern and each holder a letter, so that nobody needs the colours. */
const grounds: Readonly<Record<Purpose, 'hatched' | 'dotted' | 'plain'>> = {
  provider: 'hatched',
  storage: 'dotted',
  servers: 'plain',
  broadcast: 'hatched',
};

/** The addresses of the prefix as a picture, and the same as a table: what is reserved, used and free. */
export function AddressMap({ network, holders }: { readonly network: Network; readonly holders: readonly Holder[] }) {
  const gateway = { kind: 'gateway', name: texts.holders.gateway, address: gatewayOf(network) } as const;
  const { parts, cells } = prefixMapOf(network, [gateway, ...holders]);
  const patterns = useId();
  const free = parts.find(({ purpose }) => purpose === 'servers');
  const summary = texts.mapText(number(free ? free.size - free.used : 0), number(free?.size ?? 0));
  return (
    <Section title={texts.map}>
      <div className="flex flex-col gap-4">
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${columns * side} ${(cells.length / columns) * side}`}
          className="w-full max-w-3xl"
        >
          <Patterns id={patterns} />
          {cells.map((cell, index) => (
            <Square
              key={cell.first}
              cell={cell}
              patterns={patterns}
              x={(index % columns) * side}
              y={Math.floor(index / columns) * side}
            />
          ))}
        </svg>
        <Legend patterns={patterns} shared={cells[0]?.first !== cells[0]?.last} />
        <p className="text-muted">{summary}</p>
        {/* Focusable, so that the keyboard can scroll. */}
        <div tabIndex={0} role="group" aria-label={texts.parts} className="overflow-x-auto">
          <table className="w-full text-start">
            <caption className="sr-only">{texts.parts}</caption>
            <thead className="text-sm text-muted">
              <tr className="border-b border-line">
                <th scope="col" className="py-1 pe-4 text-start font-medium">
                  {texts.addresses}
                </th>
                <th scope="col" className="py-1 pe-4 text-start font-medium">
                  {texts.purpose}
                </th>
                <th scope="col" className="py-1 pe-4 text-end font-medium">
                  {texts.used}
                </th>
                <th scope="col" className="py-1 text-end font-medium">
                  {texts.free}
                </th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ purpose, first, last, size, used }) => (
                <tr key={purpose} className="border-b border-line last:border-b-0">
                  <td className="py-1.5 pe-4 font-mono text-sm sm:whitespace-nowrap">
                    {first === last ? first : `${first} – ${last}`}
                  </td>
                  <td className="py-1.5 pe-4">{texts.purposes[purpose]}</td>
                  <td className="py-1.5 pe-4 text-end tabular">{number(used)}</td>
                  <td className="py-1.5 text-end tabular">
                    {purpose === 'broadcast' || purpose === 'provider' ? '–' : number(size - used)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Section>
  );
}

function Square({
  cell: { first, last, purpose, holders },
  patterns,
  x,
  y,
}: {
  readonly cell: Cell;
  readonly patterns: string;
  readonly x: number;
  readonly y: number;
}) {
  const [holder] = holders;
  const kinds = new Set(holders.map(({ kind }) => kind));
  const letter = kinds.size > 1 ? '+' : holder && texts.letters[holder.kind];
  const names = holders.map(({ name, address }) => `${address ?? ''} ${name}`).join(', ');
  return (
    <g>
      <title>{`${first === last ? first : `${first} – ${last}`}: ${names || texts.purposes[purpose]}`}</title>
      <rect
        x={x + 1}
        y={y + 1}
        width={side - 2}
        height={side - 2}
        rx="2"
        className={holder ? 'fill-accent' : 'fill-surface stroke-line-strong'}
      />
      {!holder && grounds[purpose] !== 'plain' && (
        <rect
          x={x + 1}
          y={y + 1}
          width={side - 2}
          height={side - 2}
          rx="2"
          fill={`url(#${patterns}-${grounds[purpose]})`}
        />
      )}
      {letter !== undefined && (
        <text x={x + side / 2} y={y + side / 2 + 3.5} textAnchor="middle" className="fill-on-accent text-[10px]">
          {letter}
        </text>
      )}
    </g>
  );
}

function Patterns({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatched`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1.5" height="4" className="fill-muted" />
      </pattern>
      <pattern id={`${id}-dotted`} width="4" height="4" patternUnits="userSpaceOnUse">
        <circle cx="2" cy="2" r="0.9" className="fill-muted" />
      </pattern>
    </defs>
  );
}

/** What patterns and letters mean. */
function Legend({ patterns, shared }: { readonly patterns: string; readonly shared: boolean }) {
  const kinds = ['gateway', 'instance', 'loadBalancer', 'fileStorage'] as const;
  const purposes = ['provider', 'storage', 'servers'] as const;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {kinds.map((kind) => (
        <Entry key={kind} title={texts.holders[kind]} patterns={patterns} holder={{ kind, name: kind }} />
      ))}
      {shared && <li className="text-muted">{texts.several}</li>}
      {purposes.map((purpose) => (
        <Entry key={purpose} title={texts.freeFor[purpose]} patterns={patterns} purpose={purpose} />
      ))}
    </ul>
  );
}

function Entry({
  title,
  patterns,
  purpose = 'servers',
  holder,
}: {
  readonly title: string;
  readonly patterns: string;
  readonly purpose?: Purpose;
  readonly holder?: Holder;
}) {
  return (
    <li className="flex items-center gap-1.5">
      <svg aria-hidden="true" viewBox={`0 0 ${side} ${side}`} className="size-4">
        <Square
          cell={{ first: title, last: title, purpose, holders: holder ? [holder] : [] }}
          patterns={patterns}
          x={0}
          y={0}
        />
      </svg>
      {title}
    </li>
  );
}
