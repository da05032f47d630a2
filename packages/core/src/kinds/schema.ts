import {
  IsArray,
  IsEnum,
  IsLiteral,
  IsObject,
  IsOptional,
  IsRecord,
  IsUnion,
  RecordPattern,
  RecordValue,
  type TObject,
  type TSchema,
} from 'typebox';

export type Literal = string | number | boolean;

function isLiteral(value: unknown): value is Literal {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The values of a schema that is a literal or a choice among literals; undefined for any other schema. */
export function choices(schema: TSchema): readonly Literal[] | undefined {
  if (IsLiteral(schema)) return [schema.const].filter(isLiteral);
  if (IsEnum(schema)) return schema.enum.filter(isLiteral);
  if (!IsUnion(schema)) return undefined;
  const members = schema.anyOf.map(choices);
  return members.every((member) => member !== undefined) ? members.flat() : undefined;
}

export function requiredProperties({ properties }: TObject): readonly string[] {
  return Object.keys(properties).filter((name) => !IsOptional(properties[name]));
}

/**
 * The same schema, but undeclared properties are refused. A Kubernetes API server would silently drop them, so the
 * stored object would differ between engines.
 */
export function sealed(schema: TSchema): TSchema {
  const values = choices(schema);
  if (values) return { enum: values };
  if (IsObject(schema)) {
    const properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, sealed(property)]),
    );
    return { ...schema, properties, additionalProperties: false };
  }
  if (IsArray(schema)) return { ...schema, items: sealed(schema.items) };
  // The pattern of all keys does not match keys with a line break, and no other check would see those.
  if (IsRecord(schema))
    return {
      ...schema,
      patternProperties: { [RecordPattern(schema)]: sealed(RecordValue(schema)) },
      additionalProperties: false,
    };
  return schema;
}
