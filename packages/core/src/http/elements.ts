import type { TObject, TSchema } from 'typebox';

import { Problem } from '../errors/index.ts';
import { property } from './json.ts';

const booleans = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
]);
const integer = /^[+-]?\d{1,15}$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function refuse(name: string, rule: string): never {
  throw new Problem('invalid_request', `invalid path/query element ${name}: ${rule}`);
}

function parseValue(name: string, schema: TSchema, text: string): unknown {
  switch (property(schema, 'type')) {
    case 'integer':
      return integer.test(text) ? Number(text) : refuse(name, 'must be an integer');
    case 'number':
      return decimal.test(text) ? Number(text) : refuse(name, 'must be a number');
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? refuse(name, 'must be true or false');
    default:
      return property(schema, 'format') !== 'uuid' || uuid.test(text) ? text : refuse(name, 'must be a UUID');
  }
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null;
}

function texts(raw: unknown): readonly string[] {
  return (Array.isArray(raw) ? raw : [raw]).filter((value) => typeof value === 'string');
}

/**
 * Converts query variables to their declared types: a repeated key to an array, text to numbers and booleans. Values
 * that cannot be parsed are refused here, before authentication. The schema checks which values are allowed.
 */
export function parseQuery(
  schema: TObject | undefined,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(schema?.properties ?? {})) {
    const given = texts(raw[name]);
    const [first, second] = given;
    if (first === undefined) continue;
    const items = property(declared, 'items');
    if (isSchema(items)) parsed[name] = given.map((text) => parseValue(name, items, text));
    else if (second === undefined) parsed[name] = parseValue(name, declared, first);
    else refuse(name, 'must be given once');
  }
  return parsed;
}
