import type { Tag } from '@unikorn/sdk';

import { words } from '../words/index.ts';

/** Tags to set on several instances, and the names of tags to remove from them. */
export interface TagEdit {
  readonly set: readonly Tag[];
  readonly remove: readonly string[];
}

/** The tags after an edit. A tag that is set replaces the one of the same name, in its place. */
export function editedTags(before: readonly Tag[], { set, remove }: TagEdit): readonly Tag[] {
  const left = before.filter(({ name }) => !remove.includes(name));
  return [
    ...left.map((tag) => set.find(({ name }) => name === tag.name) ?? tag),
    ...set.filter(({ name }) => !left.some((tag) => tag.name === name)),
  ];
}

/** The edit that leads from some tags to others. */
export function tagEditOf(before: readonly Tag[], after: readonly Tag[]): TagEdit {
  return {
    set: after.filter(({ name, value }) => !before.some((tag) => tag.name === name && tag.value === value)),
    remove: before.filter(({ name }) => !after.some((tag) => tag.name === name)).map(({ name }) => name),
  };
}

/** Whether they say the same. Their order says nothing. */
export function isSameTags(one: readonly Tag[], other: readonly Tag[]): boolean {
  const { set, remove } = tagEditOf(one, other);
  return set.length + remove.length === 0;
}

/** The first name that is used twice: the service would keep both tags, and nobody could tell which one counts. */
export function repeatedName(tags: readonly Tag[]): string | undefined {
  return tags.find(({ name }, index) => tags.findIndex((tag) => tag.name === name) !== index)?.name;
}

/** Their tags with my changes. */
export function mergedTags(opened: readonly Tag[], theirs: readonly Tag[], mine: readonly Tag[]): readonly Tag[] {
  return editedTags(theirs, tagEditOf(opened, mine));
}

/** Tags in one line, such as `team=web env=production`. */
export function tagText(tags: readonly Tag[]): string {
  return tags.map(({ name, value }) => `${name}=${value}`).join(' ');
}

/** Why tags cannot be sent. */
export function tagFlaw(tags: readonly Tag[]): string | undefined {
  const texts = words.parts.tagEditor;
  if (tags.some(({ name }) => name === '')) return texts.nameMissing;
  const repeated = repeatedName(tags);
  return repeated === undefined ? undefined : texts.repeated(repeated);
}
