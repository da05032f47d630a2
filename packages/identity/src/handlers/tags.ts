import type { Tag } from '@unikorn/core/resource';

/** Tags as a spec keeps them: absent rather than empty. */
export function storedTags(tags: readonly Tag[] | undefined): { readonly tags?: readonly Tag[] } {
  return tags?.length ? { tags } : {};
}
