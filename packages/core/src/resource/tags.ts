import { Problem } from '../errors/index.ts';

export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** Tag names that only our services may write: `<word>.unikorn-cloud.org` followed by a colon or a slash. */
const reserved = /^[a-z]+\.unikorn-cloud\.org[:/]/;

export function isReservedTag(name: string): boolean {
  return reserved.test(name);
}

/** Refuses reserved tags, and names the tag. */
export function rejectReservedTags(tags: readonly Tag[] | undefined): void {
  const found = tags?.find((tag) => isReservedTag(tag.name));
  if (found) throw new Problem('invalid_request', `metadata.tags: the name ${found.name} is reserved for the platform`);
}

/** The value of the first tag of that name; duplicates are tolerated. */
export function tagValue(tags: readonly Tag[] | undefined, name: string): string | undefined {
  return tags?.find((tag) => tag.name === name)?.value;
}

/**
 * Parses the repeated query parameter `tag=name=value`.
 *
 * @example parseTagSelector(['team=web']) // [{ name: 'team', value: 'web' }]
 */
export function parseTagSelector(parameters: readonly string[]): readonly Tag[] {
  return parameters.map((parameter) => {
    const [name, value, ...rest] = parameter.split('=');
    if (name === undefined || value === undefined || rest.length > 0) {
      throw new Problem(
        'invalid_request',
        'query parameter tag: each value must have the form name=value with exactly one equals sign',
      );
    }
    return { name, value };
  });
}

/**
 * Whether every selected tag is present with the same value.
 *
 * @example matchesTags(server.spec.tags, [{ name: 'team', value: 'red' }])
 */
export function matchesTags(tags: readonly Tag[] | undefined, selector: readonly Tag[]): boolean {
  return selector.every((wanted) => tags?.some((tag) => tag.name === wanted.name && tag.value === wanted.value));
}
