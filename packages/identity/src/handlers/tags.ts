import { rejectReservedTags, type Tag } from '@unikorn/core/resource';

/** Tags as a spec keeps them: verbatim, absent rather than empty, and none that only the platform may write. */
export function storedTags(tags: readonly Tag[] | undefined): { readonly tags?: readonly Tag[] } {
  rejectReservedTags(tags);
  return tags?.length ? { tags } : {};
}
