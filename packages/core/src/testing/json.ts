export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; the root may be any value. */
export function child(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);
}

export function names(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
