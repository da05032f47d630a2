import { isDeepStrictEqual } from 'node:util';

import { fieldsOf, isFields, valueAt, withValueAt, type Fields } from '../documents.ts';
import { isSecret } from '../fields.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { editableOf } from '../writing.ts';
import type { Body } from './manifest.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A field that can only be set at creation, and that differs from the file. */
export interface Fixed {
  /** Such as `spec.prefix`. */
  readonly path: string;
  readonly is: unknown;
  readonly said: unknown;
}

/** The differences between a resource and its file. Fields that the file does not contain stay unchanged. */
export interface Comparison {
  /** The part of the resource that can be changed. */
  readonly current: Fields;
  /** The new content that an update sends. */
  readonly next: Fields;
  readonly isDifferent: boolean;
  readonly fixed: readonly Fixed[];
}

export function compared(
  noun: Noun,
  { isUpdatable }: Pick<Vocabulary, 'isUpdatable'>,
  object: Named,
  wanted: Body,
): Comparison {
  const spec = Object.entries(wanted.spec);
  // The service does not return a secret. If it were compared, it would always be different.
  const isChangeable = (key: string) => isUpdatable(key) && !isSecret(noun, `spec.${key}`);
  const changeable = Object.fromEntries(spec.filter(([key]) => isChangeable(key)));
  const current = currentOf(noun, object, Object.keys(changeable));
  const said = inOrderOf(current, { metadata: wanted.metadata, spec: changeable }, noun);
  const next = { ...current, ...fieldsOf(merged(current, said)) };
  const fixed = spec
    .filter(([key]) => !isChangeable(key))
    .flatMap(([key, value]) => fixedAt(`spec.${key}`, fixedValue(object, key), value));
  if (noun.verbs.includes('update')) return { current, next, isDifferent: !isSame(current, next), fixed };
  const metadata = Object.entries(wanted.metadata).flatMap(([key, value]) =>
    fixedAt(`metadata.${key}`, valueAt(object.metadata, key) ?? '', value),
  );
  return { current, next: current, isDifferent: false, fixed: [...fixed, ...metadata] };
}

/** The editable part, and the other fields that the file contains. */
function currentOf(noun: Noun, object: Named, keys: readonly string[]): Fields {
  const editable: Fields = editableOf(noun, object);
  return keys.reduce((document, key) => {
    const value = valueAt(editable, `spec.${key}`) ?? valueAt(object, `spec.${key}`);
    return value === undefined ? document : withValueAt(document, `spec.${key}`, value);
  }, editable);
}

/** A field of the creation is shown in the status, or in the metadata, of the existing resource. */
function fixedValue(object: Named, key: string): unknown {
  return ['spec', 'status', 'metadata']
    .map((part) => valueAt(object, `${part}.${key}`))
    .find((value) => value !== undefined);
}

/** A value that the service does not return cannot be compared. */
function fixedAt(path: string, is: unknown, said: unknown): readonly Fixed[] {
  return is === undefined || said === null || isSame(merged(is, said), is) ? [] : [{ path, is, said }];
}

/** Lists of references are sets; services return them in any order. */
function inOrderOf(current: Fields, said: Fields, { fields }: Noun): Fields {
  return fields
    .filter(({ type, noun }) => type === 'list' && noun !== undefined)
    .reduce((document, { path }) => {
      const [there, wanted] = [valueAt(current, path), valueAt(document, path)];
      return Array.isArray(there) && Array.isArray(wanted) && isDeepStrictEqual(new Set(there), new Set(wanted))
        ? withValueAt(document, path, there)
        : document;
    }, said);
}

/**
 * Merges the file into the current value: key by key in maps, name by name in lists whose elements have names or ids.
 * `null` removes a value.
 */
export function merged(current: unknown, said: unknown): unknown {
  if (said === null) return undefined;
  if (Array.isArray(said)) return said.map((element: unknown) => merged(namesake(current, element), element));
  if (!isFields(said)) return said;
  const before = fieldsOf(current);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(said)])];
  return Object.fromEntries(
    keys
      .map((key) => [key, key in said ? merged(before[key], said[key]) : before[key]] as const)
      .filter(([, value]) => value !== undefined),
  );
}

/** For services, an empty value and an absent value are the same. */
function isSame(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(left), withoutEmpty(right));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (!isFields(value)) return value === '' ? undefined : value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each)] as const)
    .filter(([, each]) => each !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The matching element of another list: with the same name, or with the same id and issuer. */
function namesake(list: unknown, element: unknown): unknown {
  if (!Array.isArray(list) || !isFields(element)) return undefined;
  const keys =
    typeof element['name'] === 'string' ? ['name'] : typeof element['id'] === 'string' ? ['id', 'issuer'] : [];
  return keys.length === 0
    ? undefined
    : list.find((other: unknown) => keys.every((key) => valueAt(other, key) === element[key]));
}
