import { tagValue, type Tag } from '@unikorn/core/resource';

/** The tag by which a server says whose it is. Only services may write it. */
export const linkTag = 'compute.unikorn-cloud.org/instance-id';

/** The id of the instance that a server with these tags realises. */
export function linkedInstance(tags: readonly Tag[] | undefined): string | undefined {
  return tagValue(tags, linkTag);
}
