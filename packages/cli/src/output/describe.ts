import type { Named, Noun } from '../nouns/noun.ts';
import { paintStatus, type Colours } from './colours.ts';
import { ageText } from './duration.ts';
import { padded } from './table.ts';
import { reasonOf, type Cell } from './view.ts';

export interface DescribeOptions {
  readonly colours: Colours;
  readonly now: Date;
}

/** The fields of one object, one per line, with the problem beside its status. */
export function renderDescription(
  noun: Noun,
  object: Named,
  cells: readonly Cell[],
  { colours, now }: DescribeOptions,
): string {
  const { description, tags = [], creationTime } = object.metadata;
  const reason = reasonOf(noun, object);
  const shown = cells
    .filter(({ header }) => header !== 'AGE')
    .flatMap((cell) =>
      cell.header === 'STATUS' ? [painted(cell, colours), { header: 'REASON', texts: [reason] }] : [cell],
    );
  const rest: readonly Cell[] = [
    { header: 'DESCRIPTION', texts: [description ?? ''] },
    { header: 'TAGS', texts: tags.map(({ name, value }) => `${name}=${value}`) },
    {
      header: 'CREATED',
      texts: creationTime === undefined ? [] : [`${creationTime} (${ageText(creationTime, now)} ago)`],
    },
  ];
  return renderFacts([...shown, ...rest], colours);
}

/** One fact per line, with the names aligned. Empty ones are left out. */
export function renderFacts(cells: readonly Cell[], colours: Colours): string {
  const lines = cells
    .map(({ header, texts }) => ({ label: labelOf(header), texts: texts.filter((text) => text !== '') }))
    .filter(({ texts }) => texts.length > 0);
  const width = Math.max(...lines.map(({ label }) => label.length)) + 2;
  return lines
    .flatMap(({ label, texts }) =>
      texts.map((text, index) => `${colours.dim(padded(index === 0 ? `${label}:` : '', width))} ${text}\n`),
    )
    .join('');
}

function painted({ header, texts }: Cell, colours: Colours): Cell {
  return { header, texts: texts.map((text) => paintStatus(colours, text)) };
}

/** `PUBLIC-IP` → `Public IP`. */
function labelOf(header: string): string {
  return header
    .split('-')
    .map((word, index) =>
      acronyms.has(word) ? word : index === 0 ? word.charAt(0) + word.slice(1).toLowerCase() : word.toLowerCase(),
    )
    .join(' ');
}

const acronyms = new Set(['ID', 'IP', 'DNS', 'MAC', 'GPU', 'CPU', 'OS', 'VIP', 'CPUS', 'SSH', 'CA']);
