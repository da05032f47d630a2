import {
  IsArray,
  IsBoolean,
  IsCodec,
  IsInteger,
  IsNumber,
  IsObject,
  IsRecord,
  IsRefine,
  IsString,
  IsUnion,
  RecordPattern,
  RecordValue,
  type TArray,
  type TObject,
  type TRecord,
  type TSchema,
} from 'typebox';

import { pointerTo } from './pointer.ts';
import { choices, requiredProperties, type Literal } from './schema.ts';
import { isOpen } from './visible.ts';

/** A schema in the structural form that Kubernetes requires, as plain data. */
export type StructuralSchema = Readonly<Record<string, unknown>>;

/** The keywords that mean the same in our validator and in a Kubernetes API server, by type. */
const keywords = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
  open: ['x-kubernetes-preserve-unknown-fields'],
  none: [],
} as const satisfies Record<string, readonly string[]>;

const documentation = ['title', 'description'];

/** Keywords that are handled by the structure itself. */
const structure = ['type', 'properties', 'required', 'patternProperties', 'items', 'enum', 'const', 'anyOf'];

/** Kubernetes ignores formats that it does not know, and its `duration` differs from that of JSON Schema. */
const formats = new Set<unknown>(['date', 'date-time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid']);

/** Features of JavaScript regular expressions that RE2, which Kubernetes uses, does not have. */
const beyondRe2 = /\(\?<?[=!]|\\[1-9]/;

/**
 * Converts a schema to the structural OpenAPI schema that Kubernetes requires for a custom resource. The error names
 * the place and an alternative. A schema that cannot be converted is refused, because the engines would differ.
 */
export function structural(schema: TSchema, path: string): StructuralSchema {
  if (IsRefine(schema) || IsCodec(schema))
    throw unsupported(path, 'a refinement or codec cannot be expressed as data: use an admission rule');
  const values = choices(schema);
  if (values) return { type: commonType(values, path), ...annotated(schema, 'none', path), enum: values };
  if (IsUnion(schema))
    throw unsupported(
      path,
      'a union of anything but literals cannot be expressed: use one object with optional properties and an admission rule',
    );
  if (IsString(schema)) return { type: 'string', ...annotated(schema, 'string', path) };
  if (IsInteger(schema)) return { type: 'integer', ...annotated(schema, 'number', path) };
  if (IsNumber(schema)) return { type: 'number', ...annotated(schema, 'number', path) };
  if (IsBoolean(schema)) return { type: 'boolean', ...annotated(schema, 'none', path) };
  if (IsArray(schema)) return structuralArray(schema, path);
  if (IsRecord(schema)) return structuralRecord(schema, path);
  if (IsObject(schema)) return structuralObject(schema, path);
  if (isOpen(schema))
    return {
      ...('type' in schema ? { type: schema.type } : {}),
      ...annotated(schema, 'open', path),
      'x-kubernetes-preserve-unknown-fields': true,
    };
  throw unsupported(
    path,
    'only strings, numbers, integers, booleans, literals, arrays, objects, records and unknown can be expressed',
  );
}

function unsupported(path: string, reason: string): Error {
  return new Error(`${path}: ${reason}`);
}

function structuralArray(schema: TArray, path: string): StructuralSchema {
  return { type: 'array', ...annotated(schema, 'array', path), items: structural(schema.items, `${path}/*`) };
}

function structuralRecord(schema: TRecord, path: string): StructuralSchema {
  if (RecordPattern(schema) !== '^.*$')
    throw unsupported(path, 'a record must have plain strings as keys: use an admission rule for the form of its keys');
  return {
    type: 'object',
    ...annotated(schema, 'object', path),
    additionalProperties: structural(RecordValue(schema), `${path}/*`),
  };
}

function structuralObject(schema: TObject, path: string): StructuralSchema {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, structural(property, path + pointerTo(name))] as const,
  );
  const required = requiredProperties(schema);
  return {
    type: 'object',
    ...annotated(schema, 'object', path),
    ...(required.length > 0 ? { required } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  };
}

function commonType(values: readonly Literal[], path: string): string {
  const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
  const [type] = types;
  if (type === undefined || types.size > 1) throw unsupported(path, 'the literals of a union must all be of one type');
  return type;
}

/** The keywords of the schema that Kubernetes knows. Any other keyword is refused, because it would be lost. */
function annotated(schema: TSchema, type: keyof typeof keywords, path: string): StructuralSchema {
  const known: readonly string[] = [...documentation, ...keywords[type]];
  const entries = Object.entries(schema).filter(([keyword]) => !structure.includes(keyword));
  const foreign = entries.find(
    ([keyword, value]) => !known.includes(keyword) && !(keyword === 'additionalProperties' && value === false),
  );
  if (foreign)
    throw unsupported(path, `the keyword ${foreign[0]} cannot be expressed: leave it out or use an admission rule`);
  return Object.fromEntries(
    entries
      .filter(([keyword]) => known.includes(keyword))
      .flatMap(([keyword, value]) => expressed(keyword, value, path)),
  );
}

function expressed(keyword: string, value: unknown, path: string): (readonly [string, unknown])[] {
  switch (keyword) {
    case 'exclusiveMinimum':
      return [
        ['minimum', value],
        [keyword, true],
      ];
    case 'exclusiveMaximum':
      return [
        ['maximum', value],
        [keyword, true],
      ];
    case 'format':
      if (!formats.has(value))
        throw unsupported(path, `the format is not one of ${[...formats].join(', ')}: use a pattern`);
      return [[keyword, value]];
    case 'pattern':
      if (typeof value !== 'string' || beyondRe2.test(value))
        throw unsupported(path, 'the pattern must be text without lookaround and back references');
      return [[keyword, value]];
    default:
      return [[keyword, value]];
  }
}
