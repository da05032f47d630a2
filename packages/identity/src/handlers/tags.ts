import { rejectReservedTags, type Tag } from '@unikorn/core/resource';

/** Tags in their stored form: unchanged, absent if empty, and without tags that are reserved for the platform. */
export function storedTags(tags: readonly Tag[] | undefined): { readonly tags?: readonly Tag[] } {
  rejectReservedTags(tags);
  return tags?.length ? { tags } : {};
}
