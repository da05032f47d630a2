import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fieldLimits, objectLimits, trafficLimits } from '@unikorn/core/limits';

interface Table {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly values: Readonly<Record<string, number>>;
}

const tables: readonly Table[] = [
  {
    name: 'fieldLimits',
    title: 'Fields',
    about:
      'Characters of a text, or items of a list. Longer input is refused with 400 and a message that names the field and the limit.',
    values: { ...fieldLimits },
  },
  {
    name: 'objectLimits',
    title: 'Objects',
    about:
      'Number of objects of the kinds without a [quota](../guides/quotas.md). A request for one more is refused with 403. [Configurable](configuration.md#objects).',
    values: { ...objectLimits },
  },
  {
    name: 'trafficLimits',
    title: 'Traffic',
    about:
      'Requests over a limit are refused with 429 or 503 and `Retry-After`. [Configurable](configuration.md#traffic).',
    values: { ...trafficLimits },
  },
];

/** The reasons from the comments above each number. */
function reasonsIn(source: string, table: string): ReadonlyMap<string, string> {
  const from = source.indexOf(`export const ${table}`);
  const text = source.slice(from, source.indexOf('\n}', from));
  const reasons = new Map<string, string>();
  for (const [, comment, name] of text.matchAll(/^ {2}(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2})?(\w+):/gm)) {
    if (name === undefined) continue;
    if (comment === undefined) throw new Error(`${table}.${name} needs a comment that says why`);
    reasons.set(name, comment.replace(/\s+(?:\* )?/g, ' ').trim());
  }
  return reasons;
}

export async function limitsPage(notice: string): Promise<string> {
  const source = await readFile(join(import.meta.dirname, '../packages/core/src/limits.ts'), 'utf8');
  const sections = tables.flatMap(({ name, title, about, values }) => {
    const reasons = reasonsIn(source, name);
    const rows = Object.entries(values).map(
      ([limit, value]) => `| \`${limit}\` | ${value.toLocaleString('en')} | ${reasons.get(limit) ?? ''} |`,
    );
    return [`## ${title}`, '', about, '', '| Limit | At most | Why |', '|---|---|---|', ...rows, ''];
  });
  return [
    '# Limits',
    '',
    `<!-- ${notice} -->`,
    '',
    'Everything that a caller can grow has a limit. The table is [`limits.ts`](../../packages/core/src/limits.ts).',
    '',
    ...sections,
  ].join('\n');
}
