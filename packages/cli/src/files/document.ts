import { fieldsOf, isFields, valueAt, withValueAt, type Fields } from '../documents.ts';
import { fieldsFor } from '../fields.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { owningScopes } from '../resources.ts';
import type { Body, Manifest } from './manifest.ts';
import type { Mistake } from './mistakes.ts';
import type { Linked } from './order.ts';
import { placingScopes, referencesOf, substituted, type Reference } from './references.ts';
import { marked } from './set.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * The content of a manifest, with references replaced by ids. A reference to a resource that does not exist yet stays a
 * name.
 */
export function bodyOf(
  { manifest: { noun, body }, links, existing, set }: Intended,
  objectOf: (reference: Reference) => Named | undefined,
): Body {
  const values = links.flatMap(({ reference }) => {
    const object = objectOf(reference);
    return object ? [[reference.path, reference.sent(object)] as const] : [];
  });
  return marked(noun, asBody(substituted(withoutPath(noun, body), new Map(values))), existing, set);
}

/** A manifest, the resource that it describes, and the set that it belongs to. */
export interface Intended extends Linked {
  readonly existing?: Named | undefined;
  readonly set?: string | undefined;
}

/** The body for creating a resource: the content of the file, with defaults. */
export function creationOf(noun: Noun, body: Body, owners: Fields): Fields {
  const open = fieldsFor(noun, 'create').filter(
    ({ path, fallback }) => fallback !== undefined && valueAt(body, path) === undefined,
  );
  const document = open.reduce<Fields>((said, { path, fallback }) => withValueAt(said, path, fallback), {
    ...withoutNulls(body),
  });
  const { metadata, spec } = asBody(document);
  return {
    ...(noun.namePath === undefined || Object.keys(metadata).length > 0 ? { metadata } : {}),
    spec: { ...owners, ...spec },
  };
}

/** The mistakes in a manifest, independent of existing resources; references may be names instead of ids. */
export function mistakesIn(manifest: Manifest, vocabulary: Vocabulary): readonly Mistake[] {
  const { noun, body } = manifest;
  const owners = owningScopes(noun).map((scope) => [`${scope}Id`, ''] as const);
  // The missing name of a draft is already reported.
  const nameless = manifest.name === '' ? [(noun.namePath ?? 'metadata.name').split('.')[0] ?? ''] : [];
  const unsettled = [
    ...referencesOf(manifest).map(({ path }) => path),
    ...owners.map(([key]) => `spec.${key}`),
    ...nameless,
  ];
  return vocabulary.check(manifest, creationOf(noun, withoutPath(noun, body), Object.fromEntries(owners)), unsettled);
}

/** Removes fields that are part of the request path. */
function withoutPath(noun: Noun, { metadata, spec }: Body): Body {
  const owners = owningScopes(noun);
  const inPath = placingScopes(noun)
    .filter((scope) => !owners.includes(scope))
    .map((scope) => `${scope}Id`);
  return { metadata, spec: Object.fromEntries(Object.entries(spec).filter(([key]) => !inPath.includes(key))) };
}

function withoutNulls(value: Body): Body {
  const clean = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(clean);
    return isFields(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([, each]) => each !== null)
            .map(([key, each]) => [key, clean(each)]),
        )
      : inner;
  };
  return asBody(clean(value));
}

export function asBody(value: unknown): Body {
  return { metadata: fieldsOf(valueAt(value, 'metadata')), spec: fieldsOf(valueAt(value, 'spec')) };
}
