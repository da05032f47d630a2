import { isFields, valueAt } from '../documents.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import type { Body } from './manifest.ts';

/** The tag that names the set of files which a resource was applied with. */
export const setTag = 'apply-set';

/** Whether resources of this noun can belong to a set: they are in a project, and can be found by their tags. */
export function canBeInSet({ scope, verbs }: Noun): boolean {
  return scope.includes('project') && verbs.includes('create') && verbs.includes('delete');
}

/** The set of an existing resource. */
export function setOf(object: Named | undefined): string | undefined {
  return object?.metadata.tags?.find(({ name }) => name === setTag)?.value;
}

/**
 * The content of a file, with the mark of its set. An `apply` without a set keeps the mark. A resource that cannot be
 * changed gets the mark only when it is created.
 */
export function marked(noun: Noun, body: Body, existing: Named | undefined, set: string | undefined): Body {
  const isFixed = existing !== undefined && !noun.verbs.includes('update');
  const mark = isFixed ? setOf(existing) : canBeInSet(noun) ? (set ?? setOf(existing)) : undefined;
  const said = valueAt(body, 'metadata.tags');
  if (mark === undefined || (said === undefined && (isFixed || mark === setOf(existing)))) return body;
  const tags: readonly unknown[] = Array.isArray(said) ? said : (existing?.metadata.tags ?? []);
  const others = tags.filter((tag) => !isFields(tag) || tag['name'] !== setTag);
  return { ...body, metadata: { ...body.metadata, tags: [...others, { name: setTag, value: mark }] } };
}
