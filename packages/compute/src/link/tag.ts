import { tagValue, type Tag } from '@unikorn/core/resource';

/** The tag of a server with the id of its instance. Only services may write it. */
export const linkTag = 'compute.unikorn-cloud.org/instance-id';

/** The instance id in the tags of a server. */
export function linkedInstance(tags: readonly Tag[] | undefined): string | undefined {
  return tagValue(tags, linkTag);
}
