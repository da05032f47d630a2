import type { Kind, Resource } from './kind.ts';

/**
 * Whether a value read back from where it was stored is an object of this kind. It looks at the envelope only: the rest
 * was checked by `admit` before it was stored, and reads are many.
 */
export function isResource<K extends Kind>(kind: K, value: unknown): value is Resource<K> {
  return (
    isObject(value) &&
    value['apiVersion'] === kind.apiVersion &&
    value['kind'] === kind.kind &&
    isObject(value['spec']) &&
    isObject(value['metadata']) &&
    typeof value['metadata']['name'] === 'string' &&
    typeof value['metadata']['uid'] === 'string' &&
    typeof value['metadata']['resourceVersion'] === 'string' &&
    typeof value['metadata']['generation'] === 'number' &&
    typeof value['metadata']['creationTimestamp'] === 'string'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
