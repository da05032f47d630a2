import { Type } from 'typebox';

import { wireCodes } from '../errors/index.ts';
import { componentKey } from './components.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** The contract's error body. */
export const ErrorBody = Type.Object(
  {
    error: Type.Unsafe<string>({ type: 'string', enum: [...wireCodes] }),
    error_description: Type.String(),
    trace_id: Type.Optional(Type.String()),
  },
  { $id: 'error' },
);

export const ServiceVersion = Type.Object(
  { name: Type.String(), version: Type.String() },
  { $id: 'serviceVersionRead' },
);

export const ProtectedResource = Type.Object(
  {
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['header', 'body', 'query'] })),
  },
  { $id: 'openidProtectedResource' },
);

/** The values of a union of literals of one type; undefined for any other schema. */
function literalsOf(schema: JsonObject): { readonly type: unknown; readonly enum: readonly unknown[] } | undefined {
  const members = schema['anyOf'];
  if (!Array.isArray(members) || members.length === 0 || !members.every(isJsonObject)) return undefined;
  const types = new Set(members.map((member) => member['type']));
  if (types.size !== 1 || !members.every((member) => 'const' in member)) return undefined;
  return { type: [...types][0], enum: members.map((member) => member['const']) };
}

/**
 * The schema in plain form: a union of literals becomes an enum, and a literal an enum of one, which both OpenAPI 3.0
 * and readers of error messages understand. Names (`$id`) become components of a document; a validator does not need
 * them.
 */
export function plainSchema(schema: object, names: 'kept' | 'dropped'): JsonObject {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isJsonObject(value)) return value;
    const literals = literalsOf(value);
    const { anyOf, const: literal, $id, ...rest } = value;
    const kept = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, plain(inner)]));
    return {
      ...(names === 'kept' && $id !== undefined ? { [componentKey]: $id } : {}),
      ...kept,
      ...(literals ?? (anyOf === undefined ? {} : { anyOf: plain(anyOf) })),
      ...('const' in value ? { enum: [literal] } : {}),
    };
  };
  const result = plain(schema);
  return isJsonObject(result) ? result : {};
}
