import { IsAny, IsArray, IsRecord, IsUnknown, RecordValue, type TSchema } from 'typebox';

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
);
const replacements: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name under which Kubernetes shows a property to rules; it must be an identifier. */
export function celName(property: string): string {
  return reserved.has(property)
    ? `__${property}__`
    : property.replace(/__|[./-]/g, (found) => replacements[found] ?? found);
}

const preserve = 'x-kubernetes-preserve-unknown-fields';

/** Whether any value may be stored here: `Type.Unknown()`, or a schema with the keyword of Kubernetes for it. */
export function isOpen(schema: TSchema): boolean {
  return IsUnknown(schema) || IsAny(schema) || (preserve in schema && schema[preserve] === true);
}

/** Whether Kubernetes shows values of this schema to rules. It hides values without a declared type. */
export function isVisible(schema: TSchema): boolean {
  if (IsArray(schema)) return isVisible(schema.items);
  if (IsRecord(schema)) return isVisible(RecordValue(schema));
  return !isOpen(schema);
}
