import { isJsonObject, type JsonObject } from './json.ts';

/** Marks a schema that becomes a named component. The generator ignores this keyword. */
export const componentKey = 'x-component';

/** Moves every named schema of a document to its components, and replaces it with a reference. */
export function hoistComponents<Document extends object>(document: Document): Document;
export function hoistComponents(document: object): object {
  const schemas = new Map<string, unknown>();
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (!isJsonObject(value)) return value;
    const { [componentKey]: name, ...rest } = value;
    const schema = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, hoist(inner)]));
    return typeof name === 'string' ? keep(schemas, name, schema) : schema;
  };
  const body = hoist(document);
  const { components, ...rest } = isJsonObject(body) ? body : {};
  return {
    ...rest,
    components: {
      ...(isJsonObject(components) ? components : {}),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function keep(schemas: Map<string, unknown>, name: string, schema: JsonObject): JsonObject {
  const known = schemas.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two different schemas are named ${name}`);
  schemas.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}
