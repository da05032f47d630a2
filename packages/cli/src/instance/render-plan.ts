import type { InstancePlan } from '@unikorn/sdk';

import { instance } from '../nouns/instance.ts';
import type { Colours } from '../output/colours.ts';
import { renderTable } from '../output/table.ts';
import { withFlagNames } from '../typed.ts';
import type { Disruption } from './consent.ts';
import type { NameOf, Reference } from './references.ts';

const columns = [
  'FIELD',
  { header: 'NOW', flows: true },
  { header: 'THEN', flows: true },
  { header: 'EFFECT', exact: true },
];

/** Renders the plan of an update. */
export function renderPlan(
  name: string,
  { action, changes, losses, warnings, quota, blockers }: InstancePlan,
  nameOf: NameOf,
  colours: Colours,
  width?: number,
): string {
  const rows = changes.map(({ field, from, to, action: effect }) => [
    labelOf(field),
    shown(field, from, nameOf),
    shown(field, to, nameOf),
    { text: words[effect], paint: (text: string) => painted(effect, text, colours) },
  ]);
  const effects = quota
    .filter(({ delta }) => delta !== 0)
    .map(({ kind, delta, free }) => `${kind} ${delta > 0 ? '+' : ''}${delta} (${free} free)`);
  return [
    `${painted(action, `${name} ${outcomes[action]}`, colours)}\n`,
    ...(rows.length > 0 ? [renderTable(columns, rows, { width })] : []),
    ...(losses.length > 0 ? [`${colours.red('lost permanently:')} ${losses.join(', ')}\n`] : []),
    ...warnings.map((warning) => `${colours.yellow('beware:')} ${warning}\n`),
    ...(effects.length > 0 ? [`quota: ${effects.join(', ')}\n`] : []),
    ...blockers.map(({ message }) => `${colours.red('✗')} ${withFlagNames(instance, message)}\n`),
  ].join('');
}

const outcomes: Readonly<Record<Disruption, string>> = {
  none: 'would not be disrupted',
  'in-place': 'would be changed while it runs',
  restart: 'would be restarted',
  rebuild: 'would be rebuilt: its disk is replaced with a new one',
  recreate: 'would be recreated: its machine is replaced with a new one',
};

const words: Readonly<Record<Disruption, string>> = {
  none: 'none',
  'in-place': 'in place',
  restart: 'restart',
  rebuild: 'rebuild',
  recreate: 'recreate',
};

function painted(action: Disruption, text: string, colours: Colours): string {
  switch (action) {
    case 'none':
    case 'in-place':
      return text;
    case 'restart':
      return colours.yellow(text);
    case 'rebuild':
    case 'recreate':
      return colours.red(text);
  }
}

/** The names of the resources that a plan contains by id. */
export function referencesIn({ changes }: InstancePlan): readonly Reference[] {
  return changes.flatMap(({ field, from, to }) => {
    const noun = fieldAt(field)?.noun;
    return noun === undefined ? [] : [from, to].flat().flatMap((id) => (typeof id === 'string' ? [{ noun, id }] : []));
  });
}

function fieldAt(path: string) {
  return instance.fields.find((field) => field.path === path);
}

/** The flag of a field. */
function labelOf(path: string): string {
  return fieldAt(path)?.flag ?? path.split('.').at(-1) ?? path;
}

function shown(path: string, value: unknown, nameOf: NameOf): string {
  const field = fieldAt(path);
  if (typeof value === 'string' && field?.type === 'base64') return `${Buffer.from(value, 'base64').length} bytes`;
  const noun = field?.noun;
  return text(value, (id) => (noun === undefined ? id : nameOf(noun, id)));
}

function text(value: unknown, named: (id: string) => string): string {
  if (value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return named(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((element) => text(element, named)).join(',');
  return isTag(value) ? `${value.name}=${value.value}` : JSON.stringify(value);
}

function isTag(value: unknown): value is { readonly name: string; readonly value: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'value' in value &&
    typeof value.value === 'string'
  );
}
