import { Environment } from '@marcbachmann/cel-js';
import {
  IsArray,
  IsBoolean,
  IsInteger,
  IsNumber,
  IsObject,
  IsRecord,
  IsString,
  RecordValue,
  type TObject,
  type TSchema,
} from 'typebox';

import type { AdmissionRule } from './kind.ts';
import { choices } from './schema.ts';
import { celName, isVisible } from './visible.ts';

/** A compiled rule. */
export interface CompiledRule {
  readonly message: string;
  /** Whether the rule is about a change, so that it is only checked on updates. */
  readonly transition: boolean;
  /** Throws when the rule reads a missing field, as `self.spec.x` does without `has(self.spec.x)`. */
  readonly holds: (self: unknown, oldSelf: unknown) => boolean;
}

const environment = new Environment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

export function compileRule({ rule, message }: AdmissionRule): CompiledRule {
  const evaluate = environment.parse(rule);
  return {
    message,
    transition: mentions(evaluate.ast, 'oldSelf'),
    holds: (self, oldSelf) => evaluate({ self, oldSelf }) === true,
  };
}

function mentions(node: unknown, variable: string): boolean {
  if (Array.isArray(node)) return node.some((part) => mentions(part, variable));
  if (typeof node !== 'object' || node === null || !('op' in node && 'args' in node)) return false;
  return node.op === 'id' ? node.args === variable : mentions(node.args, variable);
}

/**
 * The defects of the rules of a kind: a rule does not parse, uses a name that rules cannot see, or does not return true
 * or false.
 */
export function ruleDefects(rules: readonly AdmissionRule[], spec: TObject, status: TObject): readonly string[] {
  if (rules.length === 0) return [];
  const schema = {
    apiVersion: 'string',
    kind: 'string',
    metadata: { name: 'string' },
    spec: celTypes(spec),
    status: celTypes(status),
  };
  const typed = new Environment()
    .registerVariable({ name: 'self', schema })
    .registerVariable({ name: 'oldSelf', schema });
  return rules.flatMap(({ rule, message }) => {
    if (message === '' || message.includes('\n')) return [`the message of the rule ${rule} must be one line of text`];
    const { valid, type, error } = typed.check(rule);
    if (!valid) return [`the rule ${rule} is not valid: ${error?.summary ?? 'it cannot be checked'}`];
    return type === 'bool' || type === 'dyn' ? [] : [`the rule ${rule} must be true or false`];
  });
}

/**
 * The types of an object's own properties, under names that work on every engine. Deeper types are only known when the
 * rule runs.
 */
function celTypes(schema: TObject): Record<string, string> {
  const visible = Object.entries(schema.properties).filter(
    ([name, property]) => celName(name) === name && isVisible(property),
  );
  return Object.fromEntries(visible.map(([name, property]) => [name, celType(property)]));
}

function celType(schema: TSchema): string {
  const [choice] = choices(schema) ?? [];
  if (IsString(schema) || typeof choice === 'string') return 'string';
  if (IsBoolean(schema) || typeof choice === 'boolean') return 'bool';
  if (IsInteger(schema)) return 'int';
  if (IsNumber(schema)) return 'double';
  if (IsArray(schema)) return `list<${celType(schema.items)}>`;
  if (IsRecord(schema)) return `map<string, ${celType(RecordValue(schema))}>`;
  return IsObject(schema) ? 'map<string, dyn>' : 'dyn';
}

type View = (value: unknown) => unknown;

/**
 * Converts a value of this schema to the form that rules get: integers become CEL's int, all else is unchanged.
 * Undefined if nothing needs converting. JavaScript has one number type, and `double + int` is an error in CEL.
 */
export function celView(schema: TSchema): View | undefined {
  if (IsInteger(schema) || choices(schema)?.some(Number.isInteger))
    return (value) => (Number.isInteger(value) ? BigInt(Number(value)) : value);
  if (IsArray(schema)) return listView(celView(schema.items));
  if (IsRecord(schema)) return mapView(celView(RecordValue(schema)));
  if (IsObject(schema))
    return objectView(Object.entries(schema.properties).map(([name, property]) => [name, celView(property)]));
  return undefined;
}

function listView(item: View | undefined): View | undefined {
  return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
}

function mapView(entry: View | undefined): View | undefined {
  if (!entry) return undefined;
  return (value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, entry(item)]))
      : value;
}

function objectView(properties: readonly (readonly [string, View | undefined])[]): View | undefined {
  const views = properties.flatMap(([name, view]) => (view ? [{ name, view }] : []));
  if (views.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const shown: Record<string, unknown> = { ...value };
    for (const { name, view } of views) if (name in shown) shown[name] = view(shown[name]);
    return shown;
  };
}
