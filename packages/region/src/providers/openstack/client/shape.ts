import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** Checks the body of an answer. Only the fields that we use are declared; others are allowed. */
export interface Shape<T> {
  Check(value: unknown): value is T;
}

export function shapeOf<Schema extends TSchema>(schema: Schema): Shape<Static<Schema>> {
  const validator = Compile(schema);
  return { Check: (value): value is Static<Schema> => validator.Check(value) };
}

/** OpenStack answers null for what is not set. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
