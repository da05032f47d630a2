import { Type, type Static, type TSchema } from 'typebox';

import { defined } from '@unikorn/core/defined';

/** The longest text is a key in PEM; the longest list is that of a cloud's flavors. */
const bounds = { string: { maxLength: 4_096 }, array: { maxItems: 1_024 } } as const;

/**
 * The connection of a cloud as it is stored, but with a limit on every text and list. Undeclared fields are refused at
 * every depth, so that a misspelt setting is not dropped silently.
 */
export function settings<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema>>(strict(schema));
}

function strict(schema: object): Record<string, unknown> {
  const { type, properties, items, ...rest }: Readonly<Record<string, unknown>> = { ...schema };
  return {
    ...defined({ type }),
    ...(type === 'string' ? bounds.string : type === 'array' ? bounds.array : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, isObject(part) ? strict(part) : part]),
          ),
          additionalProperties: false,
        }
      : {}),
    ...(isObject(items) ? { items: strict(items) } : {}),
    ...rest,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
