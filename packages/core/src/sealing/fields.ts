import type { Kind } from '../kinds/index.ts';

/** A text field of a kind that is encrypted wherever it is stored. */
export interface SealedField {
  readonly kind: Kind;
  readonly path: readonly string[];
  /** Only texts that contain this string need encryption; by default all do. */
  readonly holding?: string;
}

/** Replaces the text at a path. Returns the same object if there is no text, or if the text stays the same. */
export function replacedAt<T>(value: T, path: readonly string[], change: (text: string) => string): T;
export function replacedAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (text: string) => string,
): unknown {
  if (key === undefined) return typeof value === 'string' ? change(value) : value;
  if (!isRecord(value) || !(key in value)) return value;
  const next = replacedAt(value[key], rest, change);
  return next === value[key] ? value : { ...value, [key]: next };
}

/** The text at a path, if there is one. */
export function textAt(value: unknown, [key, ...rest]: readonly string[]): string | undefined {
  if (key === undefined) return typeof value === 'string' ? value : undefined;
  return isRecord(value) ? textAt(value[key], rest) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
