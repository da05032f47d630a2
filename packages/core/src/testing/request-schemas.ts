import type { TSchema } from 'typebox';

import { declaredPart } from '../http/declared.ts';
import type { Route } from '../http/route.ts';
import { plainSchema } from '../http/schemas.ts';
import { child, isObject, items as itemsOf, type Json } from './json.ts';

const unknownField = 'unknown-to-the-schema';

/** The places in a body where an undeclared field would reach a handler, because it is neither dropped nor refused. */
export function keptUnknowns({ operationId, body }: Pick<Route, 'operationId' | 'body'>): readonly string[] {
  if (!body) return [];
  const schema = plainSchema(body, 'dropped');
  return kept(schema, declaredPart(body)(sampleOf(schema)), `${operationId} body`);
}

/** A value with every property of a schema, and an unknown field in each object. Only its shape matters. */
function sampleOf({ properties, items }: Json): unknown {
  if (isObject(items)) return [sampleOf(items)];
  if (!isObject(properties)) return 'text';
  return {
    ...Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, isObject(part) ? sampleOf(part) : 'text']),
    ),
    [unknownField]: true,
  };
}

function kept({ properties, items, additionalProperties }: Json, value: unknown, place: string): readonly string[] {
  if (isObject(items)) return kept(items, itemsOf(value)[0], `${place}[]`);
  if (!isObject(properties)) return [];
  const here = isObject(value) && unknownField in value && additionalProperties !== false ? [place] : [];
  return [
    ...here,
    ...Object.entries(properties).flatMap(([name, part]) =>
      isObject(part) ? kept(part, child(value, name), `${place}.${name}`) : [],
    ),
  ];
}

/**
 * The places in a request that have no size limit: strings without a length, lists without a number of items, free-form
 * objects without a size.
 */
export function unboundedPlaces({
  operationId,
  params,
  query,
  body,
}: Pick<Route, 'operationId' | 'params' | 'query' | 'body'>): readonly string[] {
  const parts: readonly (readonly [string, TSchema | undefined, 'formats count' | 'formats are not checked'])[] = [
    ['path', params, 'formats count'],
    ['query', query, 'formats count'],
    ['body', body, 'formats are not checked'],
  ];
  return parts.flatMap(([part, schema, formats]) =>
    schema ? unbounded(plainSchema(schema, 'dropped'), `${operationId} ${part}`, formats === 'formats count') : [],
  );
}

function unbounded(schema: Json, place: string, formatsCount: boolean): readonly string[] {
  const { type, properties, items, additionalProperties, patternProperties, anyOf } = schema;
  const lacks = (...keywords: readonly string[]) => keywords.every((keyword) => schema[keyword] === undefined);
  const within = (part: unknown, where: string) => (isObject(part) ? unbounded(part, where, formatsCount) : []);
  if (type === 'string')
    return lacks('enum', 'maxLength') && !(formatsCount && schema['format'] === 'uuid')
      ? [`${place}: needs maxLength`]
      : [];
  if (type === 'array')
    return [...(lacks('maxItems') ? [`${place}: needs maxItems`] : []), ...within(items, `${place}[]`)];
  if (Array.isArray(anyOf)) return anyOf.flatMap((part) => within(part, place));
  if (type !== 'object') return [...(type === undefined && lacks('enum') ? [`${place}: has no type`] : [])];
  const isFree = isObject(additionalProperties) || isObject(patternProperties) || !isObject(properties);
  return [
    ...(isFree && lacks('maxProperties') ? [`${place}: needs maxProperties`] : []),
    ...(isFree && lacks('propertyNames') ? [`${place}: needs propertyNames with maxLength`] : []),
    ...[additionalProperties, ...Object.values(isObject(patternProperties) ? patternProperties : {})].flatMap((part) =>
      within(part, `${place}{}`),
    ),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) =>
      within(part, `${place}.${name}`),
    ),
  ];
}
