import { IsArray, IsObject, IsOptional, IsRecord, RecordValue, Type, type TSchema } from 'typebox';

import { pointerSteps } from './pointer.ts';
import { celName, isVisible } from './visible.ts';

type FieldStep =
  | { readonly type: 'property'; readonly name: string; readonly optional: boolean }
  | { readonly type: 'key'; readonly name: string }
  | { readonly type: 'index'; readonly index: number };

const labelMap = Type.Object({ labels: Type.Optional(Type.Record(Type.String(), Type.String())) });

/** The path of a pointer through the schemas. */
export interface FieldPath {
  readonly steps: readonly FieldStep[];
  /** Whether Kubernetes shows the field to rules. */
  readonly visible: boolean;
}

/** Follows a pointer through the schemas. The error names the step that does not exist. */
export function fieldPath(pointer: string, spec: TSchema): FieldPath {
  const [root, ...rest] = pointerSteps(pointer);
  const inLabels = root === 'metadata' && rest[0] === 'labels' && rest.length === 2;
  if (!pointer.startsWith('/') || (root !== 'spec' && !inLabels))
    throw new Error(`${pointer}: an immutable field must be /spec, a field in it, or a label in /metadata/labels`);
  let schema: TSchema = root === 'spec' ? spec : labelMap;
  const steps: FieldStep[] = [{ type: 'property', name: root, optional: false }];
  for (const name of rest) {
    const next = stepInto(schema, name);
    if (!next) throw new Error(`${pointer}: there is no ${name} in the schema`);
    steps.push(next.step);
    schema = next.schema;
  }
  return { steps, visible: root === 'spec' && isVisible(schema) };
}

function stepInto(schema: TSchema, name: string): { readonly step: FieldStep; readonly schema: TSchema } | undefined {
  if (IsObject(schema)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return property && { step: { type: 'property', name, optional: IsOptional(property) }, schema: property };
  }
  if (IsRecord(schema)) return { step: { type: 'key', name }, schema: RecordValue(schema) };
  if (IsArray(schema) && /^(0|[1-9]\d*)$/.test(name))
    return { step: { type: 'index', index: Number(name) }, schema: schema.items };
  return undefined;
}

/** The CEL rule that keeps the field unchanged, present or absent. */
export function transitionRule({ steps }: FieldPath): string {
  const [self, old] = [reach('self', steps), reach('oldSelf', steps)];
  const same = `${self.value} == ${old.value}`;
  if (!self.present || !old.present) return same;
  return `(${self.present}) == (${old.present}) && (!(${self.present}) || ${same})`;
}

/** The CEL expression that reads a field, and the one that checks whether an optional field is present. */
function reach(root: string, steps: readonly FieldStep[]): { readonly value: string; readonly present: string } {
  let value = root;
  const present: string[] = [];
  for (const step of steps) {
    const next = access(value, step);
    if (next.present) present.push(next.present);
    value = next.value;
  }
  return { value, present: present.join(' && ') };
}

function access(parent: string, step: FieldStep): { readonly value: string; readonly present?: string } {
  switch (step.type) {
    case 'property': {
      const value = `${parent}.${celName(step.name)}`;
      return step.optional ? { value, present: `has(${value})` } : { value };
    }
    case 'key': {
      const key = JSON.stringify(step.name);
      return { value: `${parent}[${key}]`, present: `${key} in ${parent}` };
    }
    case 'index':
      return { value: `${parent}[${step.index}]`, present: `size(${parent}) > ${step.index}` };
  }
}
