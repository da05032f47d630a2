import type { Explanation } from '@unikorn/sdk';

import { Failure } from './failure.ts';
import type { Named } from './nouns/noun.ts';

/** A JSON object that is not validated yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The value at a path such as `spec.networking.publicIP`. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), document);
}

/** A copy of the document with a new value at a path; `undefined` removes the value. */
export function withValueAt(document: Fields, path: string, value: unknown): Fields {
  const [key = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const inner = document[key];
    return { ...document, [key]: withValueAt(isFields(inner) ? inner : {}, rest.join('.'), value) };
  }
  const others = Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
  return value === undefined ? others : { ...others, [key]: value };
}

/** The response of a service as a resource. */
export function named(data: unknown): Named {
  if (isNamed(data)) return data;
  throw strange('a resource');
}

/** The response of a service as an explanation. */
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

/** A server that sends such a response may not be a control plane. */
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
