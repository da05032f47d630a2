import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parse, stringify } from 'yaml';

import { chartParts } from '../packages/unikorn/src/parts/rules.ts';

const folder = join(dirname(import.meta.dirname), 'deploy/chart');

/** The parts and the rules of their Roles, which the templates of the chart read. */
export function chartPartsFile(notice: string): string {
  return `# ${notice}\n${stringify({ parts: chartParts() }, { aliasDuplicateObjects: false })}`;
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Value {
  readonly key: string;
  readonly description: string;
  readonly fallback: unknown;
}

/** The values that have no values inside, with their defaults. */
function valuesIn({ properties = {} }: Schema, defaults: unknown, prefix = ''): readonly Value[] {
  return Object.entries(properties).flatMap(([name, schema]): readonly Value[] => {
    const fallback: unknown =
      typeof defaults === 'object' && defaults !== null ? Reflect.get(defaults, name) : undefined;
    const key = `${prefix}${name}`;
    if (schema.properties) return valuesIn(schema, fallback, `${key}.`);
    return [{ key, description: schema.description ?? '', fallback }];
  });
}

/** The README of the chart: its text, with the table of all values. */
export async function chartPage(notice: string): Promise<string> {
  const schema = JSON.parse(await readFile(join(folder, 'values.schema.json'), 'utf8')) as Schema;
  const defaults: unknown = parse(await readFile(join(folder, 'values.yaml'), 'utf8'));
  const text = await readFile(join(folder, 'README.template.md'), 'utf8');
  const rows = valuesIn(schema, defaults)
    .filter(({ key }) => key !== 'global')
    .map(({ key, description, fallback }) => `| \`${key}\` | ${shown(fallback)} | ${description} |`);
  return text
    .replace('<!-- notice -->', `<!-- ${notice} Edit README.template.md and values.schema.json. -->`)
    .replace('<!-- values -->', ['| Value | Default | What it is |', '|---|---|---|', ...rows].join('\n'));
}

function shown(value: unknown): string {
  return value === '' || value === undefined ? '' : `\`${JSON.stringify(value)}\``;
}
