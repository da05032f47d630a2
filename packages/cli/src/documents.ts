import type { Explanation } from '@unikorn/sdk';

import { Failure } from './failure.ts';
import type { Named } from './nouns/noun.ts';

/** A JSON object as far as nobody has looked into it. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value where it is an object, and an empty one otherwise. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** What is at a path such as `spec.networking.publicIP`. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), document);
}

/** The document with something else at a path; with nothing there for `undefined`. */
export function withValueAt(document: Fields, path: string, value: unknown): Fields {
  const [key = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const inner = document[key];
    return { ...document, [key]: withValueAt(isFields(inner) ? inner : {}, rest.join('.'), value) };
  }
  const others = Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
  return value === undefined ? others : { ...others, [key]: value };
}

/** What a service answered, as a resource. */
export function named(data: unknown): Named {
  if (isNamed(data)) return data;
  throw strange('a resource');
}

/** What a service answered, as an explanation. */
export function explanationIn(data: unknown): Explanation {
  if (isExplanation(data)) return data;
  throw strange('an explanation');
}

function isExplanation(data: unknown): data is Explanation {
  return isFields(data) && Array.isArray(data['nodes']) && typeof data['ready'] === 'boolean';
}

export function namedList(data: unknown): readonly Named[] {
  if (!Array.isArray(data)) throw strange('a list');
  return data.map(named);
}

/** Whoever answers so may be no control plane at all. */
export function strange(expected: string): Failure {
  return new Failure(
    'unreachable',
    `the server at this address is not a control plane: it was asked for ${expected} and gave an unexpected answer`,
    'is the address right? unikorn status shows it, and unikorn doctor checks it',
  );
}

function isNamed(data: unknown): data is Named {
  return (
    isFields(data) &&
    isFields(data['metadata']) &&
    typeof data['metadata']['id'] === 'string' &&
    typeof data['metadata']['name'] === 'string'
  );
}
