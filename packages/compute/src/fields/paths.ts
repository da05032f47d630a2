type Leaf = string | number | boolean | readonly unknown[];

/** The paths of the values in an object, such as `networking.publicIP`. A list is one value. */
export type PathOf<T> = {
  [Key in keyof T & string]-?: NonNullable<T[Key]> extends Leaf ? Key : `${Key}.${PathOf<NonNullable<T[Key]>>}`;
}[keyof T & string];

/** The type of the value at a path, if it exists. */
export type ValueAt<T, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? Key extends keyof T
    ? ValueAt<NonNullable<T[Key]>, Rest>
    : never
  : Path extends keyof T
    ? NonNullable<T[Path]>
    : never;

/** The paths of an object whose values have exactly this type, so that a value can be copied there and back. */
export type PathWith<T, Value, Path extends PathOf<T> = PathOf<T>> = Path extends unknown
  ? [Value, ValueAt<T, Path>] extends [ValueAt<T, Path>, Value]
    ? Path
    : never
  : never;

/** The properties of an object whose values have exactly this type. */
export type NamesWith<T, Value> = {
  [Key in keyof T]-?: [Value, NonNullable<T[Key]>] extends [NonNullable<T[Key]>, Value] ? Key : never;
}[keyof T];

/** The last part of a path. */
export type NameOf<Path extends string> = Path extends `${string}.${infer Rest}` ? NameOf<Rest> : Path;

export function nameOf<Path extends string>(path: Path): NameOf<Path>;
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The entries of an object, with the property names of its type. */
export function entriesOf<T extends object>(table: T): readonly (readonly [keyof T & string, T[keyof T & string]])[];
export function entriesOf(table: object): readonly (readonly [string, unknown])[] {
  return Object.entries(table);
}

/** A value to copy from one object to another. */
export interface Copy {
  readonly from: readonly string[];
  /** The group that the value is in, such as `networking`. */
  readonly fromGroup: readonly string[];
  readonly toGroup: readonly string[];
  readonly toName: string;
  /** Changes the value on the way. */
  readonly via: ((value: unknown) => unknown) | undefined;
}

/** Paths are split once here, because values are copied for each instance of a list. */
export function copyOf(from: string, to: string, via?: Copy['via']): Copy {
  const [fromParts, toParts] = [from.split('.'), to.split('.')];
  return { from: fromParts, fromGroup: fromParts.slice(0, -1), toGroup: toParts.slice(0, -1), toName: nameOf(to), via };
}

/**
 * Copies the existing values into a new object. A group such as `networking` that is empty in the source is also empty
 * in the result, so that a client reads back what it sent.
 */
export function copied(source: object, copies: readonly Copy[]): object {
  const target: Record<string, unknown> = {};
  for (const { from, fromGroup, toGroup, toName, via } of copies) {
    const found = valueAt(source, from);
    const value = via ? via(found) : found;
    if (value !== undefined) groupAt(target, toGroup)[toName] = value;
    else if (fromGroup.length > 0 && valueAt(source, fromGroup) !== undefined) groupAt(target, toGroup);
  }
  return target;
}

export function valueAt(source: unknown, path: readonly string[]): unknown {
  let value = source;
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return value;
}

/** The object at a path. It is created if it is missing. */
function groupAt(target: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  let group = target;
  for (const name of path) {
    const known = group[name];
    const next = isRecord(known) ? known : {};
    group[name] = next;
    group = next;
  }
  return group;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
