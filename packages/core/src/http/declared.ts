import type { TSchema } from 'typebox';

import { isJsonObject, type JsonObject } from './json.ts';

type Cleaner = (value: unknown) => unknown;

const asItIs: Cleaner = (value) => value;

/**
 * Removes undeclared fields, at every depth: the contract tolerates unknown fields, but a store refuses them. A closed
 * object (`additionalProperties: false`) is not changed, so that validation can name the unknown field.
 */
export function declaredPart(schema: TSchema): Cleaner {
  return isJsonObject(schema) ? cleanerOf(schema) : asItIs;
}

function cleanerOf({ properties, items, additionalProperties }: JsonObject): Cleaner {
  if (isJsonObject(items)) return cleanList(cleanerOf(items));
  if (!isJsonObject(properties) || additionalProperties !== undefined) return asItIs;
  return cleanObject(
    new Map(Object.entries(properties).map(([name, part]) => [name, isJsonObject(part) ? cleanerOf(part) : asItIs])),
  );
}

function cleanList(clean: Cleaner): Cleaner {
  if (clean === asItIs) return asItIs;
  return (value) => (Array.isArray(value) ? value.map(clean) : value);
}

function cleanObject(cleaners: ReadonlyMap<string, Cleaner>): Cleaner {
  return (value) => {
    if (!isJsonObject(value)) return value;
    const cleaned: Record<string, unknown> = {};
    for (const name in value) {
      const clean = cleaners.get(name);
      if (clean) cleaned[name] = clean(value[name]);
    }
    return cleaned;
  };
}
