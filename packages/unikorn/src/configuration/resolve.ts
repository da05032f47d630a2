import { Check, Errors } from 'typebox/schema';

import { Configuration, type Declaration } from './schema.ts';
import { groups, settings } from './settings.ts';
import type { Given } from './sources.ts';

/** The source of each value, by the key of the setting; absent for a default. */
export type Origins = ReadonlyMap<string, string>;

export interface Resolved {
  readonly configuration: Configuration;
  readonly origins: Origins;
}

/** The mistakes in the given values: each is a sentence with the source, the key and the allowed values. */
export function mistakesIn(given: readonly Given[]): readonly string[] {
  return given.filter(({ setting, value }) => !Check(setting.schema, value)).map(mistake);
}

function mistake({ setting: { key, schema, allowed, type }, value, origin }: Given): string {
  const said =
    type === 'array' ? placesOf(key, schema, value) : `${key} is ${isSecret(schema) ? 'not valid' : shown(value)}`;
  return `${origin}: ${said}, and must be ${allowed}`;
}

export function isSecret(schema: object): boolean {
  return 'writeOnly' in schema;
}

/** Rules whose own message is not understandable for users. */
const inWords: Readonly<Record<string, string>> = {
  boolean: 'is not a setting',
  pattern: 'does not have the right form',
};

/** A list may contain secrets, so a problem in it is reported by its position and the rule, without the value. */
function placesOf(key: string, schema: Declaration, value: unknown): string {
  const [, errors] = Errors(schema, value);
  return errors
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(
      ({ keyword, instancePath, message }) =>
        `${key}${instancePath.replaceAll('/', '.')} ${inWords[keyword] ?? message}`,
    )
    .join(', ');
}

const shownLength = 60;

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a group';
  const text = JSON.stringify(value).replace(/\/\/[^/]*@/, '//…@');
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** Valid values and defaults together. If a setting has two values, the later one is used. */
export function resolved(given: readonly Given[]): Resolved {
  const last = new Map(given.map((each) => [each.setting.key, each]));
  const values = settings.map((setting) => ({
    ...setting,
    value: last.has(setting.key) ? last.get(setting.key)?.value : setting.default,
  }));
  const configuration: unknown = Object.fromEntries(
    groups.map(({ name: group }) => [
      group,
      Object.fromEntries(
        values
          .filter((each) => each.group === group && each.value !== undefined)
          .map(({ name, value }) => [name, value]),
      ),
    ]),
  );
  if (!Check(Configuration, configuration)) throw new Error('valid values do not form a valid configuration');
  return { configuration, origins: new Map([...last].map(([key, { origin }]) => [key, origin])) };
}
