import { isDeepStrictEqual } from 'node:util';

import { isObject, items, type Json } from '../json.ts';

/**
 * The direction of values: requests must accept at least what the contract allows, and responses must return at most
 * what the contract allows.
 */
export type Direction = 'request' | 'response';

export interface SchemaComparison {
  readonly direction: Direction;
  readonly ours: Json;
  readonly contract: Json;
  /** The place in the operation, such as `request body.metadata`. */
  readonly at: string;
}

/** Compares one of our schemas with the contract, and returns a sentence for each incompatible difference. */
export function schemaGaps({
  direction,
  ours: oursAsWritten,
  contract: contractAsWritten,
  at,
}: SchemaComparison): readonly string[] {
  const [ours, contract] = [flatten(oursAsWritten), flatten(contractAsWritten)];
  const own = partsOf(ours);
  return [
    ...keywordGaps(ours, contract, direction, at),
    ...requiredGaps(ours, contract, direction, at),
    ...[...partsOf(contract)].flatMap(([path, part]) => {
      const counterpart = own.get(path);
      return counterpart
        ? schemaGaps({ direction, ours: counterpart, contract: part, at: `${at}${path}` })
        : [`${at}${path}: is missing`];
    }),
  ];
}

/** A schema merged with everything in its `allOf`. */
function flatten({ allOf, ...own }: Json): Json {
  return [...items(allOf).filter(isObject), own]
    .map((schema) => ('allOf' in schema ? flatten(schema) : schema))
    .reduce(merge, {});
}

function merge(a: Json, b: Json): Json {
  const properties = [a, b].flatMap((schema) =>
    Object.entries(isObject(schema['properties']) ? schema['properties'] : {}),
  );
  const required = [...new Set([...items(a['required']), ...items(b['required'])])];
  return {
    ...a,
    ...b,
    ...(properties.length > 0
      ? {
          type: 'object',
          properties: Object.fromEntries(
            properties.map(([name]) => [
              name,
              { allOf: properties.filter(([other]) => other === name).map(([, schema]) => schema) },
            ]),
          ),
        }
      : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The schemas inside a schema, by path. */
function partsOf({ properties, items: element, additionalProperties }: Json): ReadonlyMap<string, Json> {
  const parts = [
    ...Object.entries(isObject(properties) ? properties : {}).map(([name, part]) => [`.${name}`, part] as const),
    ['[]', element] as const,
    ['{}', additionalProperties] as const,
  ];
  return new Map(parts.flatMap(([path, part]) => (isObject(part) ? [[path, part]] : [])));
}

/** Whether a keyword with the first value accepts everything that it accepts with the second. */
type Rule = (wide: unknown, narrow: unknown) => boolean;

const limiting =
  (rule: Rule): Rule =>
  (wide, narrow) =>
    wide === undefined || (narrow !== undefined && rule(wide, narrow));
const atMost = limiting((wide, narrow) => Number(narrow) <= Number(wide));
const atLeast = limiting((wide, narrow) => Number(narrow) >= Number(wide));
/** Patterns are only compared literally, because comparing what they match is hard and not needed. */
const literally = limiting(isDeepStrictEqual);

const rules: Readonly<Record<string, Rule>> = {
  type: limiting((wide, narrow) => wide === narrow || (wide === 'number' && narrow === 'integer')),
  enum: limiting((wide, narrow) => items(narrow).every((value) => items(wide).includes(value))),
  nullable: (wide, narrow) => wide === true || narrow !== true,
  additionalProperties: (wide, narrow) => wide !== false || narrow === false,
  maximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  minimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  pattern: literally,
  format: literally,
  multipleOf: literally,
  uniqueItems: literally,
  exclusiveMaximum: literally,
  exclusiveMinimum: literally,
  oneOf: literally,
  anyOf: literally,
  not: literally,
};

function keywordGaps(ours: Json, contract: Json, direction: Direction, at: string): readonly string[] {
  const broken = Object.entries(rules).filter(([keyword, holds]) =>
    direction === 'request' ? !holds(ours[keyword], contract[keyword]) : !holds(contract[keyword], ours[keyword]),
  );
  return broken.map(
    ([keyword]) => `${at}: ${keyword} is ${shown(ours[keyword])}, but in the contract ${shown(contract[keyword])}`,
  );
}

function requiredGaps(ours: Json, contract: Json, direction: Direction, at: string): readonly string[] {
  const [demanded, given] = direction === 'request' ? [ours, contract] : [contract, ours];
  const surplus = items(demanded['required']).filter((name) => !items(given['required']).includes(name));
  return surplus.map(
    (name) =>
      `${at}.${String(name)}: ${direction === 'request' ? 'is required, but not in the contract' : 'may be absent, but not in the contract'}`,
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
