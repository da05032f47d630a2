import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** Checks the body of an answer. Only the fields that we use are declared; others are allowed. */
export interface Shape<T> {
  Check(value: unknown): value is T;
}

export function shapeOf<Schema extends TSchema>(schema: Schema): Shape<Static<Schema>> {
  // Compiled with the first answer: a process that has no such region must not pay for it.
  let validator: Validator | undefined;
  return { Check: (value): value is Static<Schema> => (validator ??= Compile(schema)).Check(value) };
}

/** OpenStack answers null for what is not set. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
