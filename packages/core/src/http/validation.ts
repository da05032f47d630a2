import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';

import { Problem } from '../errors/index.ts';
import { declaredPart } from './declared.ts';
import { property } from './json.ts';
import { plainSchema } from './schemas.ts';

/** Path variables are identifiers that must be valid, so their formats are checked. */
const strictFormats = new Ajv({ strict: false });
addFormats.default(strictFormats);

/**
 * Formats in queries and bodies are not checked, because the contract declares some that are wrong (`ipv4` for a
 * prefix).
 */
const looseFormats = new Ajv({ strict: false, validateFormats: false, verbose: true });

/** Names the field and the rule that it violates, and never repeats the value. */
export function describeViolation(location: string, errors: readonly ErrorObject[] | null | undefined): string {
  const error = errors?.at(-1);
  const place = `${location}${(error?.instancePath ?? '').replaceAll('/', '.')}`;
  return `${place}: ${ruleOf(error)}`;
}

/** Our messages for rules whose standard message is unclear. */
const rules: Readonly<Record<string, (params: unknown) => string>> = {
  enum: (params) => `must be one of ${words(property(params, 'allowedValues'))}`,
  required: (params) => `needs ${words(property(params, 'missingProperty'))}`,
  additionalProperties: (params) => `has no ${words(property(params, 'additionalProperty'))}`,
  minItems: (params) => `must have at least ${words(property(params, 'limit'))} items`,
  maxItems: (params) => `must have at most ${words(property(params, 'limit'))} items`,
  minLength: (params) => `must have at least ${words(property(params, 'limit'))} characters`,
  maxLength: (params) => `must have at most ${words(property(params, 'limit'))} characters`,
  format: (params) => `must be a ${words(property(params, 'format'))}`,
};

function words(value: unknown): string {
  return Array.isArray(value)
    ? value.map(words).join(', ')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : '';
}

function ruleOf(error: ErrorObject | undefined): string {
  if (!error) return 'does not match its schema';
  const described = error.keyword === 'pattern' ? property(error.parentSchema, 'description') : undefined;
  // Most users cannot read a pattern. Use the description of the field instead, if there is one.
  if (typeof described === 'string' && /^an? /.test(described)) return `must be ${described}`;
  return rules[error.keyword]?.(error.params) ?? error.message ?? 'does not match its schema';
}

/**
 * Compiled with the first use: most processes never use most operations, and compiling all takes a quarter of the start
 * time.
 */
function validationBy(engine: Ajv, schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => (compiled ??= engine.compile(plainSchema(schema, 'dropped')));
}

export type Check = (value: unknown) => void;

function checker(schema: TSchema, location: string): Check {
  const validation = validationBy(looseFormats, schema);
  return (value) => {
    const validate = validation();
    if (!validate(value)) throw new Problem('invalid_request', describeViolation(location, validate.errors));
  };
}

export function queryCheck(schema: TObject): Check {
  return checker(schema, 'query');
}

/** Checks a body and returns its declared fields. */
export function bodyReader(schema: TSchema): (body: unknown) => unknown {
  const check = checker(schema, 'body');
  const clean = declaredPart(schema);
  return (body) => {
    check(body);
    return clean(body);
  };
}

/** An invalid path variable is refused before authentication. Clients depend on the exact message. */
export function paramsCheck(schema: TObject): Check {
  const validation = validationBy(strictFormats, schema);
  return (value) => {
    const validate = validation();
    if (validate(value)) return;
    const error = validate.errors?.at(-1);
    const name = error?.instancePath.split('/')[1] ?? '';
    throw new Problem('invalid_request', `invalid path/query element ${name}: ${ruleOf(error)}`);
  };
}

/** Describes how a response violates its declaration; undefined if it does not. */
export function responseCheck(schema: TSchema): (body: unknown) => string | undefined {
  const validation = validationBy(looseFormats, schema);
  return (body) => {
    const validate = validation();
    return validate(body) ? undefined : describeViolation('response', validate.errors);
  };
}
