import type { Resource } from '../kinds/index.ts';

/** The stored form, without the version, which has its own column because only the commit knows it. */
export function encode(object: Resource): string {
  return JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

/** The returned form, with its version, and frozen because caches, watchers and callers share it. */
export function decode(data: string, version: number): Resource {
  const object = parse(data);
  return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
}

/** The same state at another version. */
export function atVersion(object: Resource, version: number): Resource {
  return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
}

/**
 * The value as it would be read from the store, and frozen: stored objects are JSON, which has no undefined. A value in
 * this form is returned unchanged, any other is copied.
 */
export function readBack<T>(value: T): T;
export function readBack(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value))
    return isReadBack(value)
      ? value
      : Object.freeze(Array.from(value, (item: unknown) => (item === undefined ? null : readBack(item))));
  return isRecord(value) && !isReadBack(value) ? readBackFields(value) : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every write comes through here. This loop is several times faster than a list of entries. */
function readBackFields(fields: Readonly<Record<string, unknown>>): object {
  const copy: Record<string, unknown> = {};
  for (const key in fields) {
    const field = fields[key];
    if (field === undefined) continue;
    const kept = typeof field === 'object' || typeof field === 'number' ? readBack(field) : field;
    if (key === '__proto__') Object.defineProperty(copy, key, { value: kept, enumerable: true });
    else copy[key] = kept;
  }
  return Object.freeze(copy);
}

function isReadBack(value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  const children: unknown[] = Object.values(value);
  if (Array.isArray(value) && value.length !== children.length) return false;
  return children.every((child) =>
    typeof child === 'object' && child !== null
      ? isReadBack(child)
      : child !== undefined && Object.is(readBack(child), child),
  );
}

/** Stored data was encoded here from a checked object, so its shape does not need another check. */
function parse(data: string): Resource;
function parse(data: string): unknown {
  const object: unknown = JSON.parse(data);
  return object;
}

/** A frozen object was frozen here, including everything in it. */
export function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) deepFreeze(child);
  }
  return Object.freeze(value);
}
